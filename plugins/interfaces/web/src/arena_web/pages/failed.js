// Why a match has no result.
import { html } from "./html.js";
import { Wrong } from "./parts.js";

export default function Failed({ error }) {
  return html`<${Wrong} error=${{ what: error.reason, where: "", remedy: "`arena resume` plays it again" }} />
    ${error.traceback && html`<details class="fold"><summary>What the program said</summary><pre tabindex="0" role="group" aria-label="traceback">${error.traceback}</pre></details>`}`;
}
