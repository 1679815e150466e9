import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { verdicts, verdictText } from "../../../dtviz/frontend/impurity/scores.js";
import { bytesOf, expected } from "../expected.js";

const PAIRS = expected.splits.map(({ frame, reached }) => ({ frame: unpack(bytesOf(frame)), reached }));
const isNear = (score, exact) => (exact === null ? Number.isNaN(score) : Math.abs(score - exact) < 1e-12);

test("the verdicts of all splits that one drag makes are those of the engine", () => {
  for (const { frame, reached } of PAIRS) {
    for (const { first, second, verdicts: exactResults } of reached) {
      const results = verdicts(frame, { parent: frame.parent, first, second });
      exactResults.forEach(({ scores, better }, k) => {
        assert.ok(isNear(results[k].scores[0], scores[0]) && isNear(results[k].scores[1], scores[1]));
        assert.equal(results[k].better, better);
      });
    }
  }
});

test("splits that Python has not scored have no verdicts", () => {
  const [{ frame }] = PAIRS;
  const { parent, first, second } = frame;
  assert.equal(verdicts(frame, { parent, first: [first[0] - 1, first[1] + 1], second }), null);
  assert.equal(verdicts(frame, { parent, first: first.with(0, 0), second: second.with(0, 0) }), null);
  assert.equal(verdicts(frame, { parent: [9, 8], first, second }), null);
  assert.equal(verdicts(frame, { parent: [8], first: [6], second: [4] }), null);
});

test("a text says which criterion prefers which split", () => {
  const { frame } = PAIRS[1];
  const results = verdicts(frame, frame);
  assert.equal(verdictText(frame, results), "Entropy, Gain ratio prefer A. Gini, CART measure prefer B. Error scores both the same.");
  const entropyAlone = results.map(({ scores }, k) => ({ scores, better: k ? -1 : 1 }));
  assert.match(verdictText(frame, entropyAlone), /^Entropy prefers A\. Gini, .* prefer B\.$/);
});

test("no criterion prefers a split with an empty side", () => {
  const { frame } = PAIRS[2];
  assert.equal(verdictText(frame, verdicts(frame, frame)), "A side is empty: that is no split.");
});
