// The list of keys, as a dialog of every page that has keys: the buttons for help open it. Knows no page.
// @ts-check

/** @param {string} tag @param {string} text @returns {HTMLElement} */
const part = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

/** @param {string[][]} keys pairs of key and what it does @returns {HTMLDialogElement} */
export function addHelp(keys) {
  const dialog = document.createElement("dialog");
  dialog.id = "help";
  dialog.setAttribute("aria-labelledby", "help-title");
  const title = Object.assign(part("h2", "Keys"), { id: "help-title" });
  const list = Object.assign(document.createElement("dl"), { id: "keys" });
  list.append(...keys.flatMap(([key, text]) => [part("dt", key), part("dd", text)]));
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  form.append(part("button", "Close"));
  dialog.append(title, list, form);
  document.body.append(dialog);
  return dialog;
}
