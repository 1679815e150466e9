// Stand-in for a browser page, as far as the modules need one: elements that can be appended, queried and used.
//
// Importing this module sets `document`, `window` and other globals of a browser. `use` sends an event the
// way a browser does: down to the element for capturing listeners, then up to the document for the others,
// unless a listener stops it.

import { recorder } from "./pen.js";

const CORNER = { left: 20, top: 10 }; // of every element in the window

class Classes {
  constructor(element) { this.element = element; }
  get all() { return this.element.className.split(/\s+/).filter(Boolean); }
  contains(name) { return this.all.includes(name); }
  add(name) { this.toggle(name, true); }
  remove(name) { this.toggle(name, false); }
  toggle(name, on = !this.contains(name)) {
    this.element.className = [...this.all.filter((word) => word !== name), ...(on ? [name] : [])].join(" ");
    return on;
  }
}

class Node {
  parentElement = null;
  get parentNode() { return this.parentElement; }
  remove() {
    const kin = this.parentElement?.childNodes;
    kin?.splice(kin.indexOf(this), 1);
    this.parentElement = null;
  }
}

class Text extends Node {
  constructor(text) {
    super();
    this.textContent = text;
  }
}

class Style {
  setProperty(name, value) { this[name] = String(value); }
  getPropertyValue(name) { return this[name] ?? ""; }
}

export class Element extends Node {
  childNodes = [];
  style = new Style();
  dataset = {};
  clientWidth = 600;
  clientHeight = 400;
  offsetWidth = 0;
  offsetHeight = 0;
  hidden = false;
  #attributes = new Map();
  #listeners = [];

  constructor(tag) {
    super();
    this.localName = tag;
  }

