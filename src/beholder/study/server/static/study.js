// The script of a study: it plays what is shown, takes the answer, and does not let go of it until the server has it.

const page = document.body.dataset;
const byId = (id) => document.getElementById(id);
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

// ---------------------------------------------------------------------------------------------------------------
// Answers that wait for the server. They are written down before they are sent, and crossed out when they are stored.

const SHELF = "beholder-answers";
const KEPT_DAYS = 7; // answers that the server did not know are kept this long, for they may be another person's

class Database {
  static async open() {
    const asked = indexedDB.open("beholder", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(SHELF, { keyPath: "key" });
    return new Database(await settled(asked));
  }
  constructor(base) {
    this.base = base;
    this.lasting = true;
  }
  async put(entry) {
    // strict: flushed to disk before it counts as written
    const deed = this.base.transaction(SHELF, "readwrite", { durability: "strict" });
    deed.objectStore(SHELF).put(entry);
    await new Promise((done, failed) => {
      deed.oncomplete = done;
      deed.onabort = deed.onerror = () => failed(deed.error);
    });
  }
  all() {
    return settled(this.base.transaction(SHELF).objectStore(SHELF).getAll());
  }
  remove(key) {
    return settled(this.base.transaction(SHELF, "readwrite").objectStore(SHELF).delete(key));
  }
}

class Local {
  constructor() {
    localStorage.setItem(SHELF, localStorage.getItem(SHELF) ?? "{}"); // throws where it is forbidden
    this.lasting = true;
  }
  read() {
    return JSON.parse(localStorage.getItem(SHELF) ?? "{}");
  }
  async put(entry) {
    localStorage.setItem(SHELF, JSON.stringify({ ...this.read(), [entry.key]: entry }));
  }
  async all() {
    return Object.values(this.read());
  }
  async remove(key) {
    const { [key]: _, ...rest } = this.read();
    localStorage.setItem(SHELF, JSON.stringify(rest));
  }
}

class Memory {
  constructor() {
    this.held = new Map();
    this.lasting = false;
  }
  async put(entry) {
    this.held.set(entry.key, entry);
  }
  async all() {
    return [...this.held.values()];
  }
  async remove(key) {
    this.held.delete(key);
  }
}

function settled(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = request.onblocked = () => failed(request.error);
  });
}

async function openQueue() {
  try {
    return await Database.open();
  } catch {
    try {
      return new Local();
    } catch {
      return new Memory();
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Talking to the server: every question is asked again until there is an answer.

const PATIENCE = 15; // seconds for one attempt
const WAITS = [0.5, 1, 2, 4, 8, 15]; // seconds between attempts; the last one again and again
const LATER = new Set([408, 425, 429]);

class Line {
  constructor(base, notice) {
    this.base = base;
    this.notice = notice;
  }

  async ask(path, body, safe = "") {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.once(path, body);
      if (reply.status > 0 && reply.status < 500 && !LATER.has(reply.status)) {
        this.notice.hide();
        return reply;
      }
      const early = reply.status === 425 && "Please watch to the end. Your answer will be sent when the clip has ended.";
      this.notice.show(early || `${trouble(reply.status)} ${safe || "The study will continue by itself as soon as it can."}`);
      const wait = Math.max(reply.after, WAITS[Math.min(attempt, WAITS.length - 1)] * (0.75 + 0.5 * Math.random()));
      await Promise.race([pause(wait), once(window, "online")]);
    }
  }

  async once(path, body) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 1000 * PATIENCE);
    const headers = page.bearer ? { Authorization: `Bearer ${page.bearer}` } : {};
    const how = { headers, signal: stop.signal, cache: "no-store", credentials: "same-origin" };
    if (body) {
      Object.assign(how, { method: "POST", body: JSON.stringify(body), keepalive: true });
      Object.assign(headers, { "Content-Type": "application/json", "X-Beholder": "1" });
    }
    try {
      const reply = await fetch(this.base + path, how);
      const after = Math.min(60, Number(reply.headers.get("Retry-After")) || 0);
      const text = await reply.text();
      try {
        return { status: reply.status, json: JSON.parse(text || "{}"), after };
      } catch {
        // a page where data should be, such as the login page of a hotel's network: not our server
        return { status: reply.ok ? 0 : reply.status, json: {}, after };
      }
    } catch {
      return { status: 0, json: {}, after: 0 };
    } finally {
      clearTimeout(timer);
    }
  }

  tell(what, detail = "") {
    this.once("/api/event", { what, detail: String(detail).slice(0, 200) }); // may be lost
  }
}

