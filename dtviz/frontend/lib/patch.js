// What must be done to one frame to have the next; dtviz/pictures/packing.py makes it and says its forms.

/** @import { Frame } from "../frames.d.ts" */
/** @import { Change, Entries, Items, Middle, Numbers, Some, Value } from "../types.d.ts" */

/** The frame that another becomes, which stays as it is; what is not changed is shared.
 *  @param {Frame} before @param {Change} change */
export function changed(before, change) {
  return /** @type {Frame} */ (/** @type {unknown} */ (after(/** @type {Value} */ (/** @type {unknown} */ (before)), change)));
}

/** @param {Value} before @param {Change} change @returns {Value} */
function after(before, change) {
  if ("$to" in change) return change.$to;
  if ("$in" in change) return withEntries(/** @type {{ [key: string]: Value }} */ (before), /** @type {Entries} */ (change));
  if ("$cut" in change) return withItems(/** @type {Value[]} */ (before), /** @type {Items} */ (change));
  if ("$mid" in change) return withMiddle(/** @type {Numbers} */ (before), /** @type {Middle} */ (change));
  return "$at" in change ? withPlaces(/** @type {Numbers} */ (before), /** @type {Some} */ (change)) : before;
}

/** @param {{ [key: string]: Value }} before @param {Entries} change */
function withEntries(before, { $in, $out }) {
  const all = /** @type {{ [key: string]: Value }} */ (Array.isArray(before) ? [...before] : { ...before });
  for (const key of $out) delete all[key];
  for (const [key, one] of Object.entries($in)) all[key] = after(all[key], one);
  return all;
}

/** @param {Value[]} before @param {Items} change */
function withItems(before, { $cut }) {
  const all = [...before];
  for (const [at, drop, items] of $cut) all.splice(at, drop, ...items);
  return all;
}

/** @param {Numbers} before @param {Some} change */
function withPlaces(before, { $at, $are }) {
  const all = before.slice();
  for (let k = 0; k < $at.length; k++) all[$at[k]] = $are[k];
  return all;
}

/** @param {Numbers} before @param {Middle} change */
function withMiddle(before, { $mid, $keep: [first, last] }) {
  const all = new /** @type {Float64ArrayConstructor} */ ($mid.constructor)(first + $mid.length + last);
  all.set(before.subarray(0, first));
  all.set($mid, first);
  all.set(before.subarray(before.length - last), first + $mid.length);
  return all;
}
