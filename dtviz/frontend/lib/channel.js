// Channel that sends events to Python, each done once and in order: the only optimistic protocol.
//
// An event has a number. It is sent again, with all other events that no frame has acknowledged, until
// a frame acknowledges it. dtviz/session/events.py is the other end.
//
// Glossary
//   shell    carrier of messages for one picture of the page, see Shell
//   host     a picture's view of the channel: send, onFrame, colour, busy, and its pending events
//   pending  the events of a picture that its last frame does not acknowledge: it may show them already

import { FrameCache } from "./frame_cache.js";

const MS_UNTIL_RESENT = 5000; // without an answer; then the events are sent again
const MS_UNTIL_RUN = 1000; // after which a run that the browser asked for has begun
const MAX_EVENTS_A_MESSAGE = 200;

/** @import { Frame } from "../frames.d.ts" */
/** @import { PictureEvent, Message, SentEvent } from "../types.d.ts" */

/**
 * @typedef {object} Shell
 * @property {() => boolean} isConnected  true while the element of the picture is on the page
 * @property {() => boolean} busy  true while the script runs
 * @property {(message: Message) => void} post  sends a message to Python
 */

export class Channel {
  constructor() {
    this.lastNumber = 0;
    this.frames = new FrameCache();
    this.unacknowledged = /** @type {SentEvent[]} */ ([]);
    /** The event of the last Back or Forward, until it is queued. @type {SentEvent | null} */
    this.navigation = null;
    this.hosts = /** @type {Host[]} */ ([]);
    /** The shell whose answers bring the frames of all pictures, if the page has one: it carries all messages.
     *  @type {Shell | null} */
    this.updateShell = null;
    this.acknowledged = 0;
    this.timer = 0;
    this.sendTime = 0;
    /** Number of times that Back led to another page: a picture of a page that was left so sends no more. */
    this.backCount = 0;
  }

  /** Send an event, with the events before it, in `wait` ms; returns its number.
   *  @param {string} picture @param {PictureEvent} event @param {number} [wait] @param {string} [data] */
  send(picture, event, wait = 0, data) {
    this.note(picture, event, data);
    if (wait) this.sendTime = Date.now() + wait;
    this.schedule(Math.max(0, this.sendTime - Date.now()));
    return this.lastNumber;
  }

  /** Queue an event that is sent with the next one; returns its number.
   *  @param {string} picture @param {PictureEvent} event @param {string} [data] mark of the data that the event is meant for */
  note(picture, event, data) {
    this.lastNumber += 1;
    this.queue({ n: this.lastNumber, picture, event, ...(data && { data }) });
    return this.lastNumber;
  }

  /** Drop the events up to this number: a frame shows what they did.
   *  @param {number} number */
  acknowledge(number) {
    this.lastNumber = Math.max(this.lastNumber, number);
    this.acknowledged = Math.max(this.acknowledged, number);
    this.unacknowledged = this.unacknowledged.filter(({ n }) => n > number);
    if (!this.unacknowledged.length) clearTimeout(this.timer);
  }

  /** Tell Python of an address that Back or Forward led to. Python reads the address in the run that the
   *  browser asks for, unless that run answers an older event. So the visit is queued before the next
   *  event, or sent by itself if the page no longer has that address: Python has gone on from another one.
   *  @param {string} search @param {() => boolean} isStillThere */
  navigated(search, isStillThere) {
    this.lastNumber += 1;
    const visit = { n: this.lastNumber, picture: "address", event: /** @type {const} */ ({ what: "went", search }) };
    this.navigation = visit;
    const check = () => {
      if (this.navigation !== visit) return;
      if (this.shell?.busy()) setTimeout(check, MS_UNTIL_RUN);
      else if (!isStillThere()) {
        this.queue();
        this.schedule(0);
      }
    };
    setTimeout(check, MS_UNTIL_RUN);
  }

  /** Go on with another page, whose run reads its address by itself. Events of the last page that are
   *  not acknowledged are sent soon, by the pictures that stay; after Back they are dropped, since it leads
   *  to a page as it once was.
   *  @param {boolean} isBack */
  changePage(isBack) {
    this.navigation = this.updateShell = null;
    this.unacknowledged = this.unacknowledged.filter(({ picture }) => !isBack && picture !== "address");
    if (isBack) this.backCount += 1;
    this.schedule(MS_UNTIL_RUN);
  }

