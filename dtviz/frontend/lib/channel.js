// Events on their way to Python, each done once and in order: the only optimistic protocol.
//
// Every event has a number, and goes out again, with all others that no frame has acknowledged,
// until one does. dtviz/session/channel.py is the other end.
//
// Glossary
//   shell    what carries messages: there(), busy(), post(message); one for every picture on the page
//   unheard  the events that no frame has acknowledged
//   gone     where Back led last, until it is told
//   host     what one picture knows of all this: send, onFrame, colour, busy; and what is pending
//   way      the shell that brings all that an event changes, where there is one: it is told there
//   backs    how many times Back led to another page: a picture that it took away sends no more
//   pending  the events of a picture that its own last frame has not heard: it may show them already

import { Letters } from "./frame_cache.js";

const AGAIN = 5000; // ms without an answer until the events are sent once more
const SOON = 1000; // ms after which a run that the browser asked for has begun
const AT_ONCE = 200;

/** @import { Frame } from "../frames.d.ts" */
/** @import { Act, Message, Sent } from "../types.d.ts" */

/**
 * @typedef {object} Shell
 * @property {() => boolean} there  whether its element is on the page
 * @property {() => boolean} busy
 * @property {(message: Message) => void} post
 */

export class Channel {
  constructor() {
    this.n = 0;
    this.letters = new Letters();
    this.unheard = /** @type {Sent[]} */ ([]);
    this.gone = /** @type {Sent | null} */ (null);
    this.hosts = /** @type {Host[]} */ ([]);
    this.way = /** @type {Shell | null} */ (null);
    this.heard = 0;
    this.timer = 0;
    this.until = 0;
    this.backs = 0;
  }

  /** Send an event, with those before it, in `wait` ms; its number.
   *  @param {string} picture @param {Act} event @param {number} [wait] @param {string} [data] */
  did(picture, event, wait = 0, data) {
    this.note(picture, event, data);
    if (wait) this.until = Date.now() + wait;
    this.tell(Math.max(0, this.until - Date.now()));
    return this.n;
  }

  /** Have an event told with the next one; its number.
   *  @param {string} picture @param {Act} event @param {string} [data] the mark of the data it is meant for */
  note(picture, event, data) {
    this.n += 1;
    this.queue({ n: this.n, picture, event, ...(data && { data }) });
    return this.n;
  }

  /** A frame has come in which all up to this number is done.
   *  @param {number} heard */
  hear(heard) {
    this.n = Math.max(this.n, heard);
    this.heard = Math.max(this.heard, heard);
    this.unheard = this.unheard.filter(({ n }) => n > heard);
    if (!this.unheard.length) clearTimeout(this.timer);
  }

  /** Back or Forward led to an address; Python reads it in the run that the browser asks for, unless
   *  that is one with something done before. So it is told before what is done next; and if Python
   *  has gone on from elsewhere, so that we are not `still` there, by itself.
   *  @param {string} search @param {() => boolean} still */
  went(search, still) {
    this.n += 1;
    const gone = { n: this.n, picture: "address", event: /** @type {const} */ ({ what: "went", search }) };
    this.gone = gone;
    const look = () => {
      if (this.gone !== gone) return;
      if (this.shell?.busy()) setTimeout(look, SOON);
      else if (!still()) {
        this.queue();
        this.tell(0);
      }
    };
    setTimeout(look, SOON);
  }

  /** The page is another: its run tells enough, and what was told the way of the last one is not.
   *  What was done there and not heard is told soon, by the pictures that stay; not where Back led
   *  away from it, to a page as it once was.
   *  @param {boolean} back */
  leave(back) {
    this.gone = this.way = null;
    this.unheard = this.unheard.filter(({ picture }) => !back && picture !== "address");
    if (back) this.backs += 1;
    this.tell(SOON);
  }

  /** @param {Sent[]} events */
  queue(...events) {
    if (this.gone) this.unheard.push(this.gone);
    this.gone = null;
    this.unheard.push(...events);
  }

