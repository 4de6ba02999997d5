// The list of keys of the match page, in which letters are switched off.
import { html, useEffect, useRef, useState } from "./html.js";
import { LETTERS, lettersAct } from "./keys.js";

const KEYS = [
  ["← →", "one turn back, forward"], ["Home End", "the start, the last turn"], ["space", "play and pause"], ["[ ]", "previous, next marked turn"],
  ["v", "the next view"], ["c", "copy a link to what is shown"], ["?", "this list"],
];

/** The list of keys. */
export default function Keys({ isOpen, close }) {
  const dialog = useRef(null);
  const [isOn, turn] = useState(lettersAct());
  useEffect(() => {
    if (isOpen && !dialog.current.open) dialog.current.showModal();
    if (!isOpen && dialog.current.open) dialog.current.close();
  }, [isOpen]);
  const choose = (event) => {
    localStorage.setItem(LETTERS, event.target.checked ? "on" : "off");
    turn(event.target.checked);
  };
  return html`<dialog ref=${dialog} aria-labelledby="keys-title" onClose=${close}>
    <h2 id="keys-title">Keys</h2>
    <dl class="pairs">${KEYS.flatMap(([key, what]) => [html`<dt key=${key}><kbd>${key}</kbd></dt>`, html`<dd key=${what}>${what}</dd>`])}</dl>
    <p class="small soft">Arrows walk in the picture once the focus is in it. Letters act while the focus is in the match.</p>
    <label class="check"><input type="checkbox" checked=${isOn} onChange=${choose} /> single letters and space act</label>
    <p><button type="button" class="main" onClick=${close}>Close</button></p>
  </dialog>`;
}
