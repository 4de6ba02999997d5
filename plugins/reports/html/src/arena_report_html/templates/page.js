"use strict";
const number = (text) => Number.parseFloat(text.replaceAll(",", ""));
const isMissing = (value) => value === "" || Number.isNaN(value);
// Tables are sorted by a click on a heading; without scripts the page is complete, in its first order.
for (const table of document.querySelectorAll("table")) {
  table.querySelectorAll("thead th").forEach((heading) => {
    const place = heading.cellIndex;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const falls = heading.getAttribute("aria-sort") === "ascending";
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const isNumber = heading.classList.contains("number");
      const key = (row) => row.cells[place].dataset.sort ?? row.cells[place].textContent;
      const rows = Array.from(table.tBodies[0].rows);
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        const [m, n] = [isNumber ? number(x) : x, isNumber ? number(y) : y];
        const [noX, noY] = [isMissing(m), isMissing(n)];
        if (noX || noY) return noX - noY;
        const order = isNumber ? m - n : x.localeCompare(y, undefined, { numeric: true });
        return falls ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}
// A link to a part opens it, and so does printing.
const open = () => {
  const part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (let each = part; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
};
addEventListener("hashchange", open);
open();
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details.part")) part.open = true;
});
// Where nothing may be put onto the clipboard, the text is selected instead.
for (const button of document.querySelectorAll("button.copy")) {
  const text = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      for (let each = text; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
      getSelection().selectAllChildren(text);
      text.focus();
    }
  });
}
