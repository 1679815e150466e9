// Repairs of the browser's history: they replace entries that nobody should come back to.
//
// Streamlit enters a page by its bare address, without parameters, and then writes the full address. Each is an
// entry of the history, so Back would lead to the bare address first. So the full address replaces the bare
// entry, unless the user has done something on the page meanwhile. When Python leads to another page, Streamlit
// clears the parameters of the page that is left, if it has any, may write the new parameters there, and then enters
// the other page. These entries of the page that is left are replaced too. A browser without the Navigation API keeps all.

/** Parameters of the entry before the present one. @type {string | null} */
let previousSearch = null;
/** Path of the page if its address is bare; "" once the user has done something there. */
let barePath = "";
/** Parameters that Streamlit wrote last on the page since the user has done something there: "" if it cleared them;
 *  null if it wrote none. @type {string | null} */
let writtenSearch = null;

/** True if an address has the parameters of the entry before the present one.
 *  @param {string} search */
export const isPreviousSearch = (search) => search === previousSearch;

/** Watch the history of the page, and replace the entries that nobody should come back to. */
export function watchHistory() {
  for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, () => { [barePath, writtenSearch] = ["", null]; }, true);
  window.navigation?.addEventListener("currententrychange", ({ from }) => {
    previousSearch = from.url && new URL(from.url).search;
  });
  window.navigation?.addEventListener("navigate", (event) => {
    if (event.navigationType !== "push") return;
    const { href, pathname, search } = new URL(event.destination.url);
    const isSamePage = pathname === location.pathname;
    const isFullAddress = isSamePage && barePath === pathname && search;
    const isPageOfPython = !isSamePage && (writtenSearch === "" || writtenSearch === search);
    writtenSearch = isSamePage ? search : null;
    barePath = search ? "" : pathname;
    if (!(isFullAddress || isPageOfPython) || !event.cancelable) return;
    event.preventDefault();
    history.replaceState(history.state, "", href);
  });
}
