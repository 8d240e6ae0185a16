// Keys, dragging, the clock and words for a lost connection. Each page works without this file; texts come from the
// page's data attributes, never from here.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const filled = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const say = (region, words) => { if (region && region.textContent !== words) region.textContent = words; };

  // Keys: data-key on a button, link or summary names its key; data-primary is what Enter does.
  const isField = (element) =>
    element.closest("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])") !== null;
  const press = (key) => {
    const target = all("[data-key]").find((element) => element.dataset.key === key && !element.disabled);
    if (target) target.click();
    return Boolean(target);
  };
  // The clip that plays pauses; else the one with the focus plays, or the first.
  const play = () => {
    const clips = all("audio");
    const clip = clips.find((each) => !each.paused) ?? clips.find((each) => each.matches(":focus")) ?? clips[0];
    if (clip?.paused) clip.play().catch(() => {}); else clip?.pause();
    return clip;
  };
  const choose = (number) => {
    const input = all(".option input:not([type=hidden])")[number - 1];
    if (!input) return press(String(number));
    input.focus();
    input.click();
    return true;
  };
  const openSheet = (id) => {
    const sheet = document.getElementById(id);
    if (sheet && !sheet.open) sheet.showModal();
    return Boolean(sheet);
  };
  const enter = (target) => {
    const rests = target === document.body || target.matches("main, h1, .option input");
    const button = rests && one("[data-primary]");
    if (button) button.click();
    return Boolean(button);
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      if (event.key === "ArrowUp" || event.key === "ArrowDown") moveFocused(event);
      return;
    }
    if (one("dialog[open]") || isField(target)) return;
    const isOn = root.dataset.keys !== "off";
    let isDone = false;
    if (event.key === "Enter") isDone = !event.repeat && enter(target);
    else if (event.key === "Escape") isDone = closeMenu() || press("Escape");
    else if (event.repeat || !isOn) return;
    else if (/^[1-9]$/.test(event.key)) isDone = choose(Number(event.key));
    else if (event.key === "?") isDone = openSheet("keys");
    else if (event.key.length === 1) isDone = press(event.key.toLowerCase()) || (event.key === "p" && play());
    if (isDone) event.preventDefault();
  });

  // Menus close by Esc and by a press elsewhere; the focus goes back to their button.
  const closeMenu = () => {
    const menu = one("details.menu[open]");
    if (!menu) return false;
    menu.open = false;
    one("summary", menu).focus();
    return true;
  };
  document.addEventListener("pointerdown", (event) => {
    all("details.menu[open]").filter((menu) => !menu.contains(event.target)).forEach((menu) => { menu.open = false; });
  });

  // Ordering: the arrows without a request, and dragging by the grip.
  const rowsOf = (list) => all(":scope > li", list);
  const renumber = (list) => rowsOf(list).forEach((row, index, rows) => {
    one(".place", row).textContent = String(index + 1);
    const [up, down] = all("[name=move]", row);
    up.value = `up:${index + 1}`;
    down.value = `down:${index + 1}`;
    up.disabled = index === 0;
    down.disabled = index === rows.length - 1;
  });
  const speak = (list, row) => {
    const rows = rowsOf(list);
    const values = { name: row.dataset.name, place: rows.indexOf(row) + 1, count: rows.length };
    say(one("[data-live-region]", list.parentElement), filled(list.dataset.live, values));
  };
  const move = (row, way) => {
    const list = row.parentElement;
    const other = way === "up" ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (way === "up") other.before(row); else other.after(row);
    renumber(list);
    const [up, down] = all("[name=move]", row);
    const next = way === "up" ? up : down;
    (next.disabled ? (way === "up" ? down : up) : next).focus();
    speak(list, row);
  };
  const moveFocused = (event) => {
    const row = event.target.closest("[data-ordering] > li");
    if (!row) return;
    event.preventDefault();
    move(row, event.key === "ArrowUp" ? "up" : "down");
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-ordering] [name=move]");
    if (!button) return;
    event.preventDefault();
    move(button.closest("li"), button.value.split(":")[0]);
  });
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    if (!grip || event.button !== 0) return;
    const row = grip.closest("li");
    const list = row.parentElement;
    const before = rowsOf(list);
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    row.classList.add("dragged");
    const drag = (moved) => {
      const rows = rowsOf(list).filter((each) => each !== row);
      const next = rows.find((each) => {
        const box = each.getBoundingClientRect();
        return moved.clientY < box.top + box.height / 2;
      });
      if (next ? next !== row.nextElementSibling : list.lastElementChild !== row) {
        list.insertBefore(row, next ?? null);
        grip.setPointerCapture(event.pointerId);
        renumber(list);
      }
    };
    const end = (ended) => {
      grip.removeEventListener("pointermove", drag);
      row.classList.remove("dragged");
      if (ended.type === "pointercancel") list.append(...before);
      renumber(list);
      if (before.indexOf(row) !== rowsOf(list).indexOf(row)) speak(list, row);
      ["pointerup", "pointercancel"].forEach((name) => grip.removeEventListener(name, end));
    };
    grip.addEventListener("pointermove", drag);
    ["pointerup", "pointercancel"].forEach((name) => grip.addEventListener(name, end));
  });

  // Sheets: an announcement opens by itself; Esc is its Not Now.
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener && openSheet(opener.dataset.opens)) event.preventDefault();
    const zoomer = event.target.closest("[data-zooms]");
    if (zoomer) {
      const isZoomed = document.getElementById(zoomer.dataset.zooms).classList.toggle("zoomed");
      zoomer.setAttribute("aria-pressed", String(isZoomed));
    }
    const hider = event.target.closest("[data-hides]");
    if (!hider) return;
    sessionStorage.setItem(hider.dataset.hides, String(hide(hider)));
  });
  // What was hidden stays hidden on the pages that follow.
  const hide = (hider) => {
    const hidden = document.getElementById(hider.dataset.hides);
    hidden.hidden = !hidden.hidden;
    hider.setAttribute("aria-pressed", String(hidden.hidden));
    return hidden.hidden;
  };
  all("[data-hides]").filter((hider) => sessionStorage.getItem(hider.dataset.hides) === "true").forEach(hide);
  const sheet = one("dialog[data-sheet]");
  if (sheet) {
    sheet.addEventListener("cancel", (event) => {
      const later = one("form[data-on-cancel]", sheet);
      if (!later) return;
      event.preventDefault();
      later.requestSubmit();
    });
    sheet.showModal();
  }

  // The verdict comes with a new page: its rows are where they were.
  const heading = () => one("h1")?.textContent.trim() ?? "";
  const keepPlace = () => sessionStorage.setItem("place", JSON.stringify([heading(), scrollY]));
  const place = JSON.parse(sessionStorage.getItem("place") ?? "null");
  sessionStorage.removeItem("place");
  if (place && place[0] === heading()) scrollTo(0, place[1]);

  // What had the focus when Save, a flag or a choice was sent has it again on the same page, unless a field is wrong.
  const nameOf = (element) => element.dataset.key ?? (element.name && `${element.name} ${element.value}`);
  const keepFocus = () => sessionStorage.setItem("focused", JSON.stringify([location.pathname, nameOf(document.activeElement)]));
  const [path, name] = JSON.parse(sessionStorage.getItem("focused") ?? "[]");
  sessionStorage.removeItem("focused");
  if (path === location.pathname && name && !one("[aria-invalid]")) {
    const again = all("button, input:not([type=hidden])").filter((each) => nameOf(each) === name);
    if (again.length === 1) again[0].focus({ preventScroll: true });
  }

  // A request goes out only when the process answers; otherwise what was typed and chosen stays on the page.
  let isLeaving = false;
  const isAlive = () =>
    fetch(root.dataset.alive ?? "/files/icons.svg", { cache: "no-store", signal: AbortSignal.timeout(5000) })
      .then((reply) => reply.text().then(() => reply.ok)).catch(() => false);
  const showStopped = (retry) => {
    one("[data-stopped-banner]")?.remove();
    const banner = document.createElement("div");
    banner.className = "banner wrong floating";
    banner.dataset.stoppedBanner = "";
    banner.setAttribute("role", "alert");
    const words = document.createElement("p");
    words.textContent = root.dataset.stopped ?? "";
    const again = document.createElement("button");
    again.type = "button";
    again.className = "action";
    again.textContent = root.dataset.again ?? "";
    again.addEventListener("click", () => { banner.remove(); retry(); });
    banner.append(words, again);
    (one("dialog[open]") ?? document.body).append(banner);
  };
  const leave = async (go) => {
    if (isLeaving) return;
    isLeaving = true;
    const patience = setTimeout(() => say(one("[data-wait-region]"), root.dataset.wait ?? ""), 400);
    const alive = await isAlive();
    clearTimeout(patience);
    if (alive) { go(); return; }
    isLeaving = false;
    showStopped(() => leave(go));
  };
  const lacksChoice = (form, submitter) => {
    const foot = one("[data-foot]", form);
    const inputs = all(".option input:not([type=hidden])", form);
    if (!foot?.dataset.missing || !submitter?.matches("[data-primary], [data-default]")) return false;
    if (inputs.length === 0 || inputs.some((input) => input.checked)) return false;
    say(one(".verdict span", foot), foot.dataset.missing);
    foot.classList.add("care");
    inputs[0].focus();
    return true;
  };
  let isChecked = false;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (isChecked || event.defaultPrevented || form.getAttribute("method") === "dialog") { isChecked = false; return; }
    event.preventDefault();
    if (lacksChoice(form, event.submitter)) return;
    const submitter = event.submitter;
    leave(() => {
      if (one("[data-foot]", form)) keepPlace();
      // A press of the pointer leaves the keys where they were: at the answers.
      const isPressed = submitter === document.activeElement && !submitter.matches(":focus-visible");
      if (!isPressed && !submitter?.matches("[data-primary], [data-default]")) keepFocus();
      isChecked = true;
      form.requestSubmit(submitter);
    });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || event.defaultPrevented || !isPlain || link.target || link.hasAttribute("download")) return;
    const isElsewhere = link.origin !== location.origin;
    const isHere = link.hash && link.pathname === location.pathname && link.search === location.search;
    if (isElsewhere || isHere) return;
    event.preventDefault();
    leave(() => location.assign(link.href));
  });
  addEventListener("pageshow", () => { isLeaving = false; });

  // A choice that takes effect at once sends its form.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-instant]")) return;
    keepPlace();
    event.target.form.requestSubmit();
  });

  // The clock of a simulation: a sleeping device or a changed clock adds no time.
  const clock = one("[data-left]");
  if (clock) {
    const left = Number(clock.dataset.left);
    const start = { steady: performance.now(), wall: Date.now() };
    const spoken = new Set([10, 5, 1].filter((minutes) => left <= minutes * 60));
    const tick = () => {
      const passed = Math.max(performance.now() - start.steady, Date.now() - start.wall) / 1000;
      const seconds = Math.max(0, Math.ceil(left - passed));
      const isLast = seconds <= 300;
      const count = isLast ? seconds : Math.ceil(seconds / 60);
      const number = isLast ? `${Math.floor(count / 60)}:${String(count % 60).padStart(2, "0")}` : count;
      const pattern = isLast ? clock.dataset.seconds : clock.dataset.minutes;
      clock.textContent = filled(pattern, { count: number });
      const due = [10, 5, 1].filter((minutes) => seconds <= minutes * 60 && !spoken.has(minutes));
      due.forEach((minutes) => spoken.add(minutes));
      if (due.length) say(one("[data-clock-region]"), filled(clock.dataset.spoken, { count: due.at(-1) }));
      if (seconds > 0) { setTimeout(tick, 1000 - ((passed * 1000) % 1000)); return; }
      leave(() => location.assign(clock.dataset.over));
    };
    tick();
  }

  // Audio plays when asked, never by itself, and one clip at a time.
  document.addEventListener("play", (event) => {
    all("audio").forEach((each) => each === event.target || each.pause());
  }, true);

  document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) print(); });

  // Paper has the tables of charts, also where the style cannot open their folds.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not(.menu, [open])").filter((each) => one("table", each));
    folded.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => { folded.forEach((each) => { each.open = false; }); });

  // The line of freshness renews itself while a sync runs; what has the words stays, so that they are spoken once.
  const renew = (line, milliseconds) => line && setTimeout(() => fetch(line.dataset.renews, { cache: "no-store" })
    .then((reply) => reply.ok ? reply.text() : Promise.reject(new Error()))
    .then((text) => {
      const next = one(".freshness", new DOMParser().parseFromString(text, "text/html"));
      const status = one("[role=status]", line);
      const spoken = one("[role=status]", next);
      const words = spoken.textContent;
      spoken.replaceWith(status);
      line.replaceWith(next);
      say(status, words);
      renew(one("[data-renews]"), 1000);
    }).catch(() => renew(line, 5000)), milliseconds);
  renew(one("[data-renews]"), 500);

  // The places of a running event renew themselves until Pause; the own place is spoken when it changed.
  const renewPlaces = (live) => {
    let isPaused = false;
    const pauser = one("[data-pauses]");
    pauser?.addEventListener("click", () => {
      isPaused = !isPaused;
      [pauser.textContent, pauser.dataset.pauses] = [pauser.dataset.pauses, pauser.textContent];
    });
    const look = () => setTimeout(() => {
      if (isPaused || document.hidden) { look(); return; }
      fetch(live.dataset.livePlaces, { cache: "no-store" })
        .then((reply) => reply.ok ? reply.text() : Promise.reject(new Error()))
        .then((text) => {
          const next = one("[data-live-places]", new DOMParser().parseFromString(text, "text/html"));
          // Another phase has other buttons.
          if (next.dataset.state !== live.dataset.state) { location.reload(); return; }
          live.replaceChildren(...next.childNodes);
          say(one("[data-places-region]"), one("[data-spoken]", live).textContent);
          if (next.dataset.livePlaces) look();
        }).catch(look);
    }, 10000);
    look();
  };
  const places = one("[data-live-places]");
  if (places?.dataset.livePlaces) renewPlaces(places);

  // What an action did is spoken once the page is there. It leaves after 10 s, but not under the pointer or the focus, and
  // not with its Undo.
  all("[data-toast]").forEach((toast) => {
    setTimeout(() => one("p", toast).append("\u200b"), 300);
    if (one("form", toast)) return;
    const go = () => {
      if (toast.matches(":hover, :focus-within")) { setTimeout(go, 1000); return; }
      toast.remove();
    };
    setTimeout(go, 10000);
  });
})();
