// A page that says so where it fails at something that it was sent.
import { html, useErrorBoundary } from "./html.js";
import { Failed } from "./own_page.js";

export function Guarded({ Page, remedy }) {
  const [error, again] = useErrorBoundary();
  return error ? html`<${Failed} error=${error} again=${again} remedy=${remedy} />` : html`<${Page} />`;
}
