"use strict";
// Tables are sorted by a click on a heading; without scripts the page is complete, in its first order.
for (const table of document.querySelectorAll("table")) {
  table.querySelectorAll("thead th").forEach((heading, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const falls = heading.getAttribute("aria-sort") === "ascending";
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const isNumber = heading.classList.contains("number");
      const key = (row) => row.cells[place].dataset.sort;
      const rows = Array.from(table.tBodies[0].rows);
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        const order = isNumber ? Number(x) - Number(y) : x.localeCompare(y, undefined, { numeric: true });
        return falls ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}
