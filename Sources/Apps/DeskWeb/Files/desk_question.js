// The page of a question with script: checks while it is typed, and drafts that survive leaving. Without it, Check does the same.
"use strict";
(() => {
  const form = document.querySelector("form[data-question]");
  if (!form) return;
  const key = `draft ${form.dataset.user} ${form.dataset.question}`;
  const entries = () => [...new FormData(form)].filter(([name]) => name !== "csrf").map(([name, value]) => [name, String(value)]);
  const read = () => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  const write = (draft) => { try { localStorage.setItem(key, JSON.stringify(draft)); } catch { /* A full store keeps no draft. */ } };
  const forget = () => localStorage.removeItem(key);
  const valueOf = (fields, name) => fields.find((field) => field[0] === name)?.[1];
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  // A draft goes when the page shows it, or when it was sent and the file has another version since.
  const isWork = location.pathname !== form.dataset.question;
  const draft = read();
  const notice = document.getElementById("draft");
  if (draft && Array.isArray(draft.fields) && !isWork) {
    const isSaved = draft.isSent && valueOf(draft.fields, "seen") !== form.elements.seen.value && !document.querySelector("table.conflict");
    if (isSaved || same(draft.fields, entries())) forget();
    else if (!document.querySelector("table.conflict")) {
      for (const [name, value] of draft.fields) {
        const input = document.createElement("input");
        Object.assign(input, { type: "hidden", name, value });
        notice.append(input);
      }
      notice.hidden = false;
      notice.querySelector("[data-discard]").addEventListener("click", () => { forget(); notice.hidden = true; });
    }
  }
  if (isWork) write({ fields: entries() });

  // On a phone the preview would stand between the fields and the rest of the page.
  const preview = document.querySelector(".desk-preview");
  if (preview && matchMedia("(max-width: 759.98px)").matches) preview.open = false;

  let running = null;
  const check = async () => {
    running?.abort();
    running = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    const reply = await fetch(form.dataset.check, { method: "POST", body, signal: running.signal, credentials: "same-origin" });
    if (!reply.ok || reply.redirected) return;
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const part of document.querySelectorAll("[data-part][id]")) {
      const next = page.getElementById(part.id);
      if (next && next.innerHTML !== part.innerHTML) part.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node)));
    }
    for (const field of form.querySelectorAll("[aria-describedby]")) {
      if (page.getElementById(field.id)?.hasAttribute("aria-invalid")) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  };
  let timer = 0;
  const changed = () => {
    write({ fields: entries() });
    clearTimeout(timer);
    timer = setTimeout(() => check().catch(() => {}), 300);
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    running?.abort();
    write({ fields: entries(), isSent: !event.submitter?.formAction.endsWith("/check") });
  });
})();
