import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { band, gridOf, placesOf, spotOf, tripleAt } from "../../../dtviz/frontend/impurity/lattice.js";
import { bytesOf, expected } from "../expected.js";

const AT = { x: 200, y: 20, side: 240 };
const TALL = Math.sqrt(3) / 2;

/** Every triple of a lattice. */
function triples(whole) {
  const out = [];
  for (let a = 0; a <= whole; a++) for (let b = 0; a + b <= whole; b++) out.push([a, b, whole - a - b]);
  return out;
}

/** The polygons of a path, and the area of all. */
function traced() {
  const polygons = [];
  return {
    polygons,
    moveTo: (x, y) => { polygons.push([[x, y]]); },
    lineTo: (x, y) => { polygons.at(-1).push([x, y]); },
    arc() {},
    closePath() {},
    area: () => polygons.reduce((sum, corners) => sum + Math.abs(corners.reduce((twice, [x, y], k) => {
      const [u, v] = corners[(k + 1) % corners.length];
      return twice + x * v - u * y;
    }, 0)) / 2, 0),
  };
}

test("the values that Python sent are found at every triple it was asked for", () => {
  const { frame, told } = expected.shares.simplex;
  const { curves, apart, whole } = unpack(bytesOf(frame));
  const place = placesOf(whole);
  for (const one of told) {
    curves.forEach(({ values }, k) => assert.ok(Math.abs(values[place(one.parts)] - one.values[k]) < 1e-12));
    assert.ok(Math.abs(apart[place(one.parts)] - one.apart) < 1e-12);
  }
});

test("a triple has one place whatever its order, and no two share one", () => {
  for (const whole of [1, 2, 3, 7, 60]) {
    const place = placesOf(whole);
    const found = new Set(triples(whole).map(place));
    assert.ok(!found.has(undefined));
    assert.equal(found.size, new Set(triples(whole).map((one) => one.toSorted((a, b) => a - b).join())).size);
    assert.equal(Math.max(...found), found.size - 1);
  }
});

test("a place on the picture is the triple that is drawn there", () => {
  for (const triple of triples(12)) assert.deepEqual(tripleAt(AT, 12, spotOf(AT, 12, triple)), triple);
});

test("the corners are each a class alone", () => {
  assert.deepEqual(spotOf(AT, 60, [60, 0, 0]), { x: 200, y: 20 });
  assert.deepEqual(spotOf(AT, 60, [0, 60, 0]), { x: 80, y: 20 + 240 * TALL });
  assert.deepEqual(spotOf(AT, 60, [0, 0, 60]), { x: 320, y: 20 + 240 * TALL });
});

test("outside the triangle it is the nearest place on its rim", () => {
  assert.deepEqual(tripleAt(AT, 60, { x: 200, y: -500 }), [60, 0, 0]);
  assert.deepEqual(tripleAt(AT, 60, { x: -900, y: 400 }), [0, 60, 0]);
  assert.deepEqual(tripleAt(AT, 60, { x: 200, y: 999 }), [0, 30, 30]);
  for (const place of [{ x: 0, y: 0 }, { x: 401.3, y: 77.7 }, { x: 333, y: 250 }]) {
    const triple = tripleAt(AT, 60, place);
    assert.equal(triple[0] + triple[1] + triple[2], 60);
    assert.ok(triple.every((part) => Number.isInteger(part) && part >= 0));
    const away = ({ x, y }) => Math.hypot(x - place.x, y - place.y);
    const least = Math.min(...triples(60).map((one) => away(spotOf(AT, 60, one))));
    assert.ok(away(spotOf(AT, 60, triple)) < least + 240 / 60); // of the nearest or its neighbours
  }
});

test("the lowest band is the whole triangle, a strip a row", () => {
  const path = traced();
  band(path, AT, 6, gridOf(6, () => 1), 0);
  assert.equal(path.polygons.length, 6);
  assert.ok(Math.abs(path.area() - (240 * 240 * TALL) / 2) < 1e-6);
});

test("a band of a plane ends on the line where it should", () => {
  const path = traced();
  band(path, AT, 7, gridOf(7, ([a]) => a / 7), 0.4); // the upper corner's part, 0.6 of the height
  assert.ok(Math.abs(path.area() - 0.36 * ((240 * 240 * TALL) / 2)) < 1e-6);
  const low = 20 + 240 * TALL * 0.6;
  assert.ok(path.polygons.flat().every(([, y]) => y <= low + 1e-9));
});

test("a band in several parts along a row has them all", () => {
  const path = traced();
  const stripes = ([, b]) => (b % 4 < 2 ? 1 : -1);
  band(path, AT, 8, gridOf(8, stripes), 0);
  const small = (30 * 30 * TALL) / 2;
  const columns = triples(8).filter(([a, b]) => a < 8 && b < 8 - a);
  const tall = (corners) => corners.filter((one) => stripes(one) > 0).length;
  const share = [0, 1 / 4, 3 / 4, 1]; // lines through the middles of two sides
  const area = columns.reduce((sum, [a, b, c]) => sum
    + share[tall([[a, b, c], [a + 1, b, c - 1], [a, b + 1, c - 1]])]
    + (c > 1 ? share[tall([[a + 1, b + 1, c - 2], [a + 1, b, c - 1], [a, b + 1, c - 1]])] : 0), 0);
  assert.ok(Math.abs(path.area() - area * small) < 1e-6);
});

test("above all values there is no band", () => {
  const path = traced();
  band(path, AT, 5, gridOf(5, ([a]) => a), 6);
  assert.deepEqual(path.polygons, []);
});
