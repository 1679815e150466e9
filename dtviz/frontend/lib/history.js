// The browser's history: which way back is none, and entries that nobody should come back to.
//
// Streamlit enters a page by its bare address, and then writes the whole one, each an entry of its
// own: Back would lead to the bare one first. So it is replaced by the other, unless the person has
// done something on the page meanwhile. Where Python leads to another page, Streamlit clears the address
// of the page that is left, may write the new one there, and then enters the other page: these entries
// of the page that is left give way too. Where the browser does not tell of its entries, all stays.
//
// Glossary
//   left   the parameters of the address before this one
//   bare   the path of a page with a bare address, until somebody does something there
//   early  the parameters of the page once its address was cleared, likewise; null while it was not

let left = /** @type {string | null} */ (null);
let bare = "";
let early = /** @type {string | null} */ (null);

/** Whether the address has the parameters that the one before it had.
 *  @param {string} search */
export const unmoved = (search) => search === left;

/** Watch the history of the page. */
export function watch() {
  for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, () => { [bare, early] = ["", null]; }, true);
  window.navigation?.addEventListener("currententrychange", ({ from }) => {
    left = from.url && new URL(from.url).search;
  });
  window.navigation?.addEventListener("navigate", (event) => {
    if (event.navigationType !== "push") return;
    const { href, pathname, search } = new URL(event.destination.url);
    const same = pathname === location.pathname;
    const wrote = same && bare === pathname && search;
    const entered = !same && (early === "" || early === search);
    early = same && (!search || (wrote && early !== null)) ? search : null;
    bare = search ? "" : pathname;
    if (!(wrote || entered) || !event.cancelable) return;
    event.preventDefault();
    history.replaceState(history.state, "", href);
  });
}
