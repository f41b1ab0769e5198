// Every page of a contest: theme, forms that post JSON, local times, and parts that are fetched anew while somebody looks.
// @ts-check
import { element, find, isTaken, showTheme, tell, toggleFullScreen } from "./page.js";

/** Sends a change, with the header that no other site can send; the answer's data, or an error with the server's sentence.
 * @param {string} address @param {{method?: string, body?: BodyInit}} [options] @returns {Promise<any>} */
export async function send(address, { method = "POST", body } = {}) {
  const answer = await fetch(address, { method, body, headers: { "X-Joust": "1" } });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** @param {HTMLFormElement} form */
async function post(form) {
  const question = form.dataset.ask;
  if (question && !confirm(question)) return;
  const button = form.querySelector("button");
  button?.setAttribute("disabled", "");
  try {
    const fields = Object.fromEntries(new FormData(form));
    const told = await send(form.action, { body: JSON.stringify(fields) });
    tell("");
    if (told?.key) showKey(told);
    else if (told?.go) location.assign(told.go);
    else await refresh(true);
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    find("notice").scrollIntoView({ block: "nearest" });
  } finally {
    button?.removeAttribute("disabled");
  }
}

/** Shows a key, which the server does not tell again. @param {{key: string, name: string}} told */
function showKey({ key, name }) {
  const box = find("key-box");
  box.hidden = false;
  find("key-name").textContent = name;
  find("key").textContent = key;
  const file = new Blob([`${key}\n${location.origin}/\n`], { type: "text/plain" });
  Object.assign(find("key-file"), { href: URL.createObjectURL(file), download: "joust.key" });
  box.focus();
  box.scrollIntoView({ block: "nearest" });
  for (const form of document.querySelectorAll("form.only-once")) form.setAttribute("hidden", "");
}

/** Replaces the parts of the page that have changed, but none in which somebody works. @param {boolean} [isAsked] */
async function refresh(isAsked = false) {
  const answer = await fetch(location.href);
  if (!answer.ok) return tell(await answer.text());
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of document.querySelectorAll("[data-part]")) {
    const part = now.getElementById(old.id);
    const isUsed = old.contains(document.activeElement) && !isAsked;
    if (!part || isUsed || old.dataset.made === part.outerHTML) continue;
    part.dataset.made = part.outerHTML;
    const focused = old.contains(document.activeElement) ? document.activeElement?.id : "";
    old.replaceWith(part);
    if (focused) find(focused)?.focus();
  }
  showTimes();
}

/** Local time behind each time in UTC. */
function showTimes() {
  for (const time of document.querySelectorAll("time[data-local]:not([data-done])")) {
    const local = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    time.append(element("span", "quiet", ` (${local} here)`));
    time.dataset.done = "yes";
  }
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (isTaken(event)) return;
  const button = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key?.split(" ").includes(event.key));
  if (!(button instanceof HTMLButtonElement) || button.disabled) return;
  event.preventDefault();
  button.click();
}

const changeTheme = showTheme();
find("theme").addEventListener("click", changeTheme);
document.addEventListener("keydown", onKey);
document.addEventListener("click", (event) => event.target instanceof Element && event.target.closest("[data-full]") && toggleFullScreen());
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !("post" in form.dataset)) return;
  event.preventDefault();
  post(form);
});
for (const part of document.querySelectorAll("[data-part]")) part.dataset.made = part.outerHTML;
showTimes();
const everyMs = 1000 * Number(document.body.dataset.every ?? 0);
if (everyMs) setInterval(() => document.hidden || refresh().catch((error) => tell(`the page cannot be brought up to date: ${error}`)), everyMs);
document.documentElement.dataset.ready = "yes";
