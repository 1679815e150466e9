// Repairs of the browser's history: they replace entries that nobody should come back to.
//
// Streamlit enters a page by its bare address, and then writes the full address, each as an entry: Back
// would lead to the bare address first. So the full address replaces the bare entry, unless the person
// has done something on the page meanwhile. Where Python leads to another page, Streamlit clears the
// address of the page that is left, may write the new address there, and then enters the other page: these
// entries of the page that is left are replaced too. A browser without the Navigation API keeps all entries.

/** Parameters of the last entry. @type {string | null} */
let lastSearch = null;
/** Path of a page that has a bare address, until somebody does something there. */
let barePath = "";
/** Parameters of the page since its address was cleared, until somebody does something there; else null.
 *  @type {string | null} */
let clearedSearch = null;

/** True if the address has the parameters of the last entry.
 *  @param {string} search */
export const isLastSearch = (search) => search === lastSearch;

/** Watch the history of the page. */
export function watchHistory() {
  for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, () => { [barePath, clearedSearch] = ["", null]; }, true);
  window.navigation?.addEventListener("currententrychange", ({ from }) => {
    lastSearch = from.url && new URL(from.url).search;
  });
  window.navigation?.addEventListener("navigate", (event) => {
    if (event.navigationType !== "push") return;
    const { href, pathname, search } = new URL(event.destination.url);
    const isSamePage = pathname === location.pathname;
    const isWritten = isSamePage && barePath === pathname && search;
    const isEntered = !isSamePage && (clearedSearch === "" || clearedSearch === search);
    clearedSearch = isSamePage && (!search || (isWritten && clearedSearch !== null)) ? search : null;
    barePath = search ? "" : pathname;
    if (!(isWritten || isEntered) || !event.cancelable) return;
    event.preventDefault();
    history.replaceState(history.state, "", href);
  });
}
