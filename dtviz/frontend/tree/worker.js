// Lays trees out beside the page, so that nothing on it waits.

import { instance } from "./graphviz.js";

const viz = instance();

onmessage = async ({ data: text }) => {
  try {
    postMessage({ svg: (await viz).renderString(text, { format: "svg" }) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
