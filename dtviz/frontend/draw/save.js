// Menu beside a picture that saves it as SVG or PNG; the browser makes the file.

import { button, element, penOf } from "../lib/dom.js";
import { tell } from "../lib/link.js";

const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11M7 11l5 5 5-5M5 20h14"/></svg>';
const PIXEL_RATIO = 2; // pixels of a PNG for one of the picture
const MAX_PIXELS_A_SIDE = 16_000; // browsers draw no larger canvas
const MAX_PIXELS = 1.2e8;
const MIN_PIXEL_RATIO = 0.1; // below which no PNG is tried
const MAX_MS_OF_TYPEFACE = 5000; // to wait for the file of the typeface

/** Create the menu; `makeSvg` returns the picture as an SVG document, `paper` the colour of the page.
 *  @param {string} name @param {() => string | Promise<string>} makeSvg @param {() => string} [paper] */
export function saveMenu(name, makeSvg, paper = () => "#fff") {
  const menu = element("div", "save");
  const opener = button("", `Save the ${name}`);
  opener.innerHTML = ICON;
  opener.setAttribute("aria-haspopup", "true");
  const choices = element("div", "choices");
  const makeFile = async () => svgFile(withTypeface(await makeSvg(), await typefaceOf(menu)));
  choices.append(
    saveButton(name, "SVG", makeFile),
    saveButton(name, "PNG", async () => png(await makeFile(), paper()), " SVG may still do."),
  );
  /** @param {boolean} on */
  const open = (on) => {
    choices.hidden = !on;
    opener.setAttribute("aria-expanded", String(on));
    window[on ? "addEventListener" : "removeEventListener"]("pointerdown", closeOutside);
  };
  /** @param {globalThis.Event} event */
  const closeOutside = (event) => event.composedPath().includes(menu) || open(false);
  opener.addEventListener("click", () => open(Boolean(choices.hidden)));
  choices.addEventListener("click", () => open(false));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || choices.hidden) return;
    event.stopPropagation();
    open(false);
    opener.focus();
  });
  menu.addEventListener("focusout", (event) => {
    const next = /** @type {Node | null} */ (event.relatedTarget);
    if (next && !menu.contains(next)) open(false);
  });
  open(false);
  menu.append(opener, choices);
  return menu;
}

/** Create a button that saves the file of `makeFile`. If there is none, a notice says so and ends in `advice`.
 *  @param {string} name @param {string} form @param {() => Promise<Blob | null>} makeFile @param {string} [advice] */
function saveButton(name, form, makeFile, advice = "") {
  const item = button(form, `Save the ${name} as ${form}`);
  item.addEventListener("click", async () => {
    const file = await makeFile().catch((error) => console.error(error));
    if (file) download(`${name}.${form.toLowerCase()}`, file);
    else tell("notice", { name: "save", text: `The ${name} could not be saved as ${form}.${advice}` });
  });
  return item;
}

/** @param {string} text */
const svgFile = (text) => new Blob([text], { type: "image/svg+xml" });

/** Add style to an SVG document.
 *  @param {string} svg @param {string} style */
const withTypeface = (svg, style) => (style ? svg.replace(/(?<=^<svg[^>]*>)/, () => `<style>${style}</style>`) : svg);

/** Style with the typeface of the page in itself, since neither a file nor an image can load it from there; "" if the page
 *  has none of its own, or if it cannot be read. Italics are left out: pictures have none.
 *  @param {HTMLElement} menu  in that typeface */
async function typefaceOf(menu) {
  const family = unquoted(getComputedStyle(menu).fontFamily.split(",")[0] ?? "");
  const faces = [...document.styleSheets].flatMap(rulesOf).filter((rule) => rule instanceof CSSFontFaceRule);
  const rule = faces.find(({ style }) => unquoted(style.getPropertyValue("font-family")) === family
    && style.getPropertyValue("font-style") !== "italic");
  const address = /url\((["']?)(.+?)\1\)/.exec(rule?.style.getPropertyValue("src") ?? "")?.[2];
  if (!rule || !address) return "";
  try {
    const signal = AbortSignal.timeout(MAX_MS_OF_TYPEFACE);
    const response = await fetch(new URL(address, rule.parentStyleSheet?.href ?? document.baseURI), { signal });
    const data = await dataAddress(await response.blob());
    const weight = rule.style.getPropertyValue("font-weight") || "normal";
    return response.ok ? `@font-face{font-family:${JSON.stringify(family)};font-weight:${weight};src:url(${data})}` : "";
  } catch {
    return ""; // the picture is saved in a typeface that the reader has
  }
}

/** @param {string} family */
const unquoted = (family) => family.trim().replace(/^["']|["']$/g, "");

/** Rules of a style sheet; none if it is of another site, which hides them.
 *  @param {CSSStyleSheet} sheet */
function rulesOf(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

/** @param {Blob} file @returns {Promise<string>} */
const dataAddress = (file) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => done(String(reader.result)));
  reader.addEventListener("error", fail);
  reader.readAsDataURL(file);
});

/** Draw an SVG file at twice its size, or as large as a canvas can be, on the colour of the page; returns a PNG
 *  file, or null if the browser makes none.
 *  @param {Blob} svg @param {string} paper @returns {Promise<Blob | null>} */
async function png(svg, paper) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { width, height } = image;
    let ratio = Math.min(PIXEL_RATIO, MAX_PIXELS_A_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
    let file = null;
    for (; !file && ratio > MIN_PIXEL_RATIO; ratio /= 2) file = await drawn(image, Math.round(ratio * width), Math.round(ratio * height), paper);
    return file;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** PNG file of an image on paper, or null where so large a canvas is more than the browser has memory for.
 *  @param {HTMLImageElement} image @param {number} width @param {number} height @param {string} paper
 *  @returns {Promise<Blob | null>} */
function drawn(image, width, height, paper) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = penOf(canvas);
  pen.fillStyle = paper;
  pen.fillRect(0, 0, width, height);
  pen.drawImage(image, 0, 0, width, height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** @param {string} name @param {Blob} file */
function download(name, file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
