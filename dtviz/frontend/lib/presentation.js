// Present: stage, tree and sentence alone in large type, with the button that makes a cut once one is
// chosen, and a halo about the pointer.
//
// The page's style sheet says what is shown while the root has the class; Python knows nothing of it.

import { button } from "./dom.js";

const CLASS = "presenting";
const HALO = "dtviz-halo";
const LEAVE = "dtviz-leave";

/** Whether the page is being presented. */
export const presenting = () => document.documentElement.classList.contains(CLASS);

/** Begin or end it; the window is filled where the browser lets us.
 *  @param {boolean} [on] */
export function present(on = !presenting()) {
  if (on === presenting()) return;
  document.documentElement.classList.toggle(CLASS, on);
  for (const one of document.querySelectorAll(`.${HALO}, .${LEAVE}`)) one.remove();
  if (on) {
    haloed();
    wayOut();
    document.documentElement.requestFullscreen?.().catch(() => {}); // it shows as well in a window
  } else if (document.fullscreenElement) shrink();
}

const shrink = () => document.exitFullscreen().catch(() => {});

/** A ring that follows the pointer until presenting ends. */
function haloed() {
  const halo = document.createElement("div");
  halo.className = HALO;
  halo.hidden = true;
  document.body.append(halo);
  /** @param {PointerEvent} event */
  const follow = ({ clientX, clientY }) => {
    if (!halo.isConnected) {
      window.removeEventListener("pointermove", follow);
      return;
    }
    halo.hidden = false;
    halo.style.left = `${clientX}px`;
    halo.style.top = `${clientY}px`;
  };
  window.addEventListener("pointermove", follow);
}

/** A faint button for those who have no keys. */
function wayOut() {
  const out = button("×", "End the presentation (F)");
  out.className = LEAVE;
  out.addEventListener("click", () => present(false));
  document.body.append(out);
}

document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement) present(false);
  else if (document.fullscreenElement === document.documentElement && !presenting()) shrink(); // it came late
});
