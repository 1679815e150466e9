// The point under the pointer, and what is said of it.

import { number } from "./format.js";
import { radius } from "./stage-paint.js";

/** The nearest point within a few pixels: where it is drawn and its text; null if there is none. */
export function pointNear({ scene, cloud, at }, x, y) {
  const reach = radius(cloud.x.length) + 3;
  let best = null;
  let least = reach * reach;
  for (let i = 0; i < cloud.x.length; i++) {
    const [dx, dy] = [at.X(cloud.x[i]) - x, at.Y(cloud.y[i]) - y];
    const distance = dx * dx + dy * dy;
    if (distance <= least) [best, least] = [i, distance];
  }
  if (best === null) return null;
  return { x: at.X(cloud.x[best]), y: at.Y(cloud.y[best]), text: textOf(scene, cloud, best) };
}

function textOf(scene, cloud, i) {
  const place = `${scene.across.name} ${number(cloud.x[i], 5)}`;
  if (scene.form === "strip" && scene.classes) return `${scene.classes[cloud.code[i]][0]}: ${place}`;
  const both = `${place}, ${scene.up.name} ${number(cloud.y[i], 5)}`;
  if (scene.form === "strip") return both;
  const target = scene.classes ? scene.classes[cloud.code[i]][0] : number(cloud.value[i], 5);
  return `${target}: ${both}`;
}
