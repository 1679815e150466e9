// What each module of one script exports beside what the module itself does: node bundled.js SCRIPT FOLDER

import { pathToFileURL } from "node:url";

// A page that answers everything: modules ask it for this and that as they are first run.
const page = new Proxy(() => {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "0" : page),
  apply: () => page,
  construct: () => page,
});
for (const name of ["window", "document", "location", "matchMedia", "Worker"]) globalThis[name] = page;

const [script, folder] = process.argv.slice(2).map((path) => pathToFileURL(path).href);
const { $module, modules } = await import(script);
const kindOf = (one) => (["number", "string", "boolean"].includes(typeof one) ? one : typeof one);
const told = (exported) => Object.keys(exported).toSorted().map((name) => `${name}: ${kindOf(exported[name])}`);
const found = {};
for (const name of Object.keys(modules)) {
  found[name] = [told($module(name)), told(await import(`${folder}/${name}`))];
}
process.stdout.write(JSON.stringify(found));
