// Patches, which turn one frame into the next; dtviz/pictures/packing.py makes them and documents their forms.

/** @import { Frame } from "../frames.d.ts" */
/** @import { EntriesPatch, ItemsPatch, MiddlePatch, Numbers, Patch, Value, ValuesPatch } from "../types.d.ts" */

/** Frame that a patch makes of another, which stays as it is; the two share what is not changed.
 *  @param {Frame} frame @param {Patch} patch */
export function applyPatch(frame, patch) {
  return /** @type {Frame} */ (/** @type {unknown} */ (patchValue(/** @type {Value} */ (/** @type {unknown} */ (frame)), patch)));
}

/** @param {Value} value @param {Patch} patch @returns {Value} */
function patchValue(value, patch) {
  if ("$to" in patch) return patch.$to;
  if ("$in" in patch) return patchEntries(/** @type {{ [key: string]: Value }} */ (value), /** @type {EntriesPatch} */ (patch));
  if ("$cut" in patch) return patchItems(/** @type {Value[]} */ (value), /** @type {ItemsPatch} */ (patch));
  if ("$mid" in patch) return patchMiddle(/** @type {Numbers} */ (value), /** @type {MiddlePatch} */ (patch));
  return "$at" in patch ? patchNumbers(/** @type {Numbers} */ (value), /** @type {ValuesPatch} */ (patch)) : value;
}

/** @param {{ [key: string]: Value }} entries @param {EntriesPatch} patch */
function patchEntries(entries, { $in, $out }) {
  const result = /** @type {{ [key: string]: Value }} */ (Array.isArray(entries) ? [...entries] : { ...entries });
  for (const key of $out) delete result[key];
  for (const [key, patch] of Object.entries($in)) result[key] = patchValue(result[key], patch);
  return result;
}

/** @param {Value[]} items @param {ItemsPatch} patch */
function patchItems(items, { $cut }) {
  const result = [...items];
  for (const [index, dropCount, added] of $cut) result.splice(index, dropCount, ...added);
  return result;
}

/** @param {Numbers} numbers @param {ValuesPatch} patch */
function patchNumbers(numbers, { $at: indices, $are: values }) {
  const result = numbers.slice();
  for (let k = 0; k < indices.length; k++) result[indices[k]] = values[k];
  return result;
}

/** @param {Numbers} numbers @param {MiddlePatch} patch */
function patchMiddle(numbers, { $mid, $keep: [first, last] }) {
  const result = new /** @type {Float64ArrayConstructor} */ ($mid.constructor)(first + $mid.length + last);
  result.set(numbers.subarray(0, first));
  result.set($mid, first);
  result.set(numbers.subarray(numbers.length - last), first + $mid.length);
  return result;
}
