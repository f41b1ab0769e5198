// The page on which a bot is handed in: a file or an archive goes as it is, a folder or several files as one zip.
// @ts-check
import { send } from "./contest.js";
import { find, tell } from "./page.js";
import { zip } from "./zip.js";

const LEFT_OUT = /(^|\/)(\.[^/]*|__pycache__|node_modules|venv)(\/|$)/; // of folders

/** @typedef {{path: string, file: File}} Chosen */

/** All files of what was dropped. @param {any} entry of the File System API, or a file @param {string} above @returns {Promise<Chosen[]>} */
async function filesOf(entry, above = "") {
  if (entry instanceof File) return [{ path: entry.name, file: entry }];
  const path = above + entry.name;
  if (entry.isFile) return [{ path, file: await new Promise((done, fail) => entry.file(done, fail)) }];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail)); // 100 at a time
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map((one) => filesOf(one, `${path}/`)))).flat();
}

/** The files of one folder, as from within it. @param {Chosen[]} chosen @returns {Chosen[]} */
function withoutTop(chosen) {
  const top = chosen[0].path.split("/")[0];
  const isOne = chosen.every(({ path }) => path.startsWith(`${top}/`));
  const inside = isOne ? chosen.map(({ path, file }) => ({ path: path.slice(top.length + 1), file })) : chosen;
  return inside.filter(({ path }) => !LEFT_OUT.test(path));
}

/** @param {Chosen[]} chosen */
async function handIn(chosen) {
  if (!chosen.length) return;
  const isAlone = chosen.length === 1 && !chosen[0].path.includes("/");
  find("drop").setAttribute("aria-busy", "true");
  find("state").textContent = "sending …";
  try {
    const files = isAlone ? chosen : withoutTop(chosen);
    const name = isAlone ? chosen[0].file.name : "folder.zip";
    const body = isAlone ? chosen[0].file : await zip(files);
    const told = await send(`/hand-in/${encodeURIComponent(name)}`, { method: "PUT", body });
    location.assign(told.page);
  } catch (error) {
    find("state").textContent = "";
    tell(error instanceof Error ? error.message : String(error));
  } finally {
    find("drop").removeAttribute("aria-busy");
  }
}

/** @param {HTMLInputElement} input */
function onChoice(input) {
  handIn([...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
  input.value = "";
}

const drop = find("drop");
drop.addEventListener("dragover", (/** @type {DragEvent} */ event) => {
  event.preventDefault();
  drop.dataset.over = "yes";
});
drop.addEventListener("dragleave", () => delete drop.dataset.over);
drop.addEventListener("drop", async (/** @type {DragEvent} */ event) => {
  event.preventDefault();
  delete drop.dataset.over;
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean);
  handIn((await Promise.all(entries.map((entry) => filesOf(entry)))).flat());
});
for (const id of ["files", "folder"]) find(id).addEventListener("change", () => onChoice(find(id)));
