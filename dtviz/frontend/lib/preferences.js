// What the browser keeps of how somebody likes the page; nothing, where it may not keep anything.

/** What was kept under a name.
 *  @param {string} name @returns {string | null} */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep a text under a name.
 *  @param {string} name @param {string} text */
export function remember(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // then it is as usual next time
  }
}
