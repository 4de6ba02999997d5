// Keys of the match page. Letters act only with the focus in the match, and can be switched off.
import { html, useEffect, useRef, useState } from "./html.js";

const LETTERS = "arena.letters";
const KEYS = [
  ["← →", "one turn back, forward"], ["Home End", "the start, the last turn"], ["space", "play and pause"], ["[ ]", "previous, next refusal or other mark"],
  ["v", "the next pair of eyes"], ["c", "copy a link to what is shown"], ["?", "this list"],
];
const MOVES = ["ArrowLeft", "ArrowRight", "Home", "End"];
const lettersAct = () => localStorage.getItem(LETTERS) !== "off";

/** Make commands of keys: for the element whose reference is returned, and for arrows also where nothing has the focus. */
export function useKeys(commands) {
  const place = useRef(null);
  const newest = useRef(commands);
  newest.current = commands;
  useEffect(() => {
    const act = (event) => {
      const isMove = MOVES.includes(event.key);
      const target = event.target;
      const isInside = place.current?.contains(target);
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !newest.current[event.key]) return;
      if (!isInside && !(isMove && target === document.body)) return;
      if (target.matches("input, select, textarea") || (event.key === " " && target.closest("button, a, summary")) || (isMove && event.key.length < 5 && target.closest("pre, .scroll"))) return;
      if (!isMove && !lettersAct()) return;
      event.preventDefault();
      newest.current[event.key]();
    };
    document.addEventListener("keydown", act);
    return () => document.removeEventListener("keydown", act);
  }, []);
  return place;
}

/** The list of keys. */
export function Keys({ isOpen, close }) {
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
