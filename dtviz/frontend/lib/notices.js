// Notices at the foot of the page, above all that Streamlit draws: the server is away or silent, or
// what another module says by `notice` (see link.js). Stands in the document of a page and imports
// nothing, so that it is there before anything else has come.
//
// Streamlit posts to the window around it (without a frame: to its own) that its socket was opened
// or closed, that the state of a run has changed, and what error it would show.
//
// Glossary
//   signal   a message of Streamlit's that the server caused: the server was there
//   health   an address that the server answers at once, whatever else it has to do

const BRIEF = 2500; // ms without a socket that nobody needs to know of
const SILENCE = 4000; // ms without a signal after something was done, before the health is asked for
const PATIENCE = 3000; // ms that the health may take
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

/** Watch the server at that address, and hear the notices of other modules.
 *  @param {string | URL} server */
export function watch(server) {
  const notices = new Notices();
  const connection = new Connection(notices, () => answers(new URL(HEALTH, server)));
  window.addEventListener("message", ({ source, data }) => {
    if (source === window && data?.stCommVersion === 1) connection.hear(data);
  });
  for (const act of ["pointerup", "keyup"]) window.addEventListener(act, () => connection.expect(), true);
  window.addEventListener("dtviz:notice", (event) => {
    const { name, text } = /** @type {CustomEvent<{ name: string, text: string }>} */ (event).detail;
    notices.show(name, text);
  });
}

/** Whether the server answers at an address in time.
 *  @param {URL} address */
const answers = (address) => fetch(address, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })
  .then(({ ok }) => ok, () => false);

class Notices {
  constructor() {
    this.shown = /** @type {Map<string, HTMLElement>} */ (new Map());
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.root = document.createElement("div");
    this.root.className = "dtviz-notices";
    this.root.setAttribute("role", "status");
    document.body.append(style, this.root);
  }

  /** Show a text under a name, in the place of the one before.
   *  @param {string} name @param {string} text */
  show(name, text) {
    if (this.shown.get(name)?.firstChild?.textContent === text) return;
    this.hide(name);
    const [notice, words, close] = ["p", "span", "button"].map((tag) => document.createElement(tag));
    words.textContent = text;
    close.textContent = "×";
    close.setAttribute("aria-label", CLOSE);
    close.addEventListener("click", () => this.hide(name));
    notice.append(words, close);
    this.root.append(notice);
    this.shown.set(name, notice);
  }

  /** @param {string} name */
  hide(name) {
    this.shown.get(name)?.remove();
    this.shown.delete(name);
  }
}

/** The connection of the page to its server, as far as Streamlit's messages and the health tell. */
export class Connection {
  /** @param {Pick<Notices, "show" | "hide">} notices @param {() => Promise<boolean>} health */
  constructor(notices, health) {
    this.notices = notices;
    this.health = health;
    this.open = true;
    this.ended = false;
    this.runs = false;
    this.timer = 0;
  }

  /** A message of Streamlit's.
   *  @param {{ type: string, scriptRunState?: string, attemptingToReconnect?: boolean, error?: string, message?: string }} data */
  hear({ type, scriptRunState, attemptingToReconnect, error = "", message = "" }) {
    if (type === "WEBSOCKET_CONNECTED") this.answered();
    else if (type === "WEBSOCKET_DISCONNECTED") {
      this.ended = attemptingToReconnect === false;
      this.closed(BRIEF);
    } else if (type === "SCRIPT_RUN_STATE_CHANGED") {
      this.runs = scriptRunState === "running";
      if (this.open) this.answered();
      if (this.runs) this.expect();
    } else if (type === "CLIENT_ERROR_DIALOG") {
      if (error === "Connection error") this.closed(0);
      else this.notices.show("error", `${error}: ${message}`);
    }
  }

  /** The server was there: nothing is said of it, and nothing more expected. */
  answered() {
    clearTimeout(this.timer);
    this.open = true;
    this.timer = 0;
    this.notices.hide("server");
  }

  /** There is no connection; that is told in `wait` ms.
   *  @param {number} wait */
  closed(wait) {
    clearTimeout(this.timer);
    this.open = false;
    this.timer = setTimeout(() => this.notices.show("server", this.ended ? FOREVER : AWAY), wait);
  }

  /** Something was done, or a run goes on: look after the server unless there is a signal soon. */
  expect() {
    if (this.open && !this.timer) this.timer = setTimeout(() => this.look(), SILENCE);
  }

  /** Ask for the health; again, as long as there is no answer, or a run goes on. */
  async look() {
    const { timer } = this;
    const well = await this.health();
    if (timer !== this.timer) return; // a signal came meanwhile
    if (well) this.answered();
    else this.notices.show("server", SILENT);
    if (this.runs || !well) this.timer = setTimeout(() => this.look(), SILENCE);
  }
}