  /** @param {SentEvent[]} events */
  queue(...events) {
    if (this.navigation) this.unacknowledged.push(this.navigation);
    this.navigation = null;
    this.unacknowledged.push(...events);
  }

  /** Send waiting events now: the pointer leaves the picture, perhaps for a button that leaves the page. */
  hurry() {
    if (this.sendTime > Date.now()) this.schedule(this.sendTime = 0);
  }

  /** True if any picture is on the page; hosts of other pictures are dropped. */
  hasPictures() {
    this.hosts = this.hosts.filter(({ shell }) => shell.isConnected());
    return this.hosts.length > 0;
  }

  /** The shell that carries messages. */
  get shell() {
    return this.updateShell?.isConnected() ? this.updateShell : this.hosts.at(-1)?.shell;
  }

  /** Hand frames, which show all acknowledged events, on to the pictures of their kinds.
   *  @param {Frame[]} frames */
  show(frames) {
    if (!this.hasPictures()) return;
    for (const frame of frames) this.hosts.findLast((host) => host.frame.kind === frame.kind)?.receive(frame, this.acknowledged);
  }

  /** Send the events that are not acknowledged in `wait` ms.
   *  @param {number} wait */
  schedule(wait) {
    clearTimeout(this.timer);
    if (!this.unacknowledged.length) return;
    if (!wait && this.hasPictures()) this.shell?.post(this.message());
    this.timer = wait
      ? setTimeout(() => this.schedule(0), wait)
      : setTimeout(() => this.resend(), MS_UNTIL_RESENT);
  }

  /** Returns the events that are not acknowledged, and the numbers of the frames that the answer may patch. */
  message() {
    const numbers = this.frames.announce();
    return { events: this.unacknowledged.slice(0, MAX_EVENTS_A_MESSAGE), ...(numbers.length > 0 && { has: numbers }) };
  }

  /** Send again what got no answer; a server that is busy has more time. */
  resend() {
    if (this.shell?.busy()) this.timer = setTimeout(() => this.resend(), MS_UNTIL_RESENT);
    else this.schedule(0);
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
    this.backCount = channel.backCount;
    this.acknowledged = 0;
    this.dataMark = "";
    this.sent = /** @type {Omit<SentEvent, "picture">[]} */ ([]);
    this.showFrame = /** @type {{ show(frame: F): void }["show"] | null} */ (null);
    channel.hasPictures(); // drops the hosts of a page that was left
    channel.hosts.push(/** @type {Host} */ (/** @type {unknown} */ (this)));
  }

  /** Send an event of the picture in `wait` ms.
   *  @param {PictureEvent} event */
  send(event, wait = 0) {
    const { frame, channel, shell } = this;
    if (this.backCount < channel.backCount && !shell.isConnected()) return;
    const picture = "picture" in frame && frame.picture ? frame.picture : frame.kind;
    const n = channel.send(picture, this.isSecondScreen ? { ...event, beside: true } : event, wait, this.dataMark);
    this.sent.push({ n, event });
  }

  /** Queue an event of the picture that is sent with the next event of the page.
   *  @param {PictureEvent} event */
  note(event) {
    this.channel.note(this.frame.kind, event, this.dataMark);
  }

  /** True if the picture belongs to the second of two screens side by side. */
  get isSecondScreen() {
    const { frame } = this;
    return "is_second_screen" in frame && frame.is_second_screen === true;
  }

  get pending() {
    return this.sent.map(({ event }) => event);
  }

  /** Call `show` with the last frame now, and with every later one.
   *  @param {(frame: F) => void} show */
  onFrame(show) {
    this.showFrame = show;
    show(this.frame);
  }

  /** Show a frame that acknowledges the events up to a number, unless it is older than the frame shown,
   *  which may have come with an update.
   *  @param {F} frame @param {number} acknowledged */
  receive(frame, acknowledged) {
    this.channel.acknowledge(acknowledged);
    if (acknowledged && acknowledged < this.acknowledged) return;
    this.acknowledged = acknowledged;
    this.frame = frame;
    this.sent = this.sent.filter(({ n }) => n > acknowledged);
    this.showFrame?.(frame);
  }

  hurry() {
    this.channel.hurry();
  }

  /** Colour of the page.
   *  @param {"text" | "background" | "border" | "primary"} token */
  colour(token) {
    return getComputedStyle(this.root).getPropertyValue(`--st-${token}-color`).trim();
  }

  busy() {
    return this.shell.busy();
  }
}
