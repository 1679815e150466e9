// Preferences of a person, kept by the browser if it may keep anything.

/** Load the preference of a name.
 *  @param {string} name @returns {string | null} */
export function loadPreference(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Save a text as the preference of a name.
 *  @param {string} name @param {string} text */
export function savePreference(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // a browser that may not keep it shows the default next time
  }
}
