// Presentation: only stage, tree and headline, in large type, with a halo around the pointer. The button that
// splits is there once a cut is chosen.
//
// While the root element has the class, the style sheet of the page hides all else. Python does not take part.

import { button } from "./dom.js";
import { tellAll } from "./link.js";

const CLASS = "presenting";
const HALO = "dtviz-halo";
const EXIT = "dtviz-leave";

/** True if the page is being presented. */
export const isPresenting = () => document.documentElement.classList.contains(CLASS);

/** Begin or end the presentation, which fills the screen if the browser allows that.
 *  @param {boolean} [on] */
export function present(on = !isPresenting()) {
  if (on === isPresenting()) return;
  document.documentElement.classList.toggle(CLASS, on);
  tellAll("present", {});
  for (const addition of document.querySelectorAll(`.${HALO}, .${EXIT}`)) addition.remove();
  if (on) {
    addHalo();
    addExitButton();
    document.documentElement.requestFullscreen?.().catch(() => {}); // refused: the presentation stays in the window
  } else if (document.fullscreenElement) exitFullscreen();
}

const exitFullscreen = () => document.exitFullscreen().catch(() => {});

/** Add a ring that follows the pointer until the presentation ends. */
function addHalo() {
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

/** Add a faint button that ends the presentation, for people without a keyboard. */
function addExitButton() {
  const exitButton = button("×", "End the presentation (F)");
  exitButton.className = EXIT;
  exitButton.addEventListener("click", () => present(false));
  document.body.append(exitButton);
}

document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement) present(false);
  // the browser may grant full screen only after the presentation ended
  else if (document.fullscreenElement === document.documentElement && !isPresenting()) exitFullscreen();
});
