// Bursts: the server's messages of one run are handed to the page together, since Streamlit redraws the
// whole page for nearly every message. This module is part of the page's document, before Streamlit's script.
//
// A burst may hold the start of two runs; Streamlit looks at the page it shows as each starts. That is
// right as long as no partial run of a page follows a run of another page: see dtviz/app/server.py.
//
// Glossary
//   burst   the messages of one run, or those of MAX_MS_WAITED
//   last    a message after which a burst waits at most MS_AFTER_LAST

const MAX_MS_WAITED = 100; // of a message
const MS_AFTER_LAST = 10; // in which more messages about the end of a run may follow
const FINISHED = 6; // field of Streamlit's ForwardMsg: a run has ended
const EARLY = 2; // value of that field: another run starts at once
const ANSWERS = new Set([19, 26, 27]); // fields of answers outside runs: addresses of uploads, pings, downloads

/** Message that a burst hands on, so that the burst does not collect it again. */
class BurstMessage extends MessageEvent {}

/** Make every socket that is opened from now on hand on its messages in bursts.
 *  @param {{ WebSocket: typeof WebSocket }} scope */
export function hearInBursts(scope) {
  const Socket = scope.WebSocket;
  scope.WebSocket = class extends Socket {
    #burst = new Burst((data) => this.dispatchEvent(new BurstMessage("message", { data })));

    /** @param {ConstructorParameters<typeof WebSocket>} address */
    constructor(...address) {
      super(...address);
      this.addEventListener("message", (event) => {
        if (event instanceof BurstMessage) return;
        event.stopImmediatePropagation();
        this.#burst.add(event.data);
      });
      for (const type of ["error", "close"]) this.addEventListener(type, () => this.#burst.flush());
    }

    /** @override @param {Parameters<WebSocket["close"]>} why */
    close(...why) {
      this.#burst.flush();
      super.close(...why);
    }
  };
}

class Burst {
  /** @param {(data: unknown) => void} dispatch */
  constructor(dispatch) {
    this.dispatch = dispatch;
    this.messages = /** @type {unknown[]} */ ([]);
    this.startTime = 0;
    this.hasLast = false;
    this.timer = 0;
  }

  /** @param {unknown} data */
  add(data) {
    const now = performance.now();
    if (!this.messages.length) this.startTime = now;
    this.messages.push(data);
    this.hasLast ||= isLast(data);
    const msLeft = this.startTime + MAX_MS_WAITED - now;
    clearTimeout(this.timer);
    if (msLeft > 0) this.timer = setTimeout(() => this.flush(), this.hasLast ? Math.min(MS_AFTER_LAST, msLeft) : msLeft);
    else this.flush();
  }

  flush() {
    const { messages } = this;
    clearTimeout(this.timer);
    this.messages = [];
    this.hasLast = false;
    for (const data of messages) this.dispatch(data);
  }
}

/** True if a message says that a run has ended, or if it belongs to no run. Reads the fields of a protocol
 *  buffer: each is a tag and a number, which may be the number of bytes that follow.
 *  @param {unknown} data */
export function isLast(data) {
  if (!(data instanceof ArrayBuffer)) return false;
  const bytes = new Uint8Array(data);
  let offset = 0;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0, more = true; more; shift += 7, offset += 1) {
      const byte = bytes[offset] ?? 0;
      value |= (byte & 127) << shift;
      more = byte > 127;
    }
    return value >>> 0;
  };
  while (offset < bytes.length) {
    const tag = readNumber();
    if (tag & 5) return false; // a wire type that ForwardMsg does not use
    const [field, value] = [tag >>> 3, readNumber()];
    if (field === FINISHED) return value !== EARLY;
    if (ANSWERS.has(field)) return true;
    if (tag & 2) offset += value;
  }
  return false;
}
