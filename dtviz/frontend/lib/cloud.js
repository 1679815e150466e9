// The rows of a data set, sent once and kept while the pictures that draw them change.

import { keeper } from "./named_frames.js";

/** @import { Of } from "../types.d.ts" */

export const { named: cloud, create } = /** @type {typeof keeper<Of<"cloud">>} */ (keeper)(6);