function trouble(status) {
  if (status === 0) return "There is no connection at the moment.";
  return status === 429 ? "The server is busy. Please wait a moment." : "The server cannot save at the moment.";
}

function once(target, name) {
  return new Promise((done) => target.addEventListener(name, done, { once: true }));
}

class Notice {
  constructor(place) {
    this.place = place;
  }
  show(text) {
    if (this.place.textContent !== text) {
      this.place.textContent = text;
      say(text); // what was hidden a moment ago is not read out by all screen readers
    }
    this.place.hidden = false;
  }
  hide() {
    this.place.hidden = true;
    this.place.textContent = "";
  }
}

// ---------------------------------------------------------------------------------------------------------------
// What is shown. A player loads it, plays it once from beginning to end, and counts the frames.

const DOT = 0.016; // radius of the gaze marker, as a share of the picture's diagonal
const RED = "#e0001b";
const STALL = 8; // seconds without a new picture after which a film counts as stuck

class Player {
  constructor(show, figure, ready) {
    this.show = show;
    this.figure = figure;
    this.canvas = figure.querySelector("canvas");
    this.frame = figure.querySelector(".frame");
    this.frame.style.setProperty("--w", show.width || 4);
    this.frame.style.setProperty("--h", show.height || 3);
    this.film = show.media_kind === "film" || show.show === "clip";
    this.media = show.media && show.media_kind !== "none" ? ready ?? prepare(show) : null;
    if (this.media) figure.querySelector(".media").append(this.media);
    new ResizeObserver(() => this.fit()).observe(this.frame);
  }

  loaded() {
    if (!this.media) return Promise.resolve();
    return this.film ? filmLoaded(this.media) : this.media.decode();
  }

  fit() {
    const scale = Math.min(window.devicePixelRatio || 1, 3);
    const [width, height] = [this.frame.clientWidth, this.frame.clientHeight].map((n) => Math.round(n * scale));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.mark(this.at);
  }

  mark(sample) {
    this.at = sample;
    const { width, height } = this.canvas;
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    if (!sample) return;
    pen.beginPath();
    const radius = DOT * Math.hypot(width, height);
    pen.arc(sample[1] * width, sample[2] * height, radius, 0, 2 * Math.PI);
    pen.fillStyle = RED;
    pen.fill();
    pen.lineWidth = radius / 6; // a thin rim, or it would be lost on what is red itself
    pen.strokeStyle = "#fff";
    pen.stroke();
  }

  // Plays to the end and gives what was drawn and what was not; rejects when it is stopped or gets stuck.
  async play() {
    const stop = new Promise((_, failed) => (this.stop = (why) => failed(new Error(why))));
    stop.catch(() => {});
    this.running = Symbol("this time");
    try {
      const counted = this.film ? this.playFilm() : this.playPicture();
      counted.catch(() => {});
      return await Promise.race([counted, stop]);
    } finally {
      this.running = null;
      if (this.film && this.media) this.media.pause();
      this.mark(null);
    }
  }

  // The clock of a picture is the screen's: the time of each frame since the first.
  async playPicture() {
    const track = this.show.track ?? [];
    const end = this.show.seconds || (track.length ? track.at(-1)[0] : 0);
    const tally = new Tally(track);
    let begin = null;
    for await (const now of this.frames()) {
      begin ??= now;
      const t = (now - begin) / 1000;
      if (t >= end) break;
      this.mark(tally.at(t));
    }
    return track.length ? tally.counts(end) : { frames: 1, dropped: 0 };
  }

  // The clock of a film is its own; the marker goes with the film when the film waits.
  async playFilm() {
    const film = this.media;
    const track = this.show.track ?? [];
    const tally = new Tally(track);
    const end = (track.length && this.show.seconds) || Infinity;
    const presented = new Presented(film);
    film.currentTime = 0;
    await film.play();
    let [last, moved] = [-1, performance.now()];
    for await (const now of this.frames()) {
      if (film.ended || film.currentTime >= end) break;
      if (film.error) throw new Error("fault");
      if (film.currentTime !== last) [last, moved] = [film.currentTime, now];
      if (now - moved > 1000 * STALL) throw new Error("stuck");
      if (film.paused) film.play().catch(() => {});
      if (track.length) this.mark(tally.at(film.currentTime));
    }
    if (track.length) return tally.counts(Math.min(end, film.duration || end));
    return presented.counts();
  }

