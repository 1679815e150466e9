// Notices at the foot of the page, above all that Streamlit draws: the server is away or silent, or the
// text of a `notice` event of another module (see link.js). This module is part of the page's document
// and imports nothing, so that it runs before any other file has arrived.
//
// Streamlit posts messages to the window around its frame, or to its own window without a frame: the
// socket was opened or closed, the state of a run has changed, an error is to be shown.
//
// Glossary
//   signal   a message of Streamlit's that the server caused: the server is alive
//   health   an address that the server answers at once, however busy it is

const MS_AWAY_UNTOLD = 2500; // without a socket, before a notice says so
const MS_UNTIL_CHECKED = 4000; // without a signal after an input, before the health is asked for
const MAX_MS_OF_CHECK = 3000; // for the answer about the health
const MS_UNTIL_DRAWN = 3000; // after a run, in which a page draws its pictures
const HEALTH = "_stcore/health";

const AWAY = "The server is away: it was stopped, or the network on the way to it is cut. This page goes on by itself when the server is back.";
const FOREVER = "The server has closed the connection to this page. Reload the page to go on.";
const SILENT = "The server does not answer: it is very busy, or the network on the way to it is cut. This page goes on by itself when the server answers.";
const CLOSE = "Close this notice";

const STYLE = `
  .dtviz-notices { position: fixed; inset: auto 0 0; z-index: 1000000; padding: 0 1rem; pointer-events: none }
  .dtviz-notices p { pointer-events: auto; display: flex; gap: .75rem; align-items: start; width: fit-content;
    max-width: min(44rem, 100%); box-sizing: border-box; margin: 0 auto .75rem; padding: .6rem .75rem .6rem 1rem;
    font: 15px/1.4 "Source Sans", sans-serif; color: #fff; background: #2b313c; border: 1px solid #8d96a5;
    border-radius: .375rem; box-shadow: 0 2px 12px #0006 }
  .dtviz-notices button { flex: none; width: 1.75rem; height: 1.75rem; margin: -.2rem 0; padding: 0; font: inherit;
    font-size: 1.25rem; line-height: 1; color: inherit; background: none; border: 0; border-radius: .375rem; cursor: pointer }
  .dtviz-notices button:is(:hover, :focus-visible) { background: #fff3 }
  @media print { .dtviz-notices { display: none } }
`;

/** Watch the server at an address, and show the notices of other modules.
 *  @param {string | URL} server */
export function watch(server) {
  const notices = new Notices();
  const connection = new Connection(notices, () => answers(new URL(HEALTH, server)));
  window.addEventListener("message", ({ source, data }) => {
    if (source !== window || data?.stCommVersion !== 1) return;
    connection.receive(data);
    if (data.scriptRunState === "notRunning") setTimeout(removeFirstPaint, MS_UNTIL_DRAWN);
  });
  for (const act of ["pointerup", "keyup"]) window.addEventListener(act, () => connection.expect(), true);
  window.addEventListener("dtviz:notice", (event) => {
    const { name, text } = /** @type {CustomEvent<{ name: string, text: string }>} */ (event).detail;
    notices.show(name, text);
  });
}

/** Remove what the document shows before its scripts run, also from a page without a picture. */
const removeFirstPaint = () => document.querySelector(".dtviz-first")?.remove();

/** True if the server answers at an address in time.
 *  @param {URL} address */
const answers = (address) => fetch(address, { cache: "no-store", signal: AbortSignal.timeout(MAX_MS_OF_CHECK) })
  .then(({ ok }) => ok, () => false);

class Notices {
  constructor() {
    this.elements = /** @type {Map<string, HTMLElement>} */ (new Map());
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.root = document.createElement("div");
    this.root.className = "dtviz-notices";
    this.root.setAttribute("role", "status");
    document.body.append(style, this.root);
  }

  /** Show a text under a name, instead of the last text of that name.
   *  @param {string} name @param {string} text */
  show(name, text) {
    if (this.elements.get(name)?.firstChild?.textContent === text) return;
    this.hide(name);
    const [notice, message, close] = ["p", "span", "button"].map((tag) => document.createElement(tag));
    message.textContent = text;
    close.textContent = "×";
    close.setAttribute("aria-label", CLOSE);
    close.addEventListener("click", () => this.hide(name));
    notice.append(message, close);
    this.root.append(notice);
    this.elements.set(name, notice);
  }

  /** @param {string} name */
  hide(name) {
    this.elements.get(name)?.remove();
    this.elements.delete(name);
  }
}

/** Connection of the page to its server, judged by Streamlit's messages and by the health. */
export class Connection {
  /** @param {Pick<Notices, "show" | "hide">} notices @param {() => Promise<boolean>} health */
  constructor(notices, health) {
    this.notices = notices;
    this.health = health;
    this.isOpen = true;
    this.isFinal = false;
    this.isRunning = false;
    this.timer = 0;
  }

  /** Read a message of Streamlit's.
   *  @param {{ type: string, scriptRunState?: string, attemptingToReconnect?: boolean, error?: string, message?: string }} data */
  receive({ type, scriptRunState, attemptingToReconnect, error = "", message = "" }) {
    if (type === "WEBSOCKET_CONNECTED") this.answered();
    else if (type === "WEBSOCKET_DISCONNECTED") {
      this.isFinal = attemptingToReconnect === false;
      this.expectOpen(MS_AWAY_UNTOLD);
    } else if (type === "SCRIPT_RUN_STATE_CHANGED") {
      this.isRunning = scriptRunState === "running";
      if (this.isOpen) this.answered();
      if (this.isRunning) this.expect();
    } else if (type === "CLIENT_ERROR_DIALOG") {
      if (error === "Connection error") this.expectOpen(0);
      else this.notices.show("error", `${error}: ${message}`);
    }
  }

  /** Note a signal: no notice is shown, and no check is needed. */
  answered() {
    clearTimeout(this.timer);
    this.isOpen = true;
    this.timer = 0;
    this.notices.hide("server");
  }

  /** Note that there is no connection; a notice says so in `wait` ms.
   *  @param {number} wait */
  expectOpen(wait) {
    clearTimeout(this.timer);
    this.isOpen = false;
    this.timer = setTimeout(() => this.notices.show("server", this.isFinal ? FOREVER : AWAY), wait);
  }

  /** Expect a signal, after an input or during a run: check the health unless one comes soon. */
  expect() {
    if (this.isOpen && !this.timer) this.timer = setTimeout(() => this.checkHealth(), MS_UNTIL_CHECKED);
  }

  /** Check the health of the server, repeatedly while it does not answer or a run goes on. */
  async checkHealth() {
    const { timer } = this;
    const isHealthy = await this.health();
    if (timer !== this.timer) return; // a signal came meanwhile
    if (isHealthy) this.answered();
    else this.notices.show("server", SILENT);
    if (this.isRunning || !isHealthy) this.timer = setTimeout(() => this.checkHealth(), MS_UNTIL_CHECKED);
  }
}
