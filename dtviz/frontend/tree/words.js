// Words of a node: its rule or what it predicts, its rows and impurity, why it has no split, and the sentence of
// them all, which a screen reader says.

import { LIMIT } from "./lettering.js";

/** @import { TreeFrame } from "../frames.d.ts" */
/** @import { NodeWords } from "../types.d.ts" */

const MAX_NUMBERED_NODE = 999n; // as in explain/words.py
const MAX_STEPS_NAMED = 3;

/** Words of a node of a tree.
 *  @param {TreeFrame["nodes"][number]} texts @param {TreeFrame} frame @returns {NodeWords} */
export function wordsOf([id, rule, prediction, rows, impurity, costNote, stop, answer], frame) {
  const { target, impurity_name: name, unit } = frame;
  const measured = `${name} ${impurity} ${unit}`.trimEnd();
  const isNext = id === frame.next_node;
  const unbroken = withUnbrokenLimit(rule);
  const sentence = [
    ...(rule ? [rule, `${rows}, ${measured}`, `predicts ${prediction}`] : [`${target}: ${prediction}`, `${rows}, ${measured}`]),
    ...(stop === null ? [] : [costNote, stop || "open"]),
    isNext ? "splits next" : "",
  ];
  return {
    rule: unbroken || prediction,
    title: unbroken || `${target}: ${prediction}`,
    numbers: `${rows}, ${unit ? `${impurity} ${unit}` : measured}`,
    reason: shortReason(stop ?? ""),
    isOpen: stop === "",
    isNext,
    answer,
    words: `${nameOf(id, answer)}: ${sentence.filter(Boolean).join("; ")}`,
  };
}

/** @param {string} id @param {string} answer  that leads to the node */
function nameOf(id, answer) {
  if (!hasShortNumber(id)) return deepName(id);
  return id === "1" ? "Node 1" : `Node ${id}, ${answer}`;
}

/** True for a node whose number people can follow.
 *  @param {string} id */
export const hasShortNumber = (id) => BigInt(id) <= MAX_NUMBERED_NODE;

/** Name of a deep node: the last node above it with a short number, and the answers from there, as `node_name` of
 *  explain/words.py has it.
 *  @param {string} id */
export function deepName(id) {
  const answers = [];
  let above = BigInt(id);
  for (; above > MAX_NUMBERED_NODE; above >>= 1n) answers.unshift(above % 2n ? "no" : "yes");
  const way = answers.length > MAX_STEPS_NAMED ? answers.map(([letter]) => letter).join("") : answers.join(", ");
  return `Below node ${above}: ${way}`;
}

/** Rule whose sign and threshold stay on one line.
 *  @param {string} rule */
function withUnbrokenLimit(rule) {
  const [head, limit] = LIMIT.exec(rule)?.slice(1) ?? [rule, ""];
  return limit ? `${head} ${limit.replaceAll(" ", "\u00a0")}` : rule;
}

/** Short form of a stop: of 'pure: all 7 rows are A' the head; of '7 rows: a split needs 8 rows' the tail, since
 *  the node tells its rows anyway.
 *  @param {string} stop */
function shortReason(stop) {
  const colon = stop.indexOf(": ");
  const [head, tail] = colon < 0 ? [stop, ""] : [stop.slice(0, colon), stop.slice(colon + 2)];
  return tail && /\d rows?$/.test(head) ? tail : head;
}
