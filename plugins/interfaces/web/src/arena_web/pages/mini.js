// Small boards of matches, which follow those that are being played.
import { query, useAnswer, useLive } from "./api.js";
import { scenesOf, useDrawn } from "./board.js";
import { html, useState } from "./html.js";
import { patch } from "./scene.js";

/** The last position of a match, small, with a link to the match. */
export function Mini({ run, match, label, note = null, isLive = false }) {
  const [told, tell] = useState(null);
  const isHeard = useLive(isLive ? `match:${run}/${match}?as=all` : null, (message) => {
    if (message.kind === "reset") tell(message.frame);
    if (message.kind === "frame") tell((before) => before && patch(before, message.frame));
  });
  const answer = useAnswer(`/run/${run}/match/${match}/frames${query({ as: "all", from: -1 })}`, () => (isLive && !isHeard ? 2000 : 0));
  const scene = told ?? (answer.data ? scenesOf(answer.data.frames).at(-1) : null);
  const place = useDrawn(scene, scene && JSON.stringify(scene));
  const words = answer.data && !scene ? (answer.data.words.at(-1) ?? "") : "";
  return html`<a class="mini" href=${`/run/${run}/match/${match}`}>
    <span class="mini-board" inert=${true} aria-hidden="true" ref=${place}>${words && html`<span class="mini-words">${words}</span>`}${answer.isLoading && !scene && html`<span class="mini-empty"></span>`}</span>
    <span class="mini-label">${label}</span>${note && html`<span class="soft">${note}</span>`}</a>`;
}
