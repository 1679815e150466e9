// A picture on the page with a host as every shell gives it, and a channel that ends here.

import { placed } from "./page.js";
import { Channel, Host } from "../../dtviz/frontend/lib/channel.js";

/** A frame without arrays as the bytes that Python makes of it. */
export function packed(frame) {
  const header = new TextEncoder().encode(JSON.stringify(frame));
  return new Uint8Array([...new Uint8Array(Uint32Array.of(header.length).buffer), ...header]);
}

/** A host: `posts` are the messages, `sent` the events in them, each once; `isConnected` and `busy` can be set. */
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
    channel.timer.unref?.(); // a test does not wait for what is never answered
  };
  picture.host = new Host(channel, shell, root, first);
  picture.show = (frame, acknowledged = 0) => picture.host.receive(frame, acknowledged);
  picture.numbers = () => picture.posts.at(-1).events.map(({ n }) => n);
  return picture;
}

/** The picture that `create` makes, given a frame of its kind. */
export function pictured(create, kind, frame, root = placed()) {
  const picture = hosted(undefined, root, Object.assign(frame, { kind }));
  create(picture.root, picture.host);
  return picture;
}
