// Keys of the match page. Letters act only with the focus in the match, and can be switched off.
import { useEffect, useRef } from "./html.js";

export const LETTERS = "arena.letters";
const MOVES = ["ArrowLeft", "ArrowRight", "Home", "End"];
export const lettersAct = () => localStorage.getItem(LETTERS) !== "off";

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
