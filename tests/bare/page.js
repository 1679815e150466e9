// The bare shell: letters come as answers to messages, one after the other.

import { Channel } from "./frontend/lib/channel.js";
import { feed, mount } from "./frontend/lib/pictures.js";

const channel = new Channel();
const hosts = {};
let waiting = 0;
let turn = ask("/letters");

const shell = {
  isConnected: () => true,
  busy: () => waiting > 0,
  post: (message) => { turn = turn.then(() => ask("/did", { method: "POST", body: JSON.stringify(message) })); },
};

async function ask(address, options) {
  waiting += 1;
  const letters = await (await fetch(address, options)).json();
  waiting -= 1;
  for (const [name, coded] of Object.entries(letters)) {
    const letter = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
    if (hosts[name]) feed(hosts[name], letter);
    else hosts[name] = mount(document.getElementById(name), channel, shell, letter);
  }
}