  async *frames() {
    const mine = this.running;
    while (this.running === mine) yield await new Promise(requestAnimationFrame);
  }
}

// Which samples of a track were drawn. Nothing is interpolated: what is drawn is the last sample that is due.
class Tally {
  constructor(track) {
    this.track = track;
    this.now = -1;
    this.drawn = 0;
  }
  at(t) {
    let next = this.now;
    while (next + 1 < this.track.length && this.track[next + 1][0] <= t + 1e-4) next += 1;
    if (next !== this.now) this.drawn += 1;
    this.now = next;
    return this.track[next] ?? null;
  }
  counts(end) {
    const due = this.track.filter((sample) => sample[0] < end - 1e-4).length;
    return { frames: this.drawn, dropped: Math.max(0, due - this.drawn) };
  }
}

// Which frames of a film were put on the screen, from now on, and which the browser gave up.
class Presented {
  constructor(film) {
    this.film = film;
    this.before = this.quality();
    const see = (_, { presentedFrames }) => {
      this.first ??= presentedFrames;
      this.last = presentedFrames;
      this.wish = film.requestVideoFrameCallback(see);
    };
    this.wish = film.requestVideoFrameCallback?.(see);
  }
  quality() {
    const found = this.film.getVideoPlaybackQuality?.() ?? { totalVideoFrames: 0, droppedVideoFrames: 0 };
    return { decoded: found.totalVideoFrames, dropped: found.droppedVideoFrames };
  }
  counts() {
    if (this.wish) this.film.cancelVideoFrameCallback(this.wish);
    const now = this.quality();
    const dropped = Math.max(0, now.dropped - this.before.dropped);
    // where frames are not reported one by one: what was decoded since, which leaves out what was loaded before
    const frames = this.last ? this.last - this.first + 1 : Math.max(0, now.decoded - this.before.decoded - dropped);
    return { frames, dropped };
  }
}

function prepare(show) {
  if (show.media_kind === "film" || show.show === "clip") {
    const film = document.createElement("video");
    // set as attributes too: iOS plays inline only then
    for (const name of ["playsinline", "muted", "disablepictureinpicture"]) film.setAttribute(name, "");
    Object.assign(film, { muted: true, preload: "auto", controls: false, src: show.media });
    film.load();
    return film;
  }
  const picture = new Image();
  Object.assign(picture, { alt: "", decoding: "async", draggable: false, src: show.media });
  return picture;
}

// Phones load no more than the beginning before they are told to play, so that after a while it must do.
function filmLoaded(film) {
  if (film.readyState >= 4) return Promise.resolve();
  return new Promise((done, failed) => {
    film.addEventListener("canplaythrough", done, { once: true });
    film.addEventListener("error", () => failed(new Error("fault")), { once: true });
    if (film.error) failed(new Error("fault"));
    setTimeout(() => film.readyState >= 1 && done(), 4000);
    setTimeout(() => (film.readyState >= 1 ? done() : failed(new Error("slow"))), 20000);
  });
}

// ---------------------------------------------------------------------------------------------------------------
// One trial: play, look, choose, confirm.

class Trial {
  constructor(trial, line, ahead) {
    Object.assign(this, { trial, line });
    this.figures = byId("shows");
    this.form = byId("answer");
    this.confirm = byId("confirm");
    this.hint = byId("hint");
    // counted over reloads of the page, or loading it anew would be a replay that nobody sees
    this.tally = { plays: 0, hidden: 0, frames: 0, dropped: 0, ...recall(trial.token) };
    this.ended = false;
    this.open = null; // when answers could be given
    this.chosen = null; // when the last one was
    this.build(ahead);
  }

