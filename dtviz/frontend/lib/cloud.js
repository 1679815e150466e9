// Clouds, the rows of datasets as points: sent once and kept while the pictures that draw them change.

import { frameRegister } from "./named_frames.js";

/** @import { FrameOf } from "../types.d.ts" */

export const { named: cloudNamed, create } = /** @type {typeof frameRegister<FrameOf<"cloud">>} */ (frameRegister)(6);
