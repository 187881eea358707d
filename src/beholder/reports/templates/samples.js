// Samples one at a time: keys and thumbnails step through them, in an order that shows first what is worth a look.
(function () {
  "use strict";
  const SMALL = 160; // px: below it, pixels are shown as squares and not blurred
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  const known = (values) => Object.values(values).filter((x) => Number.isFinite(x));

  function spread(values) {
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    return values.length > 1 ? Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length) : NaN;
  }

  // Films play while they are seen, unless the reader wants no motion or has paused them.
  const seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
    if (!isIntersecting) target.pause();
    else if (!calm.matches && !target.dataset.stopped) target.play().catch(() => {});
  }), { threshold: 0.25 });

  // What is not seen any more neither plays nor is watched.
  function clear(place) {
    place.querySelectorAll("video").forEach((video) => {
      seen.unobserve(video);
      video.pause();
    });
    place.replaceChildren();
  }

  function controls(video) {
    const line = make("p", "plays"), play = make("button", "", "Play"), slow = make("button", "", "¼ speed");
    [play, slow].forEach((button) => { button.type = "button"; });
    slow.setAttribute("aria-pressed", "false");
    play.addEventListener("click", () => {
      video.dataset.stopped = video.paused ? "" : "yes";
      if (video.paused) video.play().catch(() => {});
      else video.pause();
    });
    slow.addEventListener("click", () => {
      video.defaultPlaybackRate = video.playbackRate = video.playbackRate === 1 ? 0.25 : 1;
      slow.setAttribute("aria-pressed", String(video.playbackRate !== 1));
    });
    ["play", "pause"].forEach((what) => video.addEventListener(what, () => {
      play.textContent = video.paused ? "Play" : "Pause";
    }));
    line.append(play, slow);
    return line;
  }

  function show(box) {
    const data = JSON.parse(box.querySelector("script[type='application/json']").textContent);
    const find = (what) => box.querySelector(what);
    const [bar, thumbs, stage, sheet, where, order, measure, dialog] =
      [".bar", ".thumbs", ".stage", ".sheet", ".where", ".order", ".measure", "dialog"].map(find);
    const places = Array.from(box.querySelectorAll(".right > .one"));
    const links = Array.from(thumbs.querySelectorAll("a"));
    const names = links.map((link) => link.title), last = names.map((name) => name.split("/").pop());
    const short = new Set(last).size === names.length ? last : names, sheets = links.map((link) => (link.querySelector("img") || link).src || link.href);
    links.filter((link) => !link.href).forEach((link) => { link.href = `#${box.id}`; }); // no browser opens a picture that a page carries
    const clips = find(".films"), judged = data.models.map((one) => one.role === "model" || one.role === "baseline");
    const state = { sorted: [], at: 0, pair: [data.a, data.b], measure: 0, tab: "pair" };
    const sample = () => state.sorted[state.at];
    // A measure that is confined to a class of samples gives way to the same one of the class that this sample is of.
    const measureOf = (at) => {
      const { scores } = data.samples[at], empty = (one) => !Object.keys(scores[one] || {}).length;
      const like = data.measures.findIndex((one, n) => one.of === data.measures[state.measure].of && !empty(n));
      return empty(state.measure) && like >= 0 ? like : state.measure;
    };
    const scoresOf = (at) => (data.measures.length ? data.samples[at].scores[measureOf(at)] || {} : {});
    const number = (at, x) => x.toFixed(data.measures[measureOf(at)].digits);
    const called = (at) => (at === null ? "nobody" : data.models[at].name);
    const mine = (at) => at !== null && data.models[at].role === "model";

    // Views.

    const viewOf = (at, row) => {
      const { base } = data.samples[at];
      return { ...data.kinds[row[0]], high: row[1], wide: row[2], file: base + row[3], poster: row[4] !== undefined ? base + row[4] : "" };
    };

    const groundOf = (at, view) => view.over && data.samples[at].shared.map((row) => viewOf(at, row)).find((one) => one.title === view.over);

    function image(view, classes, alt) {
      const one = make("img", classes + (Math.max(view.high, view.wide) < SMALL && view.high ? " squares" : ""));
      one.decoding = "async";
      one.alt = alt;
      one.src = view.file;
      return one;
    }

    function layers(at, view, alt) {
      const place = make("span", "layers"), ground = groundOf(at, view), size = ground || view;
      place.style.aspectRatio = `${size.wide || 4} / ${size.high || 3}`;
      place.style.setProperty("--ratio", (size.wide || 4) / (size.high || 3));
      if (ground) place.append(image(ground, view.faint ? "ground faint" : "ground", ""));
      if (view.poster) {
        const video = make("video");
        Object.assign(video, { muted: true, loop: true, playsInline: true, preload: "auto", poster: view.poster, src: view.file });
        video.setAttribute("aria-label", alt);
        place.append(video);
      } else place.append(image(view, ground ? "layer" : "", alt));
      return place;
    }

    function panel(at, view, who, quiet) {
      const figure = make("figure", "view"), head = make("figcaption", "", view.title);
      const alt = `${who ? `${who}: ` : ""}${view.alt}`, shown = layers(at, view, alt);
      const video = shown.querySelector("video");
      figure.append(head);
      if (video) {
        figure.append(shown, controls(video));
        seen.observe(video);
      } else {
        const button = make("button", "zoom");
        button.type = "button";
        button.title = "enlarge";
        button.append(shown);
        button.addEventListener("click", () => enlarge(at, view, who));
        figure.append(button);
      }
      if (view.legend && !quiet) figure.append(make("p", "legend", view.legend));
      return figure;
    }

    function enlarge(at, view, who) {
      const large = dialog.querySelector(".large"), title = `${names[at]}: ${who ? `${who}, ` : ""}${view.title}`;
      large.replaceChildren(make("p", "", title), layers(at, view, view.alt), make("p", "legend", view.legend));
      dialog.setAttribute("aria-label", title);
      dialog.showModal();
    }

    function chooser(slot) {
      const label = make("label", slot ? "second" : "first"), select = make("select");
      label.append(slot ? "and " : "Model ", select);
      if (slot) select.append(new Option("nobody", ""));
      [["yours", (one) => one.role === "model"], ["others", (one) => one.role !== "model"]].forEach(([title, holds]) => {
        const group = make("optgroup");
        group.label = title;
        data.models.forEach((one, at) => { if (one.seen && holds(one)) group.append(new Option(one.name, at)); });
        if (group.children.length) select.append(group);
      });
      select.addEventListener("change", () => choose(slot, select.value === "" ? null : Number(select.value)));
      return label;
    }

    const choosers = data.a === null ? [] : [chooser(0), chooser(1)];

    function fill(slot, at) {
      const place = places[slot], who = state.pair[slot], views = who === null ? undefined : data.samples[at].own[who];
      const body = place.querySelector(".views"), head = place.querySelector(".score");
      choosers[slot].querySelector("select").value = who === null ? "" : String(who);
      place.classList.toggle("mine", mine(who));
      const score = who === null ? undefined : scoresOf(at)[who];
      head.textContent = score === undefined ? "" : `${data.measures[measureOf(at)].name} ${number(at, score)}`;
      clear(body);
      const told = slot ? (data.samples[at].own[state.pair[0]] || []).map((row) => row[0]) : []; // legends stand once
      if (views) body.append(...views.map((row) => panel(at, viewOf(at, row), called(who), told.includes(row[0]))));
      else if (who !== null && data.samples[at].shared.length) body.append(make("p", "none", `${called(who)} has no answer here that can be shown.`));
    }

    // Scores of everybody on this sample, the best first.

    function tally(at) {
      const place = find(".scores"), scores = scoresOf(at), values = known(scores);
      place.replaceChildren();
      if (!values.length) return;
      const { name, better } = data.measures[measureOf(at)], low = Math.min(...values), span = Math.max(...values) - low || 1;
      const sign = better === "lower" ? 1 : -1;
      const ranked = Object.keys(scores).map(Number).sort((x, y) => sign * (scores[x] - scores[y]) || x - y);
      place.append(make("p", "legend", `${name}, ${better} is better`));
      const list = make("ol");
      ranked.forEach((who) => {
        const line = make("li", [who === state.pair[0] ? "a" : who === state.pair[1] ? "b" : "", mine(who) ? "mine" : ""].join(" ").trim());
        const model = data.models[who], strip = make("span", "strip"), dot = make("i", model.role);
        const label = make(model.seen ? "button" : "span", "name", model.name);
        if (model.seen) {
          label.type = "button";
          label.addEventListener("click", () => choose(0, who));
        }
        if (!judged[who]) label.append(make("small", "", ` ${model.role}`));
        dot.style.left = `${100 * (scores[who] - low) / span}%`;
        strip.append(dot);
        line.append(label, strip, make("span", "number", number(at, scores[who])));
        list.append(line);
      });
      const scroll = make("div", "scroll");
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "group");
      scroll.setAttribute("aria-label", "scores on this sample");
      scroll.append(list);
      place.append(scroll);
      place.style.setProperty("--digits", Math.max(...values.map((x) => number(at, x).length)));
      const lines = Array.from(list.children), own = lines.findIndex((line) => line.classList.contains("a"));
      const { top, height } = lines[0].getBoundingClientRect(), above = top - scroll.getBoundingClientRect().top;
      const room = height ? Math.floor((scroll.clientHeight - above) / height) : lines.length;
      if (room >= lines.length) return; // else whole lines are seen, from the top unless the chosen model is further down
      scroll.style.maxHeight = `${above + room * height}px`;
      if (own >= room) scroll.scrollTop = height * Math.min(own - Math.floor(room / 2), lines.length - room);
    }

    // Order.

    const keys = {
      disagree: (at) => -spread(known(Object.fromEntries(Object.entries(scoresOf(at)).filter(([who]) => judged[who])))),
      worst: (at) => (data.measures[state.measure].better === "lower" ? -1 : 1) * (scoresOf(at)[state.pair[0]] ?? NaN),
      differ: (at) => -Math.abs((scoresOf(at)[state.pair[0]] ?? NaN) - (scoresOf(at)[state.pair[1]] ?? NaN)),
      id: () => 0,
    };

    function sort() {
      const collator = new Intl.Collator("en", { numeric: true }), key = names.map((_, at) => keys[order.value](at));
      state.sorted = names.map((_, at) => at).sort((x, y) => {
        const [one, other] = [key[x], key[y]];
        if (one !== one || other !== other) return (one !== one) - (other !== other) || x - y;
        return one - other || collator.compare(names[x], names[y]) || x - y;
      });
      thumbs.append(...state.sorted.map((at) => links[at].parentElement));
    }

    function orders() {
      const [a, b] = state.pair, scored = data.measures.length > 0, chosen = order.value;
      const offered = [
        ["disagree", "models disagree most", scored && judged.filter(Boolean).length > 1],
        ["worst", `worst for ${called(a)}`, scored && a !== null],
        ["differ", `${called(a)} and ${called(b)} differ most`, scored && a !== null && b !== null],
        ["id", "by id", true],
      ].filter((one) => one[2]);
      order.replaceChildren(...offered.map(([value, text]) => new Option(text, value)));
      order.value = offered.some(([value]) => value === chosen) ? chosen : offered[0][0];
    }

    // What is shown.

    function thumb(at) {
      const link = links[at], row = data.samples[at].shared[0], view = row && viewOf(at, row);
      const clip = clips && clips.querySelector(`[data-sample="${at}"] video`), picture = make("img");
      picture.src = view ? view.poster || view.file : clip ? clip.poster : sheets[at];
      picture.alt = "";
      picture.loading = "lazy";
      link.replaceChildren(picture, make("span", "", short[at]));
    }

    function films(at) {
      if (!clips) return;
      clips.querySelectorAll(".players").forEach((one) => {
        one.hidden = Number(one.dataset.sample) !== at;
        one.querySelectorAll(".film").forEach((film) => {
          const chosen = state.tab === "sheet" || state.pair.some((who) => who !== null && data.models[who].name === film.dataset.model);
          film.hidden = !chosen;
          film.style.order = data.models[state.pair[0]] && data.models[state.pair[0]].name === film.dataset.model ? -1 : 0;
          if (one.hidden || !chosen) film.querySelectorAll("video").forEach((video) => video.pause());
        });
      });
    }

    function ahead(at) { // what the next key would show
      if (at === undefined) return;
      const { shared, own } = data.samples[at];
      [...shared, ...state.pair.flatMap((who) => own[who] || [])].map((row) => viewOf(at, row)).forEach((view) => {
        if (!view.poster) new Image().src = view.file;
      });
    }

    function draw() {
      const at = sample(), { shared, own, fault } = data.samples[at], sided = shared.length > 0 || Object.keys(own).length > 0;
      const filmed = clips && clips.querySelector(`[data-sample="${at}"] .film`);
      const tab = sided || filmed ? state.tab : "sheet", place = find(".shared");
      where.textContent = `${state.at + 1} of ${names.length}: ${names[at]}`;
      links.forEach((link, one) => {
        link.tabIndex = one === at ? 0 : -1;
        if (one === at) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
      bar.querySelectorAll("[data-tab]").forEach((button) => {
        button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
        button.disabled = button.dataset.tab === "pair" && !sided && !filmed;
      });
      box.dataset.tab = tab;
      box.querySelector(":scope > .note").textContent = data.samples[at].note;
      clear(place);
      const views = shared.map((row) => viewOf(at, row)), below = [...views, ...data.kinds].map((one) => one.over);
      place.append(...views.filter((view, n) => !n || !below.includes(view.title)).map((view) => panel(at, view, "")));
      stage.classList.toggle("single", Object.values(own).every((one) => one.length === 1));
      if (fault) place.append(make("p", "none", `This sample could not be drawn side by side (${fault}).`));
      if (choosers.length) [0, 1].forEach((slot) => fill(slot, at));
      tally(at);
      films(at);
      stage.classList.toggle("bare", !sided && !filmed);
      stage.classList.toggle("filmed", Boolean(filmed));
      sheet.hidden = false; // a style sheet hides it where it is not asked for: paper always shows it
      if (!sheets[at].startsWith("data:")) sheet.querySelector("a").href = sheets[at];
      const picture = sheet.querySelector("img") || make("img");
      picture.alt = `Sample ${names[at]} with the models' answers`;
      picture.loading = tab === "sheet" ? "eager" : "lazy";
      picture.src = sheets[at];
      sheet.querySelector("a").append(picture);
      sheet.querySelector("figcaption").textContent = `${names[at]}: all models on one sheet`;
      ahead(state.sorted[state.at + 1]);
    }

    function go(to, focus) {
      state.at = Math.max(0, Math.min(to, names.length - 1));
      draw();
      const link = links[sample()];
      if (focus) link.focus({ preventScroll: true });
      thumbs.scrollTo({ left: link.offsetLeft - thumbs.clientWidth / 2 + link.clientWidth / 2, behavior: calm.matches ? "auto" : "smooth" });
    }

    function resort(keep) {
      const at = sample();
      orders();
      sort();
      go(keep && at !== undefined ? state.sorted.indexOf(at) : 0, false);
    }

    function choose(slot, who) {
      if (who !== null && who === state.pair[1 - slot]) state.pair[1 - slot] = state.pair[slot];
      state.pair[slot] = who;
      resort(true);
    }

    function press(event) {
      const to = { ArrowLeft: state.at - 1, ArrowRight: state.at + 1, Home: 0, End: names.length - 1 }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || dialog.open) return;
      if (event.target.closest("select, input, textarea, video")) return;
      event.preventDefault();
      go(to, Boolean(event.target.closest(".thumbs")));
    }

    links.forEach((link, at) => {
      thumb(at);
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(state.sorted.indexOf(at), true);
      });
    });
    choosers.forEach((label, slot) => places[slot].append(Object.assign(make("div", "who"), {}), make("div", "views")));
    choosers.forEach((label, slot) => places[slot].querySelector(".who").append(label, make("span", "score")));
    if (clips) stage.querySelector(".right").append(clips);
    data.measures.forEach((one, at) => measure.append(new Option(one.name, at)));
    find(".by").hidden = data.measures.length < 2;
    measure.addEventListener("change", () => {
      state.measure = Number(measure.value);
      resort(true);
    });
    order.addEventListener("change", () => resort(false));
    bar.querySelectorAll("[data-by]").forEach((one) => one.addEventListener("click", () => go(state.at + Number(one.dataset.by), false)));
    bar.querySelectorAll("[data-tab]").forEach((one) => one.addEventListener("click", () => {
      state.tab = one.dataset.tab;
      draw();
    }));
    dialog.addEventListener("close", () => dialog.querySelector(".large").replaceChildren());
    box.addEventListener("keydown", press);
    // Anything on the page may ask for a pair of models by their names, or for an order.
    box.addEventListener("choose", ({ detail }) => {
      ["a", "b"].forEach((which, slot) => {
        const who = data.models.findIndex((one) => one.seen && one.name === detail[which]);
        if (who >= 0) state.pair[slot] = who;
      });
      orders();
      if (detail.order && Array.from(order.options).some((one) => one.value === detail.order)) order.value = detail.order;
      resort(!detail.order);
    });
    window.addEventListener("beforeprint", () => { sheet.querySelector("img").loading = "eager"; });
    [bar, stage, find(".hint")].forEach((part) => { part.hidden = false; });
    resort(false);
  }

  document.querySelectorAll(".samples").forEach(show);
})();
