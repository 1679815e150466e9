// Prints, as JSON, the exports of each module of a bundled script next to those of the module itself: node bundled.js SCRIPT FOLDER

import { pathToFileURL } from "node:url";

// A page that has every property and method: modules use some of them while they are loaded.
const page = new Proxy(() => {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "0" : page),
  apply: () => page,
  construct: () => page,
});
for (const name of ["window", "document", "location", "matchMedia", "Worker"]) globalThis[name] = page;

const [script, folder] = process.argv.slice(2).map((path) => pathToFileURL(path).href);
const { $module, modules } = await import(script);
const summaryOf = (value) => (["number", "string", "boolean"].includes(typeof value) ? value : typeof value);
const linesOf = (exported) => Object.keys(exported).toSorted().map((name) => `${name}: ${summaryOf(exported[name])}`);
const exportsOf = {};
for (const name of Object.keys(modules)) {
  exportsOf[name] = [linesOf($module(name)), linesOf(await import(`${folder}/${name}`))];
}
process.stdout.write(JSON.stringify(exportsOf));
