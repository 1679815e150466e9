// Worker that lays out trees, so that the page does not wait.

import { instance } from "./graphviz.js";

const viz = instance();

onmessage = async ({ data: text }) => {
  try {
    postMessage({ svg: (await viz).renderString(text, { format: "svg" }) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
