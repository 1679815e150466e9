// Page with the part of the DOM that the modules need.
//
// Importing this module sets `document`, `window` and other globals of a browser. `use` sends an event as a browser
// does: down to the element to the listeners that capture, then up from it to the others, until one stops it.

import { recorder } from "./pen.js";

const CORNER = { left: 20, top: 10 }; // of every element in the window

class Classes {
  constructor(element) { this.element = element; }
  get all() { return this.element.className.split(/\s+/).filter(Boolean); }
  contains(name) { return this.all.includes(name); }
  add(name) { this.toggle(name, true); }
  remove(name) { this.toggle(name, false); }
  toggle(name, on = !this.contains(name)) {
    this.element.className = [...this.all.filter((other) => other !== name), ...(on ? [name] : [])].join(" ");
    return on;
  }
}

class Node {
  parentElement = null;
  get parentNode() { return this.parentElement; }
  remove() {
    const siblings = this.parentElement?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
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

  get children() { return this.childNodes.filter((node) => node instanceof Element); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get childElementCount() { return this.children.length; }
  get classList() { return new Classes(this); }
  get isConnected() { return this === document.body || Boolean(this.parentElement?.isConnected); }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
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

  #adopt(nodesOrTexts) {
    return nodesOrTexts.map((item) => {
      const node = item instanceof Node ? item : new Text(String(item));
      node.remove();
      node.parentElement = this;
      return node;
    });
  }

  append(...nodes) { this.childNodes.push(...this.#adopt(nodes)); }
  prepend(...nodes) { this.childNodes.unshift(...this.#adopt(nodes)); }
  appendChild(node) {
    this.append(node);
    return node;
  }
  replaceChildren(...nodes) {
    for (const node of [...this.childNodes]) node.remove();
    this.append(...nodes);
  }
  replaceWith(...nodes) {
    const parent = this.parentElement;
    const index = parent.childNodes.indexOf(this);
    this.remove();
    parent.childNodes.splice(index, 0, ...parent.#adopt(nodes));
  }
  cloneNode() { return parsed(serialized(this))[0]; }

  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
  }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  removeAttribute(name) { this.#attributes.delete(name); }

  contains(node) {
    for (let ancestor = node; ancestor; ancestor = ancestor.parentElement) if (ancestor === this) return true;
    return false;
  }
  matches(selectors) { return selectors.split(",").some((selector) => isMatch(this, selector.trim())); }
  closest(selectors) {
    for (let element = this; element; element = element.parentElement) if (element.matches(selectors)) return element;
    return null;
  }
  querySelectorAll(selectors) {
    const descendants = (element) => element.children.flatMap((child) => [child, ...descendants(child)]);
    return descendants(this).filter((element) => element.matches(selectors));
  }
  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }

  addEventListener(type, listener, options = {}) {
    const { once = false, capture = options === true } = options;
    this.#listeners.push({ type, listener, once, capture });
  }
  removeEventListener(type, listener) {
    this.#listeners = this.#listeners.filter((entry) => entry.type !== type || entry.listener !== listener);
  }
  hear(event, isCapture = false) {
    if (!isCapture) this[`on${event.type}`]?.(event);
    const matching = this.#listeners.filter(({ type, capture }) => type === event.type && capture === isCapture);
    for (const { type, listener, once } of matching) {
      if (once) this.removeEventListener(type, listener);
      listener(event);
    }
  }
  click() { use(this, "click"); }
  focus() {
    document.activeElement = this;
    use(this, "focus");
  }
  setPointerCapture() {}
  hasPointerCapture() { return true; }
  getRootNode() { return document; }
  getBoundingClientRect() {
    return { ...CORNER, width: this.clientWidth, height: this.clientHeight };
  }
  getContext() { return (this.pen ??= recorder(this)); }
}

/** True if an element matches `tag`, `.name`, `[key]`, `[key=value]`, `:not(...)`, a path of `>`. */
function isMatch(element, selector) {
  if (!matchers.has(selector)) matchers.set(selector, matcherOf(selector));
  return matchers.get(selector)(element);
}

const matchers = new Map(); // most selectors are used again and again

/** Function that decides whether an element matches a selector. */
function matcherOf(selector) {
  const [, ancestor, last] = /^(?:(.*?)\s*>?\s+)?(\S+)$/.exec(selector);
  const parts = last.match(/:not\([^)]*\)|[.:#]?[\w-]+|\[[^\]]*\]|\*/g).map(partMatcherOf);
  const ancestorSelector = ancestor?.replace(/\s*>$/, "");
  return (element) => parts.every((matcher) => matcher(element)) && (!ancestorSelector || Boolean(element.parentElement?.closest(ancestorSelector)));
}

/** Function that decides whether an element matches one part of a selector. */
function partMatcherOf(part) {
  if (part === "*") return () => true;
  if (part.startsWith(":not")) return (element) => !isMatch(element, part.slice(5, -1));
  if (part === ":focus-visible") return (element) => document.activeElement === element;
  if (part[0] === ".") return (element) => element.classList.contains(part.slice(1));
  const [, key, value] = /^\[([\w-]+)(?:=([^\]]*))?\]$/.exec(part) ?? [];
  if (!key) return (element) => element.localName === part;
  return (element) => (value === undefined ? element.getAttribute(key) !== null : element.getAttribute(key) === value);
}

/** Nodes of well-formed markup. */
function parsed(text) {
  const top = new Element("top");
  let parent = top;
  for (const [, close, tag, attributes, empty, content] of text.matchAll(/<(\/?)([\w:-]+)([^>]*?)(\/?)>|([^<]+)/g)) {
    if (content !== undefined) parent.append(unescaped(content));
    else if (close) parent = parent.parentElement;
    else {
      const element = new Element(tag);
      for (const [, name, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) element.setAttribute(name, unescaped(value));
      parent.append(element);
      if (!empty) parent = element;
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

/** Sends an event to an element; the event, and true if a listener stopped it. `clientX` and `clientY` are measured
 *  from the corner of the element. */
export function use(element, type, properties = {}) {
  const path = [];
  for (let target = element; target; target = target.parentElement) path.push(target);
  if (path.at(-1) === document.body) path.push(document);
  path.push(window);
  let stopped = false;
  const event = {
    type, target: element, button: 0, pointerId: 1, pointerType: "mouse", defaultPrevented: false,
    composedPath: () => path,
    preventDefault() { this.defaultPrevented = true; },
    stopPropagation() { stopped = true; },
    ...properties,
  };
  if ("clientX" in properties) event.clientX += CORNER.left;
  if ("clientY" in properties) event.clientY += CORNER.top;
  for (const target of path.toReversed()) if (!stopped) target.hear(event, true);
  const isTargetOnly = ["pointerleave", "focus", "blur"].includes(type); // these do not bubble
  for (const target of isTargetOnly ? [element] : path) if (!stopped) target.hear(event);
  return { event, stopped };
}

/** Presses a key on an element. */
export const press = (element, key, properties = {}) => use(element, "keydown", { key, ...properties });

/** Adds an element to the page. */
export function placed(tag = "div") {
  const element = new Element(tag);
  document.body.append(element);
  return element;
}

const page = new Element("document");
page.body = new Element("body");
page.documentElement = new Element("html");
page.createElement = (tag) => new Element(tag);
page.createElementNS = (_, tag) => new Element(tag);
page.importNode = (node) => node;
page.activeElement = page.body;

const view = new Element("window");
view.dispatchEvent = (event) => view.hear(event);
view.devicePixelRatio = 1;
view.navigation = new Element("navigation");
view.matchMedia = () => ({ matches: true });

Object.assign(globalThis, {
  location: { pathname: "/", search: "?data=iris" }, // no first visit
  Element,
  document: page,
  window: view,
  ResizeObserver: class { observe() {} },
  DOMParser: class { parseFromString(text) { return { documentElement: parsed(text.replace(/<[?!][^>]*>/g, "").trim())[0] }; } },
  XMLSerializer: class { serializeToString(node) { return serialized(node); } },
  getComputedStyle: () => ({ fontFamily: "Sans", getPropertyValue: () => "" }),
  requestAnimationFrame: (callback) => callback(),
});