  build(ahead) {
    const two = this.trial.shows.length > 1;
    this.figures.replaceChildren();
    this.figures.classList.toggle("two", two);
    this.figures.classList.toggle("small", this.trial.questions.length > 1);
    this.figures.classList.remove("over", "sending");
    this.players = this.trial.shows.map((show, at) => {
      const figure = byId("show").content.firstElementChild.cloneNode(true);
      figure.querySelector(".letter").textContent = two ? "AB"[at] : "";
      figure.setAttribute("aria-label", two ? `Clip ${"AB"[at]}` : "Clip");
      figure.classList.toggle("now", at === 0);
      figure.classList.toggle("still", show.show === "picture");
      this.figures.append(figure);
      const button = figure.querySelector(".play");
      button.addEventListener("click", () => this.play());
      if (at > 0) button.remove();
      return new Player(show, figure, ahead.get(show.media));
    });
    this.button = this.figures.querySelector(".play");
    byId("questions").replaceChildren(...this.trial.questions.map((question, at) => this.field(question, at)));
    this.form.classList.toggle("many", this.trial.questions.length > 1);
    this.fields = [...this.form.querySelectorAll("fieldset")];
    this.look();
  }

  field(question, at) {
    const field = byId("question").content.firstElementChild.cloneNode(true);
    field.dataset.dimension = question.dimension;
    field.querySelector("legend").textContent = question.text;
    const tiles = field.querySelector(".tiles");
    tiles.classList.add(question.answers.length > 3 ? "scale" : "pair");
    tiles.style.setProperty("--n", question.answers.length);
    tiles.classList.toggle("wordy", question.answers.some((answer) => answer.label.length > 12));
    question.answers.forEach((answer, index) => {
      const tile = byId("tile").content.firstElementChild.cloneNode(true);
      const radio = tile.querySelector("input");
      const key = (answer.key || String((index + 1) % 10)).toLowerCase();
      Object.assign(radio, { name: `q${at}`, value: answer.value });
      radio.dataset.key = key;
      tile.querySelector("kbd").textContent = key.toUpperCase();
      tile.querySelector("span").textContent = answer.label;
      tile.classList.toggle("bare", answer.label.toUpperCase() === key.toUpperCase());
      radio.addEventListener("change", () => this.choose());
      tiles.append(tile);
    });
    return field;
  }

  async load() {
    this.button.disabled = true;
    this.label("Loading …");
    await Promise.all(this.players.map((player) => player.loaded()));
    this.button.disabled = false;
    this.label(this.still ? "Show" : "Play");
    this.button.focus({ preventScroll: true });
  }

  label(text) {
    this.button.querySelector("span").textContent = text;
  }

  // Pictures stay in view once they were shown; there is nothing to play again.
  get still() {
    return this.trial.shows.every((show) => show.show === "picture");
  }

  get mayPlay() {
    return !this.busy && !this.between && !this.button.disabled && (!this.ended || (this.trial.replay && !this.still));
  }

  async play() {
    if (!this.mayPlay) return;
    this.between = true; // from here to the end of the last one
    this.tally.plays += 1;
    this.remember();
    this.ended = false;
    if (this.trial.answer_after_end) this.forbid();
    else this.allow();
    this.figures.classList.remove("over");
    this.figures.scrollIntoView({ block: "nearest" });
    say("Playing");
    try {
      const counts = [];
      for (const [at, player] of this.players.entries()) {
        this.turn(player);
        if (at > 0) await pause(0.5);
        if (this.busy) return;
        player.figure.classList.add("on");
        counts.push(await player.play());
        player.figure.classList.remove("on");
        player.figure.classList.add("seen");
      }
      for (const { frames, dropped } of counts) {
        this.tally.frames += frames;
        this.tally.dropped += dropped;
      }
      this.end();
    } catch (fault) {
      if (!this.busy) this.broken(fault.message);
    } finally {
      this.between = false;
      this.look();
    }
  }

  turn(player) {
    for (const other of this.players) other.figure.classList.toggle("now", other === player);
  }

  end() {
    this.ended = true;
    this.remember();
    this.figures.classList.add("over");
    this.turn(this.players[0]);
    this.button.classList.add("again");
    this.button.hidden = !this.trial.replay;
    this.label("Play again");
    if (this.trial.answer_after_end) this.open = performance.now();
    this.allow();
    this.fields[0].focus({ preventScroll: true });
    say("End of the clip. Please answer."); // when it can be done, and is where the focus is
    (this.fields.length > 1 ? this.fields[0] : this.confirm).scrollIntoView({ block: "nearest" }); // on low screens
  }

  broken(why) {
    for (const player of this.players) player.figure.classList.remove("on");
    this.turn(this.players[0]);
    this.tally.plays -= 1;
    this.remember();
    this.hint.textContent =
      why === "hidden"
        ? "You left the page while it played. Please play it again, from the beginning."
        : "It stopped before its end. Please play it again.";
    if (why !== "hidden") this.line.tell("playback", why);
    this.button.focus({ preventScroll: true });
  }

