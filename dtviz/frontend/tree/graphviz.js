// Graphviz, by the types that are written beside it.

// @ts-types="../vendor/viz.d.ts"
export { instance } from "../vendor/viz.js";
