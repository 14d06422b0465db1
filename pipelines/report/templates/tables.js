"use strict";
// Tables sort by the buttons in their heads and filter by words and by the values of some columns; charts name what a
// pointer is at.

for (const listing of document.querySelectorAll(".listing")) arm(listing);

function arm(listing) {
  const heads = [...listing.querySelectorAll("th")];
  const rows = [...listing.querySelectorAll("tbody tr")];
  const controls = element("div", "controls");
  const search = element("input");
  search.type = "search";
  const count = element("output");
  count.setAttribute("aria-live", "polite");
  const choices = heads.filter((head) => "choice" in head.dataset).map((head) => choice(head, heads.indexOf(head), rows));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = ([select, column]) => select.value === "" || row.cells[column].textContent === select.value;
      row.hidden = !(words.every((word) => text.includes(word)) && choices.every(fits));
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  };
  controls.append(labelled("Filter", search), ...choices.map(([select, , name]) => labelled(name, select)), count);
  controls.addEventListener("input", filter);
  listing.prepend(controls);
  filter();
  heads.forEach((head, column) => sortable(head, column, heads, rows));
}

function choice(head, column, rows) {
  const select = element("select");
  const values = [...new Set(rows.map((row) => row.cells[column].textContent))];
  select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
  return [select, column, head.textContent];
}

function sortable(head, column, heads, rows) {
  const button = element("button");
  button.type = "button";
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => compare(a.cells[column], b.cells[column], down));
    rows[0]?.parentNode.append(...rows);
  });
}

function compare(a, b, down) { // numbers by value, texts by letters; what is missing comes last either way
  const [x, y] = [a, b].map((cell) => cell.dataset.value ?? cell.textContent);
  if (x === "" || y === "") return (x === "") - (y === "");
  const order = "value" in a.dataset ? x - y : x.localeCompare(y, "en", { numeric: true });
  return down ? -order : order;
}

function element(kind, name = "") {
  const made = document.createElement(kind);
  made.className = name;
  return made;
}

function labelled(name, field) {
  const label = element("label");
  label.append(`${name} `, field);
  return label;
}

const tip = document.getElementById("tip");
document.addEventListener("pointerover", (event) => {
  const mark = event.target.closest?.("svg [aria-roledescription]:not([aria-roledescription*=axis])[aria-label]");
  tip.hidden = !mark;
  if (!mark) return;
  tip.textContent = mark.getAttribute("aria-label");
  const at = mark.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(at.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${scrollY + at.bottom + 6}px`;
});
document.addEventListener("keydown", (event) => { tip.hidden ||= event.key === "Escape"; });
