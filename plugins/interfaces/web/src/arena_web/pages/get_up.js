// The question whether to get up.
import { html, useEffect, useRef } from "./html.js";

export default function Question({ leave, close }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const shut = () => dialog.current.close();
  return html`<dialog ref=${dialog} aria-labelledby="get-up" onClose=${close}><h2 id="get-up">Leave?</h2><p>You forfeit this match, and nobody plays on for you. This cannot be undone.</p>
    <p class="head"><button type="button" onClick=${shut}>Stay</button><button type="button" class="main" onClick=${() => (shut(), leave())}>Leave and forfeit</button></p></dialog>`;
}
