// How far something is, and how it is shown while it goes on.
import { useThrottled } from "./api.js";
import { html, number, useEffect, useRef, useState } from "./html.js";

/** How far something is that is computed in the background. */
export function Computing({ text, isAll = false }) {
  if (!text) return null;
  return html`<div data-computing="yes"><p class="soft small" role="status">being computed: ${text}</p>${isAll && html`<div class="bars" aria-hidden="true"><i class="bar-0"></i><i class="bar-1"></i><i class="bar-2"></i></div>`}</div>`;
}

/** What is shown while the pointer is over it stays: a change never moves what is under the pointer. */
export function useHeld(data) {
  const [isHeld, hold] = useState(false);
  const kept = useRef(data);
  if (!isHeld || !kept.current) kept.current = data;
  return [kept.current, { onPointerEnter: () => hold(true), onPointerLeave: () => hold(false) }];
}

export function Progress({ done, planned, label }) {
  const share = planned ? Math.min(100, (100 * done) / planned) : 0;
  return html`<div class="progress" role="progressbar" aria-label=${label} aria-valuemin="0" aria-valuemax=${planned} aria-valuenow=${done} aria-valuetext=${`${number(done)} of ${number(planned)}`}><i style=${{ width: `${share}%` }}></i></div>`;
}

/** Ask again when more matches have ended. */
export function useFresh(again, pause, { done }) {
  const first = useRef(done);
  const fetchAgain = useThrottled(again, pause);
  useEffect(() => {
    if (done !== first.current) fetchAgain();
    first.current = done;
  }, [done]);
}
