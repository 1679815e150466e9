// What the server says of one run is heard at once: Streamlit draws the whole page anew for nearly
// every message by itself. Stands in the document of a page, before Streamlit's own script.
//
// Glossary
//   burst   the messages of one run, or of MOST ms of it
//   ended   whether the burst tells that the run has ended

const MOST = 100; // ms that a message waits
const REST = 10; // ms in which the last messages follow after the end of a run
const FINISHED = 6; // script_finished, of the fields of Streamlit's ForwardMsg
const SHORT = 256; // bytes: a message that tells only this has less

/** What a burst tells the page again. */
class Told extends MessageEvent {}

/** Have every socket that is opened from now on tell what it hears in bursts.
 *  @param {{ WebSocket: typeof WebSocket }} scope */
export function hearInBursts(scope) {
  const Socket = scope.WebSocket;
  scope.WebSocket = class extends Socket {
    /** @param {ConstructorParameters<typeof WebSocket>} asked */
    constructor(...asked) {
      super(...asked);
      const burst = new Burst((data) => this.dispatchEvent(new Told("message", { data })));
      this.addEventListener("message", (event) => {
        if (event instanceof Told) return;
        event.stopImmediatePropagation();
        burst.add(event.data);
      });
      this.addEventListener("close", () => burst.end());
    }
  };
}

class Burst {
  /** @param {(data: unknown) => void} tell */
  constructor(tell) {
    this.tell = tell;
    this.held = /** @type {unknown[]} */ ([]);
    this.first = 0;
    this.ended = false;
    this.timer = 0;
  }

  /** @param {unknown} data */
  add(data) {
    const now = performance.now();
    if (!this.held.length) this.first = now;
    this.held.push(data);
    this.ended ||= ends(data);
    const left = this.first + MOST - now;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), this.ended ? Math.min(REST, left) : left);
  }

  end() {
    const { held } = this;
    clearTimeout(this.timer);
    this.held = [];
    this.ended = false;
    for (const data of held) this.tell(data);
  }
}

/** Whether a message tells that a run has ended.
 *  @param {unknown} data */
export function ends(data) {
  return data instanceof ArrayBuffer && data.byteLength < SHORT && fields(new Uint8Array(data)).includes(FINISHED);
}

/** The numbers of the fields of a short message, up to one that is neither a whole number nor bytes.
 *  @param {Uint8Array} bytes */
function fields(bytes) {
  const found = [];
  let at = 0;
  const whole = () => {
    let value = 0;
    for (let shift = 0, more = true; more; shift += 7, at += 1) {
      value |= ((bytes[at] ?? 0) & 127) << shift;
      more = (bytes[at] ?? 0) > 127;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = whole();
    found.push(tag >> 3);
    if (tag & 5) break;
    const value = whole(); // or how many bytes it has
    if (tag & 2) at += value;
  }
  return found;
}
