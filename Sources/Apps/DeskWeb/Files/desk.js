// The desk with script: keys for lists and searches, and menus of an import that read again. Everything works without it.
"use strict";
(() => {
  const menu = document.querySelector(".desk-menu");
  const narrow = matchMedia("(max-width: 759.98px)");
  const fit = () => { if (menu) { menu.open = !narrow.matches; menu.dataset.ready = ""; } };
  fit();
  narrow.addEventListener("change", fit);

  const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]");
  const rows = () => [...document.querySelectorAll("[data-rows] a[href]")];
  const move = (step) => {
    const all = rows();
    const at = all.indexOf(document.activeElement);
    const current = all.findIndex((row) => row.hasAttribute("aria-current"));
    all[Math.min(Math.max((at < 0 ? current : at) + step, 0), all.length - 1)]?.focus();
  };
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      const save = document.querySelector("[data-save]");
      if (save) { event.preventDefault(); save.click(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") {
      const search = document.querySelector("input[type=search]");
      if (search) { event.preventDefault(); search.focus(); }
    } else if (event.key === "n") document.querySelector("[data-new]")?.click();
  });
})();

// The page of an import: a menu that changes reads the questions again in place, as the button does without script.
(() => {
  const form = document.querySelector("form[data-reads]");
  if (!form) return;
  const status = document.getElementById("import-status");
  // What fields hold was sent, so only other fields replace them.
  const shape = (part) => (part.dataset.part !== "fields" ? part.innerHTML : part.innerHTML
    .replaceAll(/ (?:selected|checked)=""/g, "").replaceAll(/(<input class="input"[^>]*?) value="[^"]*"/g, "$1"));
  const show = (page, button) => {
    if (!page.getElementById("import-status")) throw new Error("another page");
    const focused = document.activeElement;
    // A problem of the file or the text must be seen.
    const source = document.getElementById("source");
    source.open ||= page.getElementById("source").open;
    for (const part of form.querySelectorAll("[data-part]")) {
      const next = page.getElementById(part.id);
      if (!next || shape(next) === shape(part)) continue;
      part.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node)));
    }
    const text = document.getElementById("text");
    if (text) text.ariaInvalid = page.getElementById("text")?.ariaInvalid ?? null;
    if (button) document.getElementById("rows")?.focus();
    else if (!focused.isConnected) document.getElementById(focused.id)?.focus();
  };

  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const read = async (button) => {
    const body = new FormData(form, button);
    let reply = null;
    // The desk reads one import at a time, and says so of another's.
    for (let tries = 0; tries < 40 && (!reply || reply.status === 503); tries += 1) {
      if (reply) await wait(250);
      reply = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
    }
    return new DOMParser().parseFromString(await reply.text(), "text/html");
  };
  // Arrow keys change a menu several times: only the last state is read, after what is being read.
  let wanted = null;
  let isReading = false;
  const again = async (button) => {
    wanted = { button };
    if (isReading) return;
    isReading = true;
    try {
      while (wanted) {
        await wait(100);
        const asked = wanted;
        wanted = null;
        const page = asked && await read(asked.button);
        if (page && !wanted) show(page, asked.button);
      }
    } catch {
      wanted = null;
      status.textContent = form.dataset.failed;
    }
    isReading = false;
  };
  form.addEventListener("change", (event) => {
    if (event.target.closest("[data-rereads]") && document.getElementById("reading").childElementCount) again();
  });
  form.addEventListener("submit", (event) => {
    wanted = null;
    if (event.submitter?.name !== "page") return;
    event.preventDefault();
    again(event.submitter);
  });
})();
