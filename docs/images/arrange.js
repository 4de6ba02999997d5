// Keeps of a report its verdict and the scores by game, and puts a board beside them, with a line on its match.
([lines, match]) => {
  const element = (style, ...children) => {
    const made = document.createElement("div");
    made.style.cssText = style;
    made.append(...children);
    return made;
  };
  const verdict = document.querySelector(".verdict p");
  verdict.style.cssText = "font-size: 0.95rem; font-weight: 600; margin: 0 0 10px; white-space: nowrap";
  const table = document.querySelector("#pairs table");
  table.style.cssText = "font-size: 0.9rem; line-height: 1.15; white-space: nowrap; width: 100%";
  table.querySelector("caption")?.remove();

  const board = document.createElement("pre");
  board.textContent = lines.join("\n");
  board.style.cssText = "margin: 0 auto; padding: 0; border: 0; background: none; width: max-content; font-size: 0.85rem; line-height: 1.15";
  const line = element("font-size: 0.85rem; text-align: center; white-space: nowrap; margin-top: 4px", match);

  const row = "display: flex; align-items: center; gap: 28px; width: max-content; padding: 8px 14px; background: var(--paper)";
  const picture = element(row, element("", verdict, table), element("", board, line));
  picture.id = "picture";
  document.body.replaceChildren(picture);
}