  hide() {
    this.tally.hidden += 1;
    this.remember();
    for (const player of this.players) if (player.running) player.stop("hidden");
  }

  allow() {
    this.open ??= performance.now();
    for (const field of this.fields) field.disabled = false;
    this.hint.textContent = "";
    this.look();
  }

  forbid() {
    for (const field of this.fields) field.disabled = true;
    this.look();
  }

  get values() {
    const chosen = this.fields.map((field) => [field.dataset.dimension, field.querySelector("input:checked")?.value]);
    return Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
  }

  get complete() {
    return Object.keys(this.values).length === this.fields.length;
  }

  choose() {
    this.chosen = performance.now();
    this.look();
    if (this.complete) this.confirm.scrollIntoView({ block: "nearest" });
  }

  // A key answers the question with the focus, else the first without an answer.
  press(key) {
    if (this.fields[0].disabled) return false;
    const open = this.fields.find((field) => !field.querySelector("input:checked"));
    const focused = this.fields.length > 1 ? this.fields.find((field) => field.contains(document.activeElement)) : null;
    const field = focused ?? open ?? this.fields.at(-1);
    const radio = [...field.querySelectorAll("input")].find((input) => input.dataset.key === key);
    if (!radio) return false;
    radio.checked = true;
    this.choose();
    const next = this.fields.find((other) => !other.querySelector("input:checked"));
    if (next) {
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "nearest" });
    } else radio.focus({ preventScroll: true });
    return true;
  }

  look() {
    this.confirm.disabled = this.busy || this.fields?.[0].disabled !== false || !this.complete;
    this.figures.classList.toggle("playing", Boolean(this.between));
  }

  lock() {
    this.busy = true;
    for (const player of this.players) if (player.running) player.stop("answered"); // or its end would come in the next
    this.forbid();
    this.button.disabled = true;
    this.figures.classList.add("sending");
    this.look();
  }

  body(key) {
    const from = this.open ?? 0;
    const to = this.chosen !== null && this.chosen >= from ? this.chosen : performance.now();
    return {
      token: this.trial.token,
      key,
      values: this.values,
      seconds: Math.round(to - from) / 1000,
      replays: Math.max(0, this.tally.plays - 1),
      frames: this.tally.frames,
      dropped: this.tally.dropped,
      hidden: this.tally.hidden,
    };
  }

  remember() {
    try {
      sessionStorage.setItem("beholder-trial", JSON.stringify({ token: this.trial.token, ...this.tally }));
    } catch {
      // no storage: the counts begin anew when the page is loaded anew
    }
  }
}

function recall(token) {
  try {
    const { token: of, ...tally } = JSON.parse(sessionStorage.getItem("beholder-trial") ?? "{}");
    return of === token ? tally : {};
  } catch {
    return {};
  }
}

function say(text) {
  byId("said").textContent = text;
}

// ---------------------------------------------------------------------------------------------------------------
// The course of the trials.

class Course {
  constructor(base) {
    this.base = base;
    this.notice = new Notice(byId("notice"));
    this.line = new Line(base, this.notice);
    this.ahead = new Map(); // media that were loaded before their trial
    this.trial = null;
    this.shownUse = null;
  }

  async begin() {
    this.queue = await openQueue();
    this.listen();
    this.tabs();
    await this.deliverOld();
    await this.fetchNext();
  }

