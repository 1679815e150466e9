// Overlays, many trees over one plane: sent once and kept while the picture that draws them changes.

import { frameRegister } from "./named_frames.js";

/** @import { FrameOf } from "../types.d.ts" */

export const { named: layerNamed, create } = /** @type {typeof frameRegister<FrameOf<"layer">>} */ (frameRegister)(2);
