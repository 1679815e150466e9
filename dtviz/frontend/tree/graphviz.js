// Graphviz with the types of viz.d.ts.

// @ts-types="../vendor/viz.d.ts"
export { instance } from "../vendor/viz.js";
