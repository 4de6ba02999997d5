// The clock of a turn that has a limit; half of it, a minute and ten seconds are said aloud.
import { html, useEffect, useState } from "./html.js";
import { say } from "./states.js";

const told = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const inWords = (seconds) => (seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} seconds`);

/** The time until a moment of `performance.now()`. */
export default function Clock({ until }) {
  const [left, set] = useState((until - performance.now()) / 1000);
  useEffect(() => {
    const all = (until - performance.now()) / 1000;
    const marks = [...new Set([all / 2, 60, 10])].filter((own) => own < all - 1).sort((a, b) => b - a);
    const timer = setInterval(() => {
      const now = Math.max(0, (until - performance.now()) / 1000);
      set(now);
      let passed = null;
      while (marks.length && marks[0] >= now) passed = marks.shift();
      if (passed !== null && now > 0) say(`${inWords(passed)} left`, passed <= 10);
      if (!now) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [until]);
  return html`<span class=${`clock ${left < 10 ? "bad" : ""}`} role="timer" aria-label="time left">${left > 0 ? told(left) : "time is up"}</span>`;
}
