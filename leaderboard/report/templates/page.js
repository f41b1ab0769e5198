"use strict";
(() => {
  const themes = ["auto", "light", "dark"];
  const button = document.getElementById("theme");
  const kept = () => { try { return localStorage.getItem("joust-theme"); } catch { return null; } };
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
    try { localStorage.setItem("joust-theme", theme); } catch { /* a page without storage forgets */ }
  };
  let at = Math.max(0, themes.indexOf(kept()));
  show(themes[at]);
  button.hidden = false;
  button.addEventListener("click", () => { at = (at + 1) % themes.length; show(themes[at]); });

  for (const command of document.querySelectorAll("code.copy")) {
    const press = document.createElement("button");
    press.type = "button";
    press.textContent = "Copy";
    press.setAttribute("aria-label", "Copy " + command.textContent);
    press.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
        press.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(command);  // then the reader's own keys copy it
      }
    });
    command.after(press);
  }

  addEventListener("beforeprint", () => { for (const folded of document.querySelectorAll("details")) folded.open = true; });

  const value = (row, column, isText) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    if (isText) return text;
    const number = parseFloat(text.replace("−", "-").replaceAll(",", ""));
    return Number.isNaN(number) ? text : number;
  };
  const compare = (one, two) => {
    if (typeof one === typeof two) return typeof one === "number" ? one - two : one.localeCompare(two);
    return typeof one === "number" ? -1 : 1;
  };
  const sort = (table, column, heading) => {
    const isText = heading.classList.contains("name") || heading.classList.contains("text");
    const was = heading.getAttribute("aria-sort");
    const direction = was === "ascending" ? "descending" : was === "descending" ? "ascending"
      : isText || heading.cellIndex === 0 ? "ascending" : "descending";
    for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction);
    table.classList.add("sorted");
    const sign = direction === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, two) => sign * compare(value(one, column, isText), value(two, column, isText)));
    table.tBodies[0].append(...rows);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      if (heading.classList.contains("chart")) return;
      const press = document.createElement("button");
      press.type = "button";
      press.append(...heading.childNodes);
      heading.append(press);
      press.addEventListener("click", () => sort(table, column, heading));
    });
  }
})();
