// A link that was made for somebody: shown, copied, opened.
import { html } from "./html.js";
import { say } from "./states.js";

/** The whole address of a link, of which the server gives the path. */
export const addressOf = (made) => new URL(String(made.link), location.origin).href;

export function MadeLink({ made, name }) {
  const copy = () => navigator.clipboard.writeText(made).then(() => say("The link is copied."), () => say("Copy it by hand: the browser does not allow it.", true));
  return html`<input type="text" class="grow" readonly value=${made} aria-label=${`link: ${name}`} onFocus=${(event) => event.target.select()} /><button type="button" onClick=${copy}>Copy</button><a class="button" href=${new URL(made).pathname + new URL(made).hash} target="_blank" rel="noopener">Open</a>`;
}
