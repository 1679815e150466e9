// Channel that sends events to Python, which handles each event once and in order.
//
// An event has a number. It is sent again, with all other events that no frame has acknowledged, until
// a frame acknowledges it. A picture may show what its event does before that. dtviz/session/events.py is
// the other end.
//
// Glossary
//   shell    carrier of messages for one picture of the page, see Shell
//   host     a picture's view of the channel: send, onFrame, colour, busy, and its pending events
//   pending  the events of a picture that its last frame does not acknowledge

import { FrameCache } from "./frame_cache.js";

const MS_UNTIL_RESENT = 5000; // without an answer; then the events are sent again
const MS_UNTIL_RUN = 1000; // a run that the browser asked for has begun by then
const MAX_EVENTS_A_MESSAGE = 200;

/** @import { Frame } from "../frames.d.ts" */
/** @import { Message, Page, PictureEvent, SentEvent } from "../types.d.ts" */

/**
 * @typedef {object} Shell
 * @property {() => boolean} isConnected  true while the element of the picture is on the page
 * @property {() => boolean} busy  true while the script runs
 * @property {(message: Message) => void} post  sends a message to Python
 */

export class Channel {
  constructor() {
    this.lastNumber = 0; // of the events
    this.frames = new FrameCache();
    this.unacknowledged = /** @type {SentEvent[]} */ ([]);
    /** Event that tells Python of the last Back or Forward, until it is queued. @type {SentEvent | null} */
    this.navigation = null;
    this.hosts = /** @type {Host[]} */ ([]);
    this.acknowledged = 0; // number of the last event that a frame acknowledged
    this.timer = 0;
    this.sendTime = 0; // in ms as of Date.now(): events wait until then
    /** Number of times that Back or Forward led to another page: a picture of the page before sends no more events. */
    this.backCount = 0;
  }

  /** Send an event, with the queued events before it, in `wait` ms; returns the number of the event.
   *  @param {string} picture @param {PictureEvent} event @param {number} [wait] @param {string} [dataMark] */
  send(picture, event, wait = 0, dataMark) {
    this.sendLater(picture, event, dataMark);
    if (wait) this.sendTime = Date.now() + wait;
    this.schedule(Math.max(0, this.sendTime - Date.now()));
    return this.lastNumber;
  }

  /** Queue an event, which is sent with the next event; returns the number of the queued event.
   *  @param {string} picture @param {PictureEvent} event
   *  @param {string} [dataMark]  mark of the data that the event is meant for */
  sendLater(picture, event, dataMark) {
    this.lastNumber += 1;
    this.queue({ n: this.lastNumber, picture, event, ...(dataMark && { data: dataMark }) });
    return this.lastNumber;
  }

  /** Drop the events up to a number: a frame that acknowledges them has come.
   *  @param {number} number */
  acknowledge(number) {
    this.lastNumber = Math.max(this.lastNumber, number);
    this.acknowledged = Math.max(this.acknowledged, number);
    this.unacknowledged = this.unacknowledged.filter(({ n }) => n > number);
    if (!this.unacknowledged.length) clearTimeout(this.timer);
  }

  /** Tell Python of an address that Back or Forward led to. Python reads the address in the run that the
   *  browser asks for, unless that run answers an older event. So the navigation is queued before the next
   *  event. It is sent by itself if the page has another address by then: Python went on from an older one.
   *  @param {string} search @param {() => boolean} isAddressCurrent */
  reportNavigation(search, isAddressCurrent) {
    this.lastNumber += 1;
    const navigation = { n: this.lastNumber, picture: "address", event: /** @type {const} */ ({ what: "went", search }) };
    this.navigation = navigation;
    const check = () => {
      if (this.navigation !== navigation) return; // queued, or another one came
      if (this.shell?.busy()) setTimeout(check, MS_UNTIL_RUN);
      else if (!isAddressCurrent()) {
        this.queue();
        this.schedule(0);
      }
    };
    setTimeout(check, MS_UNTIL_RUN);
  }

  /** Prepare for another page, whose run reads the address by itself. Events of the last page that are not
   *  acknowledged are sent soon, through a picture that is on the page then. After Back or Forward these events are
   *  dropped: the address says what the page shows.
   *  @param {boolean} isBack */
  changePage(isBack) {
    this.navigation = null;
    this.unacknowledged = this.unacknowledged.filter(({ picture }) => !isBack && picture !== "address");
    if (isBack) this.backCount += 1;
    this.schedule(MS_UNTIL_RUN);
  }

  /** Queue events, after the navigation that waits.
   *  @param {SentEvent[]} events */
  queue(...events) {
    if (this.navigation) this.unacknowledged.push(this.navigation);
    this.navigation = null;
    this.unacknowledged.push(...events);
  }

  /** Send events that wait now, for example as the pointer leaves the picture, perhaps for a button that leaves the page. */
  flush() {
    if (this.sendTime > Date.now()) this.schedule(this.sendTime = 0);
  }

  /** Drop the hosts of pictures that have left the page; true if a host is left. */
  hasPictures() {
    this.hosts = this.hosts.filter(({ shell }) => shell.isConnected());
    return this.hosts.length > 0;
  }

  /** Shell that carries messages: that of the newest picture. */
  get shell() {
    return this.hosts.at(-1)?.shell;
  }

