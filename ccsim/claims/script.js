"use strict";
// The page is complete without this. It opens what a link jumps to, filters the claims, and sorts tables.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("DOMContentLoaded", () => {
  reveal();
  const bar = document.getElementById("filter"), field = bar.querySelector("input"), told = bar.querySelector("output");
  const rows = Array.from(document.querySelectorAll("table.verdicts tbody tr"));
  const said = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  let word = "";
  function filter() {
    const text = field.value.toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = (!word || row.dataset.word === word) && said.get(row).includes(text);
      row.hidden = !fits;
      shown += fits;
    }
    told.textContent = text || word ? shown + " of " + rows.length + " lines" : "";
  }
  field.addEventListener("input", filter);
  for (const chip of document.querySelectorAll(".counts li[data-word]")) {
    const button = document.createElement("button");
    button.append(...chip.childNodes);
    button.setAttribute("aria-pressed", "false");
    chip.append(button);
    button.addEventListener("click", () => {
      word = word === chip.dataset.word ? "" : chip.dataset.word;
      for (const other of document.querySelectorAll(".counts button"))
        other.setAttribute("aria-pressed", String(other.parentElement.dataset.word === word));
      filter();
    });
  }
  for (const head of document.querySelectorAll("table.verdicts th")) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending", place = head.cellIndex;
      for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = head.closest("table").tBodies[0];
      const sorted = Array.from(body.rows).sort((a, b) =>
        a.cells[place].textContent.localeCompare(b.cells[place].textContent, "en", { numeric: true }));
      body.append(...(down ? sorted.reverse() : sorted));
    });
  }
  bar.hidden = false;
});
