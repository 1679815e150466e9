// A host of the instrument without Streamlit. Each component has an instrument, a channel and a shadow root of its own;
// one of them may follow the address bar. A request is answered with the letter of a page and the address of its screen.

import { Channel } from "./frontend/lib/channel.js";
import { feed, mount } from "./frontend/lib/pictures.js";

/** @typedef {{ pathname: string, search: string }} Address */

export class Component {
  /** @param {HTMLElement} element @param {Address} address  that it opens */
  constructor(element, address) {
    this.element = element;
    this.address = { pathname: address.pathname, search: address.search };
    this.isArriving = true; // no change was made at the address yet
    this.root = element.attachShadow({ mode: "open" });
    this.channel = new Channel();
    this.tab = ""; // name of the instrument on the server
    this.page = ""; // that is drawn
    this.requests = 0; // that wait for an answer
    this.turn = this.addStyle();
    this.shell = { isConnected: () => element.isConnected, busy: () => this.requests > 0, post: (message) => { this.ask({ message }); } };
    this.open(address);
  }

  /** Add the style sheet; a picture measures itself, so none is drawn before that has come. */
  addStyle() {
    const [style, problem] = [document.createElement("link"), document.createElement("p")];
    Object.assign(style, { rel: "stylesheet", href: "/frontend/view.css" });
    problem.setAttribute("role", "alert");
    this.root.append(style, problem);
    return new Promise((resolve) => { style.onload = resolve; });
  }

  /** Open an address: of another page, or of this one.
   *  @param {Address} address */
  open({ pathname, search }) {
    this.ask({ page: pathname.slice(1) || "grow", search });
  }

  /** Send a request once those before are answered, and show the answer. */
  ask(request) {
    this.requests += 1;
    const { address } = this; // another one by the time of the answer: the person went elsewhere
    this.turn = this.turn.then(async () => {
      const body = JSON.stringify({ tab: this.tab, page: this.page, search: this.address.search, ...request });
      const answer = await (await fetch("/did", { method: "POST", body })).json();
      this.requests -= 1;
      this.show(answer);
      if (address !== this.address) return;
      this.onAddress?.(answer);
      this.isArriving = false;
    });
  }

  /** Show the letter of a page, or why there is none. */
  show({ tab, page, letter, problem }) {
    this.tab = tab;
    const paragraph = this.root.querySelector("p");
    if (paragraph.textContent !== problem) paragraph.textContent = problem;
    const bytes = Uint8Array.from(atob(letter), (character) => character.charCodeAt(0));
    if (page === this.page && this.host && letter) feed(this.host, bytes);
    else {
      this.part?.remove();
      this.part = document.createElement("div");
      this.part.style.height = "100%";
      this.root.append(this.part);
      this.host = letter && mount(this.part, this.channel, this.shell, bytes);
    }
    this.page = page;
  }
}

/** Keep the address bar in step with a component: links, Back and Forward open an address; a change is an entry of the history.
 *  @param {Component} component */
export function followAddress(component) {
  const go = (isBack) => {
    const isSamePage = location.pathname === component.address.pathname;
    component.address = { pathname: location.pathname, search: location.search };
    component.isArriving = true;
    if (isBack && isSamePage && component.channel.hasPictures()) component.channel.send("address", { what: "went", search: location.search });
    else {
      if (!isBack) component.channel.flush();
      component.channel.changePage(isBack);
      component.open(location);
    }
  };
  component.onAddress = ({ page, search }) => {
    const isSamePage = page === (location.pathname.slice(1) || "grow");
    if (isSamePage && search === location.search) return;
    history[component.isArriving ? "replaceState" : "pushState"](null, "", (isSamePage ? location.pathname : `/${page}`) + search);
    component.address.pathname = location.pathname;
    component.address.search = location.search;
  };
  window.addEventListener("popstate", () => go(true));
  document.addEventListener("click", (event) => {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (!link || link.origin !== location.origin || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    go(false);
  });
}
