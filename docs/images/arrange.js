// Keeps of a report its first table and figure, and puts a board beside them, with the line of its match in the report.
([number, board]) => {
  const element = (style, ...children) => {
    const made = document.createElement("div");
    made.style.cssText = style;
    made.append(...children);
    return made;
  };
  const table = document.querySelector("main table");
  table.style.cssText = "font-size: 0.8rem; line-height: 1.2; white-space: nowrap";

  const figure = document.querySelector("main figure svg");
  figure.style.cssText = "flex: none; width: 390px; height: auto; max-height: none";

  const drawn = new Image();
  drawn.src = board;
  drawn.style.cssText = "display: block; width: 232px; margin: 0 auto 4px";
  const match = document.querySelectorAll("details.match summary")[number].cloneNode(true);
  match.querySelectorAll(".game, .ending").forEach((span) => span.remove());
  const line = element("font-size: 0.85rem; text-align: center; white-space: nowrap", ...match.childNodes);

  const row = element("display: flex; align-items: center; justify-content: space-around; margin-top: 10px", figure, element("", drawn, line));
  const picture = element("width: max-content; padding: 6px 12px; background: var(--paper)", table, row);
  picture.id = "picture";
  document.body.replaceChildren(picture);
  return drawn.decode();
}