  get children() { return this.childNodes.filter((child) => child instanceof Element); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get lastElementChild() { return this.children.at(-1) ?? null; }
  get childElementCount() { return this.children.length; }
  get classList() { return new Classes(this); }
  get isConnected() { return this === document.body || Boolean(this.parentElement?.isConnected); }
  get textContent() { return this.childNodes.map((child) => child.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(String(text) ? [String(text)] : [])); }
  get className() { return this.getAttribute("class") ?? ""; }
  set className(name) { this.setAttribute("class", name); }
  get id() { return this.getAttribute("id") ?? ""; }
  get attributes() { return [...this.#attributes].map(([name, value]) => ({ name, value })); }
  get viewBox() {
    const [x, y, width, height] = this.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    return { baseVal: { x, y, width, height } };
  }

  set innerHTML(text) { this.replaceChildren(...parsed(text)); }

  #take(nodes) {
    return nodes.map((child) => {
      const node = child instanceof Node ? child : new Text(String(child));
      node.remove();
      node.parentElement = this;
      return node;
    });
  }

  append(...nodes) { this.childNodes.push(...this.#take(nodes)); }
  prepend(...nodes) { this.childNodes.unshift(...this.#take(nodes)); }
  appendChild(node) {
    this.append(node);
    return node;
  }
  insertBefore(node, next) {
    const [taken] = this.#take([node]);
    const index = this.childNodes.indexOf(next); // at the end if there is no next node
    this.childNodes.splice(index < 0 ? this.childNodes.length : index, 0, taken);
    return node;
  }
  replaceChildren(...nodes) {
    for (const child of [...this.childNodes]) child.remove();
    this.append(...nodes);
  }
  replaceWith(...nodes) {
    const parent = this.parentElement;
    const index = parent.childNodes.indexOf(this);
    this.remove();
    parent.childNodes.splice(index, 0, ...parent.#take(nodes));
  }
  cloneNode() { return parsed(serialized(this))[0]; }

  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
  }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  removeAttribute(name) { this.#attributes.delete(name); }

  contains(descendant) {
    for (let node = descendant; node; node = node.parentElement) if (node === this) return true;
    return false;
  }
  matches(selectors) { return selectors.split(",").some((selector) => matchesSelector(this, selector.trim())); }
  closest(selectors) {
    for (let ancestor = this; ancestor; ancestor = ancestor.parentElement) if (ancestor.matches(selectors)) return ancestor;
    return null;
  }
  querySelectorAll(selectors) {
    const below = (element) => element.children.flatMap((child) => [child, ...below(child)]);
    return below(this).filter((node) => node.matches(selectors));
  }
  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }

  addEventListener(type, listener, options = {}) {
    const { once = false, capture = options === true } = options;
    this.#listeners.push({ type, listener, once, capture });
  }
  removeEventListener(type, listener) {
    this.#listeners = this.#listeners.filter((entry) => entry.type !== type || entry.listener !== listener);
  }
  hear(event, early = false) {
    if (!early) this[`on${event.type}`]?.(event);
    const meant = this.#listeners.filter((entry) => entry.type === event.type && entry.capture === early);
    for (const { type, listener, once } of meant) {
      if (once) this.removeEventListener(type, listener);
      listener(event);
    }
  }
  dispatchEvent(event) { this.hear(event); }
  click() { use(this, "click"); }
  focus() {
    document.activeElement = this;
    use(this, "focus");
  }
  setPointerCapture() {}
  hasPointerCapture() { return true; }
  getRootNode() { return this.isConnected ? document : (this.parentElement?.getRootNode() ?? this); }
  getBoundingClientRect() {
    return { ...CORNER, width: this.clientWidth, height: this.clientHeight };
  }
  getContext() { return (this.pen ??= recorder(this)); }
}

/** True if an element matches `tag`, `.name`, `[key]`, `[key=value]`, `:not(...)`, a path of `>`. */
function matchesSelector(element, selector) {
  if (!tests.has(selector)) tests.set(selector, testOf(selector));
  return tests.get(selector)(element);
}

const tests = new Map();

/** Compile a selector into a test of elements. */
function testOf(selector) {
  const [, above, last] = /^(?:(.*?)\s*>?\s+)?(\S+)$/.exec(selector);
  const parts = last.match(/:not\([^)]*\)|[.:#]?[\w-]+|\[[^\]]*\]|\*/g).map(partTest);
  const within = above?.replace(/\s*>$/, "");
  return (element) => parts.every((holds) => holds(element)) && (!within || Boolean(element.parentElement?.closest(within)));
}

/** Compile a part of a selector into a test of elements. */
function partTest(part) {
  if (part === "*") return () => true;
  if (part.startsWith(":not")) return (element) => !matchesSelector(element, part.slice(5, -1));
  if (part === ":focus-visible") return (element) => document.activeElement === element;
  if (part[0] === ".") return (element) => element.classList.contains(part.slice(1));
  const [, key, value] = /^\[([\w-]+)(?:=([^\]]*))?\]$/.exec(part) ?? [];
  if (!key) return (element) => element.localName === part;
  return (element) => (value === undefined ? element.getAttribute(key) !== null : element.getAttribute(key) === value);
}

/** Parse well-formed markup into nodes. */
function parsed(text) {
  const top = new Element("top");
  let current = top;
  for (const [, close, tag, attributes, empty, words] of text.matchAll(/<(\/?)([\w:-]+)([^>]*?)(\/?)>|([^<]+)/g)) {
    if (words !== undefined) current.append(unescaped(words));
    else if (close) current = current.parentElement;
    else {
      const created = new Element(tag);
      for (const [, name, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) created.setAttribute(name, unescaped(value));
      current.append(created);
      if (!empty) current = created;
    }
  }
  return top.childNodes.slice();
}

const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"' };
const unescaped = (text) => text.replace(/&(#?)(\w+);/g, (_, coded, name) => (coded ? String.fromCodePoint(Number(name)) : ENTITIES[name]));
const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

function serialized(node) {
  if (node instanceof Text) return escaped(node.textContent);
  const attributes = node.attributes.map(({ name, value }) => ` ${name}="${escaped(value)}"`).join("");
  return `<${node.localName}${attributes}>${node.childNodes.map(serialized).join("")}</${node.localName}>`;
}

/** Send an event of a type to an element; returns it, and true if a listener stopped it. `clientX` and
 *  `clientY` count from the corner of the element. */
export function use(element, type, fields = {}) {
  const path = [];
  for (let node = element; node; node = node.parentElement) path.push(node);
  if (path.at(-1) === document.body) path.push(document);
  path.push(window);
  let stopped = false;
  const event = {
    type, target: element, button: 0, pointerId: 1, pointerType: "mouse", defaultPrevented: false,
    composedPath: () => path,
    preventDefault() { this.defaultPrevented = true; },
    stopPropagation() { stopped = true; },
    ...fields,
  };
  if ("clientX" in fields) event.clientX += CORNER.left;
  if ("clientY" in fields) event.clientY += CORNER.top;
  for (const node of path.toReversed()) if (!stopped) node.hear(event, true);
  const alone = ["pointerleave", "focus", "blur"].includes(type); // these do not bubble
  for (const node of alone ? [element] : path) if (!stopped) node.hear(event);
  return { event, stopped };
}

/** Press a key on an element. */
export const press = (element, key, fields = {}) => use(element, "keydown", { key, ...fields });

/** Put a new element on the page. */
export function placed(tag = "div") {
  const created = new Element(tag);
  document.body.append(created);
  return created;
}

const page = new Element("document");
page.body = new Element("body");
page.documentElement = new Element("html");
page.createElement = (tag) => new Element(tag);
page.createElementNS = (_, tag) => new Element(tag);
page.importNode = (node) => node;
page.activeElement = page.body;
page.styleSheets = [];

const view = new Element("window");
view.devicePixelRatio = 1;
view.innerHeight = 720;
view.navigation = new Element("navigation");
view.matchMedia = (query) => ({ matches: query.includes("reduced-motion"), addEventListener() {} });

Object.assign(globalThis, {
  Option: function Option(text) { return Object.assign(new Element("option"), { textContent: text }); },
  location: { pathname: "/", search: "?data=iris" }, // no first visit
  Element,
  document: page,
  window: view,
  ResizeObserver: class { observe() {} },
  DOMParser: class { parseFromString(text) { return { documentElement: parsed(text.replace(/<[?!][^>]*>/g, "").trim())[0] }; } },
  XMLSerializer: class { serializeToString(node) { return serialized(node); } },
  getComputedStyle: () => ({ fontFamily: "Sans", getPropertyValue: () => "" }),
  requestAnimationFrame: (act) => act(),
});
