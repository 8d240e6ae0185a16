// The desk with script: keys for lists and searches. Everything works without it.
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
