// Zoom and pan of the tree, and the height it takes.
//
// Glossary
//   size    the tree's own size in its units; at scale 1 its text is 12 px high
//   view    scale and the place of the tree in the frame, in pixels

const NATURAL = 1.08; // never larger than this when fitted
const READABLE = 0.74; // nor smaller: 12 units of text are then about 9 px
const LOWEST = 170;
const HIGHEST = 500;

export function viewer(box, sheet, changed) {
  const view = { scale: 1, x: 0, y: 0, size: null, own: false };
  const fingers = new Map();

  function apply() {
    sheet.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    changed(view);
  }

  /** Fit the tree of a size into the box; `anchor` is the place to show where it is too large. */
  function fit(size, anchor) {
    view.size = size;
    view.own = false;
    const wide = box.clientWidth;
    const scale = Math.max(READABLE, Math.min(NATURAL, wide / size.w, HIGHEST / size.h));
    box.style.height = `${Math.min(Math.max(size.h * scale + 8, LOWEST), HIGHEST)}px`;
    const high = box.clientHeight;
    view.scale = scale;
    view.x = place(size.w * scale, wide, anchor.x * scale);
    view.y = size.h * scale <= high ? 4 : place(size.h * scale, high, anchor.y * scale);
    apply();
  }

  function zoom(factor, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const scale = Math.min(Math.max(view.scale * factor, 0.08), 4);
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    view.own = true;
    apply();
  }

  function pan(dx, dy) {
    view.x += dx;
    view.y += dy;
    view.own = true;
    apply();
  }

  /** Move just as far as it takes to have a rectangle of the tree in sight. */
  function reveal({ x, y, w, h }) {
    const [left, top] = [view.x + x * view.scale, view.y + y * view.scale];
    const shift = (low, length, room) => Math.max(8 - low, 0) + Math.min(room - 8 - low - length, 0);
    const dx = shift(left, w * view.scale, box.clientWidth);
    const dy = shift(top, h * view.scale, box.clientHeight);
    if (dx || dy) {
      view.x += dx;
      view.y += dy;
      apply();
    }
  }

  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // without them the wheel scrolls the page
    event.preventDefault();
    const area = box.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });

  box.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, far: 0 });
  });
  box.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    const others = [...fingers.values()].filter((one) => one !== finger);
    if (others.length) pinch(finger, others[0], event);
    else if (finger.far > 4) pan(dx, dy);
    finger.far += Math.hypot(dx, dy);
    [finger.x, finger.y] = [event.clientX, event.clientY];
    if (finger.far > 4 && !box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    box.addEventListener(name, (event) => {
      view.dragged = (fingers.get(event.pointerId)?.far ?? 0) > 4;
      fingers.delete(event.pointerId);
    });
  }

  function pinch(finger, other, event) {
    const area = box.getBoundingClientRect();
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    if (before > 0) zoom(after / before, other.x - area.left, other.y - area.top);
  }

  return { view, fit, zoom, pan, reveal };
}

/** Where a length starts in a room: in its middle, or so that the anchor is seen. */
function place(length, room, anchor) {
  if (length <= room) return (room - length) / 2;
  return Math.min(0, Math.max(room - length, room / 2 - anchor));
}
