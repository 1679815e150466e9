// Pictures on the page with hosts as a shell creates them, and channels whose messages are collected.

import { placed } from "./page.js";
import { Channel, Host } from "../../dtviz/frontend/lib/channel.js";

/** Pack a frame without arrays into bytes, as Python does. */
export function packed(frame) {
  const header = new TextEncoder().encode(JSON.stringify(frame));
  return new Uint8Array([...new Uint8Array(Uint32Array.of(header.length).buffer), ...header]);
}

/** Create a host: `posts` are the messages, `sent` the events in them, each once; `isConnected` and `busy` can be set. */
export function hosted(channel = new Channel(), root = placed(), first = { kind: "stage" }) {
  const picture = { root, channel, posts: [], sent: [], isConnected: true, busy: false };
  let lastNumber = channel.lastNumber;
  const shell = {
    isConnected: () => picture.isConnected,
    busy: () => picture.busy,
    post(message) {
      picture.posts.push(structuredClone(message));
      for (const { n, event } of message.events) if (n > lastNumber) [lastNumber] = [n, picture.sent.push(event)];
    },
  };
  const { schedule } = channel;
  channel.schedule = (wait) => {
    schedule.call(channel, wait);
    channel.timer.unref?.(); // so that a test does not wait for an answer that never comes
  };
  picture.host = new Host(channel, shell, root, first);
  picture.show = (frame, acknowledged = 0) => picture.host.receive(frame, acknowledged);
  picture.numbers = () => picture.posts.at(-1).events.map(({ n }) => n);
  return picture;
}

/** Create a picture by `create` with a frame of its kind. */
export function pictured(create, kind, frame, root = placed()) {
  const picture = hosted(undefined, root, Object.assign(frame, { kind }));
  create(picture.root, picture.host);
  return picture;
}
