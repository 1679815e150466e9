// What the server says of one run is told to the page at once: Streamlit draws the whole page anew for
// nearly every message by itself. Stands in the document of a page, before Streamlit's own script.
//
// A burst may hold the begin of two runs; Streamlit looks at the page it shows as each begins. That is
// right as long as no run of a page's parts follows that of another page: see dtviz/app/server.py.
//
// Glossary
//   burst   the messages of one run, or of MOST ms of it
//   last    a message after which a burst waits no more than REST ms

const MOST = 100; // ms that a message waits
const REST = 10; // ms after the last message of a run, in which what belongs to its end follows
const FINISHED = 6; // of the fields of Streamlit's ForwardMsg: a run has ended
const EARLY = 2; // so that another begins at once
const ANSWERS = new Set([19, 26, 27]); // what is asked for beside runs: where files go, a sign of life, a download

/** A message as a burst tells it. */
class Told extends MessageEvent {}

/** Have every socket that is opened from now on tell what it hears in bursts.
 *  @param {{ WebSocket: typeof WebSocket }} scope */
export function hearInBursts(scope) {
  const Socket = scope.WebSocket;
  scope.WebSocket = class extends Socket {
    #burst = new Burst((data) => this.dispatchEvent(new Told("message", { data })));

    /** @param {ConstructorParameters<typeof WebSocket>} address */
    constructor(...address) {
      super(...address);
      this.addEventListener("message", (event) => {
        if (event instanceof Told) return;
        event.stopImmediatePropagation();
        this.#burst.add(event.data);
      });
      for (const end of ["error", "close"]) this.addEventListener(end, () => this.#burst.end());
    }

    /** @override @param {Parameters<WebSocket["close"]>} why */
    close(...why) {
      this.#burst.end();
      super.close(...why);
    }
  };
}

class Burst {
  /** @param {(data: unknown) => void} tell */
  constructor(tell) {
    this.tell = tell;
    this.held = /** @type {unknown[]} */ ([]);
    this.first = 0;
    this.hasLast = false;
    this.timer = 0;
  }

  /** @param {unknown} data */
  add(data) {
    const now = performance.now();
    if (!this.held.length) this.first = now;
    this.held.push(data);
    this.hasLast ||= isLast(data);
    const left = this.first + MOST - now;
    clearTimeout(this.timer);
    if (left > 0) this.timer = setTimeout(() => this.end(), this.hasLast ? Math.min(REST, left) : left);
    else this.end();
  }

  end() {
    const { held } = this;
    clearTimeout(this.timer);
    this.held = [];
    this.hasLast = false;
    for (const data of held) this.tell(data);
  }
}

/** Whether a message tells that a run has ended, or is no part of one: its fields are walked through,
 *  each a tag and a number, which may be that of the bytes that follow.
 *  @param {unknown} data */
export function isLast(data) {
  if (!(data instanceof ArrayBuffer)) return false;
  const bytes = new Uint8Array(data);
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0, more = true; more; shift += 7, at += 1) {
      const byte = bytes[at] ?? 0;
      value |= (byte & 127) << shift;
      more = byte > 127;
    }
    return value >>> 0;
  };
  while (at < bytes.length) {
    const tag = number();
    if (tag & 5) return false; // of another kind: ours has none
    const [field, value] = [tag >>> 3, number()];
    if (field === FINISHED) return value !== EARLY;
    if (ANSWERS.has(field)) return true;
    if (tag & 2) at += value;
  }
  return false;
}
