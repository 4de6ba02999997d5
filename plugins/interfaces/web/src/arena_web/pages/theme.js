// Light, dark, or as the system: chosen at the top of every page, and kept by the browser.
import { html, useEffect, useState } from "./html.js";

const THEMES = { system: "as the system", light: "light", dark: "dark" };
const chosen = () => localStorage.getItem("arena.theme") ?? "system";

/** Give the page the theme that was chosen. */
export const dress = (theme = chosen()) => (document.documentElement.dataset.theme = theme);

export function Theme() {
  const [theme, set] = useState(chosen());
  useEffect(() => {
    dress(theme);
    localStorage.setItem("arena.theme", theme);
  }, [theme]);
  return html`<label class="theme"><span class="unseen">Theme</span><select value=${theme} onChange=${(event) => set(event.target.value)}>${Object.entries(THEMES).map(([name, words]) => html`<option key=${name} value=${name} selected=${name === theme}>${words}</option>`)}</select></label>`;
}
