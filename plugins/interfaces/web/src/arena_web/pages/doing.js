// What is pressed to change something: sent to the server, and what went wrong told where it was pressed.
import { ask, useLost } from "./api.js";
import { html, useState } from "./html.js";
import { say } from "./parts.js";

/** Whether who looks may change something here. */
export const mayHold = (me) => Boolean(me) && me.right === "host" && !me.read_only;

/** Sends what was pressed; what went wrong stands where it was pressed. */
export function useDoing(again) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState("");
  const isLost = useLost();
  const act = async (path, body, done) => {
    setBusy(path);
    try {
      await ask(path, { body });
      setError(null);
      say(done);
      again();
      return true;
    } catch (found) {
      setError(found);
      return false;
    } finally {
      setBusy("");
    }
  };
  return { act, error, busy: busy || (isLost ? "lost" : ""), forgive: () => setError(null) };
}

/** A button that asks once more before it acts. */
export function Twice({ text, again, act, busy }) {
  const [isSure, sure] = useState(false);
  return html`<button type="button" disabled=${Boolean(busy)} onBlur=${() => sure(false)} onClick=${() => (isSure ? act() : sure(true))}>${isSure ? again : text}</button>`;
}
