// Many trees over one plane, sent once and kept while the picture that draws them changes.

import { keeper } from "./named_frames.js";

/** @import { Of } from "../types.d.ts" */

export const { named: layer, create } = /** @type {typeof keeper<Of<"layer">>} */ (keeper)(2);