  /** Wait no longer: the hand leaves the picture, perhaps for a button that leaves the page. */
  hurry() {
    if (this.until > Date.now()) this.tell(this.until = 0);
  }

  /** Whether any picture is on the page. */
  there() {
    this.hosts = this.hosts.filter(({ shell }) => shell.there());
    return this.hosts.length > 0;
  }

  /** The shell that carries messages. */
  get shell() {
    return this.way?.there() ? this.way : this.hosts.at(-1)?.shell;
  }

  /** Hand frames on to the pictures of their kinds, in which all that was heard is done.
   *  @param {Frame[]} frames */
  show(frames) {
    if (!this.there()) return;
    for (const frame of frames) this.hosts.findLast((host) => host.frame.kind === frame.kind)?.take(frame, this.heard);
  }

  /** @param {number} wait */
  tell(wait) {
    clearTimeout(this.timer);
    if (!this.unheard.length) return;
    if (!wait && this.there()) this.shell?.post(this.message());
    this.timer = wait
      ? setTimeout(() => this.tell(0), wait)
      : setTimeout(() => this.again(), AGAIN);
  }

  /** What is not acknowledged, and the frames that the answer may build on. */
  message() {
    const { held } = this.letters;
    return { events: this.unheard.slice(0, AT_ONCE), ...(held.length > 0 && { has: held }) };
  }

  /** No answer came; one who is busy has more time. */
  again() {
    if (this.shell?.busy()) this.timer = setTimeout(() => this.again(), AGAIN);
    else this.tell(0);
  }
}

/** @template {Frame} [F=Frame] */
export class Host {
  /** @param {Channel} channel @param {Shell} shell @param {HTMLElement} root @param {F} frame */
  constructor(channel, shell, root, frame) {
    this.channel = channel;
    this.shell = shell;
    this.root = root;
    this.frame = frame;
    this.backs = channel.backs;
    this.heard = 0;
    this.data = "";
    this.sent = /** @type {Omit<Sent, "picture">[]} */ ([]);
    this.shown = /** @type {{ show(frame: F): void }["show"] | null} */ (null);
    channel.there(); // those of a page that was left are let go
    channel.hosts.push(/** @type {Host} */ (/** @type {unknown} */ (this)));
  }

  /** Tell Python what was done, in `wait` ms.
   *  @param {Act} event */
  send(event, wait = 0) {
    const { frame, channel, shell } = this;
    if (this.backs < channel.backs && !shell.there()) return;
    const picture = "picture" in frame && frame.picture ? frame.picture : frame.kind;
    const n = channel.did(picture, this.beside ? { ...event, beside: true } : event, wait, this.data);
    this.sent.push({ n, event });
  }

  /** Tell Python with the next that is done on the page.
   *  @param {Act} event */
  note(event) {
    this.channel.note(this.frame.kind, event, this.data);
  }

  /** Whether the picture is of the other of two screens side by side. */
  get beside() {
    const { frame } = this;
    return "beside" in frame && frame.beside === true;
  }

  get pending() {
    return this.sent.map(({ event }) => event);
  }

  /** Have every frame shown, the last one at once.
   *  @param {(frame: F) => void} show */
  onFrame(show) {
    this.shown = show;
    show(this.frame);
  }

  /** A frame has come, in which all up to the number `heard` is done; one that is older than what
   *  came another way is not shown.
   *  @param {F} frame @param {number} heard */
  take(frame, heard) {
    this.channel.hear(heard);
    if (heard && heard < this.heard) return;
    this.heard = heard;
    this.frame = frame;
    this.sent = this.sent.filter(({ n }) => n > heard);
    this.shown?.(frame);
  }

  hurry() {
    this.channel.hurry();
  }

  /** A colour of the page.
   *  @param {"text" | "background" | "border" | "primary"} token */
  colour(token) {
    return getComputedStyle(this.root).getPropertyValue(`--st-${token}-color`).trim();
  }

  busy() {
    return this.shell.busy();
  }
}
