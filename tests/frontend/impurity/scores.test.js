import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { told, verdicts } from "../../../dtviz/frontend/impurity/scores.js";
import { bytesOf, expected } from "../expected.js";

const PAIRS = expected.splits.map(({ frame, reached }) => ({ frame: unpack(bytesOf(frame)), reached }));
const near = (one, other) => (other === null ? Number.isNaN(one) : Math.abs(one - other) < 1e-12);

test("of every split that one drag can reach, what the engine says is told", () => {
  for (const { frame, reached } of PAIRS) {
    for (const { first, second, verdicts: expectedOnes } of reached) {
      const found = verdicts(frame, { parent: frame.parent, first, second });
      expectedOnes.forEach(({ scores, better }, k) => {
        assert.ok(near(found[k].scores[0], scores[0]) && near(found[k].scores[1], scores[1]));
        assert.equal(found[k].better, better);
      });
    }
  }
});

test("of splits that Python has not scored nothing is told", () => {
  const [{ frame }] = PAIRS;
  const { parent, first, second } = frame;
  assert.equal(verdicts(frame, { parent, first: [first[0] - 1, first[1] + 1], second }), null);
  assert.equal(verdicts(frame, { parent, first: first.with(0, 0), second: second.with(0, 0) }), null);
  assert.equal(verdicts(frame, { parent: [9, 8], first, second }), null);
  assert.equal(verdicts(frame, { parent: [8], first: [6], second: [4] }), null);
});

test("who prefers which is told in words", () => {
  const { frame } = PAIRS[1];
  const own = verdicts(frame, frame);
  assert.equal(told(frame, own), "Entropy, Gain ratio prefer A. Gini, CART measure prefer B. Error scores both the same.");
  const alone = own.map(({ scores }, k) => ({ scores, better: k ? -1 : 1 }));
  assert.match(told(frame, alone), /^Entropy prefers A\. Gini, .* prefer B\.$/);
});

test("an empty side is told and preferred by nobody", () => {
  const { frame } = PAIRS[2];
  assert.equal(told(frame, verdicts(frame, frame)), "A side is empty: that is no split.");
});