  /** Send the events that are not acknowledged in `wait` ms, and again if there is no answer.
   *  @param {number} wait */
  schedule(wait) {
    clearTimeout(this.timer);
    if (!this.unacknowledged.length) return;
    if (!wait && this.hasPictures()) this.shell?.post(this.message());
    this.timer = wait
      ? setTimeout(() => this.schedule(0), wait)
      : setTimeout(() => this.resend(), MS_UNTIL_RESENT);
  }

  /** Build the message: the events that are not acknowledged, and the numbers of the frames that the answer may patch. */
  message() {
    const numbers = this.frames.announce();
    return { events: this.unacknowledged.slice(0, MAX_EVENTS_A_MESSAGE), ...(numbers.length > 0 && { has: numbers }) };
  }

  /** Send the events again that got no answer; while the script runs, wait longer. */
  resend() {
    if (this.shell?.busy()) this.timer = setTimeout(() => this.resend(), MS_UNTIL_RESENT);
    else this.schedule(0);
  }
}

/** Host of a page, whose frames hold those of its parts. @typedef {Host<Frame & Page>} PageHost */

/** @template {Frame} [F=Frame] */
export class Host {
  /** @param {Channel} channel @param {Shell} shell @param {HTMLElement} root @param {F} frame */
  constructor(channel, shell, root, frame) {
    this.channel = channel;
    this.shell = shell;
    this.root = root;
    this.frame = frame;
    this.backCount = channel.backCount;
    this.acknowledged = 0; // number of the last event that the frame acknowledges
    this.dataMark = ""; // of the data that the picture shows
    this.sent = /** @type {Omit<SentEvent, "picture">[]} */ ([]); // events that the frame does not acknowledge
    this.showFrame = /** @type {{ show(frame: F): void }["show"] | null} */ (null);
    /** Hosts of the parts of the picture, with the function that hands each its part of a frame.
     *  @type {((frame: F, acknowledged: number) => void)[]} */
    this.feedParts = [];
    channel.hasPictures(); // drops the hosts of a page that was left
    channel.hosts.push(/** @type {Host} */ (/** @type {unknown} */ (this)));
  }

  /** Send an event in `wait` ms, of this picture or in the name of another picture or group of controls.
   *  @param {PictureEvent} event @param {string} [picture] */
  send(event, wait = 0, picture = this.picture) {
    const { channel, shell } = this;
    if (this.backCount < channel.backCount && !shell.isConnected()) return;
    const n = channel.send(picture, this.isSecondScreen ? { ...event, beside: true } : event, wait, this.dataMark);
    this.sent.push({ n, event });
  }

  /** Queue an event of the picture that is sent with the next event of the page.
   *  @param {PictureEvent} event */
  sendLater(event) {
    this.channel.sendLater(this.frame.kind, event, this.dataMark);
  }

  /** Name of the picture in its events. */
  get picture() {
    const { frame } = this;
    return "picture" in frame && frame.picture ? frame.picture : frame.kind;
  }

  /** True if the picture belongs to the second of two screens side by side. */
  get isSecondScreen() {
    const { frame } = this;
    return "is_second_screen" in frame && frame.is_second_screen === true;
  }

  /** Pending events of the picture, in order. */
  get pending() {
    return this.sent.map(({ event }) => event);
  }

  /** Call `show` with the last frame now, and with every later one.
   *  @param {(frame: F) => void} show */
  onFrame(show) {
    this.showFrame = show;
    show(this.frame);
  }

  /** Show a frame that acknowledges the events up to a number, unless the frame shown acknowledges more: then it is
   *  newer. The number is 0 after the server was started again; such a frame is always shown.
   *  @param {F} frame @param {number} acknowledged */
  receive(frame, acknowledged) {
    this.channel.acknowledge(acknowledged);
    if (acknowledged && acknowledged < this.acknowledged) return;
    this.acknowledged = acknowledged;
    this.frame = frame;
    this.sent = this.sent.filter(({ n }) => n > acknowledged);
    for (const feed of this.feedParts) feed(frame, acknowledged);
    this.showFrame?.(frame);
  }

  /** Mount a part of the picture in an element of the page, which is hidden while a frame lacks the part. Returns
   *  a function that removes the part.
   *  @template {Frame} P @param {HTMLElement} root @param {(frame: F) => P | undefined} partOf
   *  @param {(root: HTMLElement, host: Host<P>) => void} create */
  mountPart(root, partOf, create) {
    let host = /** @type {Host<P> | null} */ (null);
    /** @param {F} frame @param {number} acknowledged */
    const feed = (frame, acknowledged) => {
      const part = partOf(frame);
      root.hidden = !part;
      if (!part) return;
      const isNew = !host;
      host ??= new Host(this.channel, this.shell, root, part);
      host.dataMark = this.dataMark;
      if (isNew) host.acknowledged = acknowledged;
      if (isNew) create(root, host);
      else host.receive(part, acknowledged);
    };
    feed(this.frame, this.acknowledged);
    this.feedParts.push(feed);
    return () => {
      this.feedParts = this.feedParts.filter((other) => other !== feed);
      this.channel.hosts = this.channel.hosts.filter((other) => other.root !== root); // a host keeps its picture in memory
      root.remove();
    };
  }

  /** Send the events of the page that wait now. */
  flush() {
    this.channel.flush();
  }

  /** Colour of the page's theme, as CSS.
   *  @param {"text" | "background" | "border" | "primary"} token */
  colour(token) {
    return getComputedStyle(this.root).getPropertyValue(`--st-${token}-color`).trim();
  }

  /** True while the script runs. */
  busy() {
    return this.shell.busy();
  }
}