  listen() {
    byId("answer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => document.hidden && this.trial && !this.trial.busy && this.trial.hide());
    window.addEventListener("beforeunload", (event) => {
      if (this.trial?.busy && !this.queue.lasting) event.preventDefault(); // the only copy is in this page
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !this.trial || byId("trial").hidden) return;
    const on = event.target;
    const native = on.closest?.("button, a, summary, textarea, details");
    if (event.key === " ") {
      if (native || (on.type === "radio" && !on.checked)) return;
      event.preventDefault();
      this.trial.play();
    } else if (event.key === "Enter") {
      if (native) return;
      event.preventDefault();
      if (!this.trial.confirm.disabled) this.answer();
    } else if (event.key.length === 1 && !on.closest?.("textarea")) {
      if (this.trial.press(event.key.toLowerCase())) event.preventDefault();
    }
  }

  // Answers of an earlier visit that the server may not have.
  async deliverOld() {
    const old = (await this.queue.all()).filter((entry) => entry.base === this.base);
    for (const entry of old.sort((a, b) => a.at - b.at)) {
      if (Date.now() - entry.at > KEPT_DAYS * 864e5) await this.queue.remove(entry.key);
      else if (!page.tag || !entry.tag || entry.tag === page.tag) await this.deliver(entry);
    }
  }

  async deliver(entry) {
    const safe = this.queue.lasting
      ? "Your answer is safe on this device and will be sent as soon as possible. You need not do anything."
      : "Your answer is kept on this page and will be sent as soon as possible. Please leave the page open.";
    const reply = await this.line.ask("/api/answer", entry.body, safe);
    const { status, json } = reply;
    // 404: the server knows no such trial of this session; perhaps another person's, who will come back
    if ((status === 200 && json.stored) || status === 409 || status === 422) await this.queue.remove(entry.key);
    return reply;
  }

  async fetchNext() {
    const { status, json } = await this.line.ask("/api/next");
    if (status === 200) await this.take(json);
    else this.lost(status);
  }

  async take(next) {
    if (this.away) return; // another tab has it
    if (next.done) {
      location.replace(next.go);
      return;
    }
    const trial = next.trial;
    byId("panel").hidden = true;
    byId("trial").hidden = false;
    byId("count").textContent = `${trial.use === "practice" ? "Practice · " : ""}${trial.number} of ${trial.of}`;
    Object.assign(byId("progress"), { max: trial.of, value: trial.number - 1 });
    this.shownUse = trial.use;
    say(""); // what was said of the trial before does not hold any more
    this.trial = new Trial(trial, this.line, this.ahead);
    window.scrollTo(0, 0);
    await this.loadMedia();
  }

  async loadMedia(again = 0) {
    const trial = this.trial;
    try {
      await trial.load();
      this.preload(trial.trial.ahead ?? []);
    } catch {
      if (this.trial !== trial) return;
      this.ahead.clear();
      if (again === 0) this.line.tell("media", trial.trial.shows.map((show) => show.media_kind).join(" "));
      this.notice.show("This clip could not be loaded yet. The study will try again by itself.");
      await Promise.race([pause(WAITS[Math.min(again, WAITS.length - 1)]), once(window, "online")]);
      if (this.trial !== trial || trial.busy) return;
      const { status, json } = await this.line.ask("/api/next"); // it may have been answered elsewhere
      if (status !== 200) this.lost(status);
      else if (json.done || json.trial.token !== trial.trial.token) await this.take(json);
      else {
        this.trial = new Trial(json.trial, this.line, this.ahead);
        await this.loadMedia(again + 1);
      }
    }
  }

  preload(shows) {
    this.ahead = new Map(shows.filter((show) => show.media).map((show) => [show.media, prepare(show)]));
  }

  async answer() {
    const trial = this.trial;
    if (trial.busy || !trial.complete) return;
    const key = randomKey();
    const entry = { key, base: this.base, tag: page.tag ?? "", at: Date.now(), body: trial.body(key) };
    trial.lock();
    await this.write(entry);
    const slow = setTimeout(() => (trial.hint.textContent = "Saving …"), 400);
    const { status, json } = await this.deliver(entry);
    clearTimeout(slow);
    trial.hint.textContent = "";
    if (status === 200 && json.stored) this.after(json);
    else if (status === 409 || status === 404) await this.fetchNext(); // answered already, in another tab
    else if (status === 422) {
      await this.fetchNext();
      this.notice.show("The server did not understand this answer. Please answer again.");
    } else this.lost(status);
  }

  async write(entry) {
    try {
      await this.queue.put(entry);
    } catch {
      this.queue = new Memory(); // the device's storage is full
      await this.queue.put(entry);
    }
  }

  after(stored) {
    const { next, feedback } = stored;
    const begins = this.shownUse === "practice" && !next.done && next.trial.use !== "practice";
    if (!feedback && !begins) {
      this.take(next);
      return;
    }
    const heads = { right: "Right.", wrong: "Wrong." };
    const told = "The practice is over. From now on your answers count, and you will not be told whether they are right.";
    const text = begins ? (feedback ? told : "From now on your answers count.") : "";
    this.panel(heads[feedback] ?? "The practice is over.", text, begins ? "Begin" : "Next", () => this.take(next), feedback);
  }

  panel(head, text, label, go, mood = "") {
    byId("trial").hidden = true;
    byId("panel").hidden = false;
    byId("panel").dataset.mood = mood;
    byId("panel-head").textContent = head;
    byId("panel-text").textContent = text;
    byId("panel-go").textContent = label;
    byId("panel-go").onclick = go;
    byId("panel-go").focus({ preventScroll: true });
  }

  lost(status) {
    this.trial = null;
    if (status === 401 || status === 403 || status === 404)
      this.panel(
        "This browser no longer recognises you",
        "Please open the study again with your link. Your answers are saved, and the study continues where you left off.",
        "Open the study",
        () => location.assign(`${this.base}/`),
      );
    else location.replace(`${this.base}/go${page.bearer ? `?t=${page.bearer}` : ""}`); // that page says why it is over
  }

  // A second tab asks whether there is a first, and lets the person choose.
  tabs() {
    if (!("BroadcastChannel" in window)) return;
    const channel = new BroadcastChannel(`beholder ${this.base}`);
    const me = randomKey();
    const stepBack = () => {
      if (this.away) return;
      this.away = true;
      for (const player of this.trial?.players ?? []) if (player.running) player.stop("hidden");
      this.line.tell("tabs");
      this.panel(
        "The study is open in another tab",
        "Please continue there. If you cannot find it, continue here: nothing is lost.",
        "Continue here",
        () => {
          this.away = false;
          channel.postMessage({ what: "mine", from: me });
          this.fetchNext();
        },
      );
    };
    channel.onmessage = ({ data }) => {
      if (data.what === "anyone" && !this.away) channel.postMessage({ what: "here", to: data.from });
      else if ((data.what === "here" && data.to === me) || (data.what === "mine" && data.from !== me)) stepBack();
    };
    channel.postMessage({ what: "anyone", from: me });
  }
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ---------------------------------------------------------------------------------------------------------------
// The other pages.

async function device() {
  const form = byId("device");
  const kind = Math.min(screen.width, screen.height) < 600 ? "phone" : matchMedia("(pointer: coarse)").matches ? "tablet" : "desktop";
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 0;
  form.querySelector("button").disabled = true;
  const fps = await framesPerSecond();
  const found = { width: innerWidth, height: innerHeight, ratio: Math.round(100 * devicePixelRatio) / 100, fps, kind, reduced };
  for (const [name, value] of Object.entries(found)) form.elements[name].value = value;
  byId("size").textContent = `${innerWidth} × ${innerHeight}`;
  byId("rate").textContent = fps ? String(Math.round(fps)) : "–";
  const advice = [];
  if (fps < 24) advice.push("This browser is slow at the moment. Closing other programs may help.");
  if (innerWidth < 320 || innerHeight < 320) advice.push("This window is very small. Please make it larger.");
  if (advice.length) Object.assign(byId("advice"), { textContent: advice.join(" "), hidden: false });
  form.querySelector("button").disabled = false;
  form.querySelector("button").focus({ preventScroll: true });
}

// From the median step of 30 frames, or of as many as come in a second; a busy device gets two seconds more.
async function framesPerSecond() {
  const times = [];
  const late = pause(3); // a page that is not in view draws nothing
  const begin = performance.now();
  while (times.length < 30 && (performance.now() < begin + 1000 || times.length < 6)) {
    const now = await Promise.race([new Promise(requestAnimationFrame), late]);
    if (now === undefined) break;
    times.push(now);
  }
  const steps = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
  const step = steps[Math.floor(steps.length / 2)];
  return step ? Math.round(10000 / step) / 10 : 0;
}

function done() {
  byId("copy")?.addEventListener("click", async () => {
    const code = byId("code");
    let copied = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code); // without TLS there is no clipboard to write to
      copied = document.execCommand("copy");
    }
    byId("copied").textContent = copied ? "Copied." : "Please copy the marked code.";
  });
}

// What stands at the foot of a page opens below it.
for (const leave of document.querySelectorAll("details.leave"))
  leave.addEventListener("toggle", () => {
    if (!leave.open) return;
    leave.scrollIntoView({ block: "end" });
    leave.querySelector("form").focus({ preventScroll: true });
  });

// A page that comes back by the back button is old: the server says where the session really is.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

for (const form of document.querySelectorAll("form[method=post]"))
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault(); // a second tap
    else form.dataset.sent = "yes";
  });

if (page.page === "device") device();
if (page.page === "done") done();
if (page.page === "trials") new Course(page.base).begin();
