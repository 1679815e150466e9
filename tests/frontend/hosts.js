// A picture on the page with a host as every shell gives it, and a channel that ends here.

import { placed } from "./page.js";
import { Channel, Host } from "../../dtviz/frontend/lib/channel.js";

/** A frame without arrays as the bytes that Python makes of it. */
export function packed(frame) {
  const header = new TextEncoder().encode(JSON.stringify(frame));
  return new Uint8Array([...new Uint8Array(Uint32Array.of(header.length).buffer), ...header]);
}

/** A host: `posts` are the messages, `sent` the events in them, each once; `there` and `busy` can be set. */
export function hosted(channel = new Channel(), root = placed(), first = { kind: "stage" }) {
  const one = { root, channel, posts: [], sent: [], there: true, busy: false };
  let last = channel.lastNumber;
  const shell = {
    isConnected: () => one.there,
    busy: () => one.busy,
    post(message) {
      one.posts.push(structuredClone(message));
      for (const { n, event } of message.events) if (n > last) [last] = [n, one.sent.push(event)];
    },
  };
  const { schedule } = channel;
  channel.schedule = (wait) => {
    schedule.call(channel, wait);
    channel.timer.unref?.(); // a test does not wait for what is never answered
  };
  one.host = new Host(channel, shell, root, first);
  one.show = (frame, heard = 0) => one.host.receive(frame, heard);
  one.numbers = () => one.posts.at(-1).events.map(({ n }) => n);
  return one;
}

/** The picture that `create` makes, given a frame of its kind. */
export function pictured(create, kind, frame, root = placed()) {
  const one = hosted(undefined, root, Object.assign(frame, { kind }));
  create(one.root, one.host);
  return one;
}
