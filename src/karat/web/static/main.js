// The page of a rater: in by a link, one task after the other, nothing lost on the way.

import { Clock } from "./clock.js";
import { SomebodyElse, persist, refuseOther } from "./connection.js";
import { Device } from "./device.js";
import { Form } from "./form.js";
import { closeDialog, placeGuidelines, showGuidelines, showHelp } from "./help.js";
import { listenToKeys } from "./keys.js";
import * as outbox from "./outbox.js";
import * as screens from "./screens.js";
import * as server from "./server.js";
import { announce, button, byId, loadMessages, make, say } from "./text.js";

/** @typedef {import("./server.js").Task} Task */
/** @typedef {import("./server.js").Submit} Submit */

const ENOUGH_TO_TELL = 3;
const LACKS_IN_WORDS = 3;

/** @type {server.State} */
let state;
/** @type {Device} */
let device;
/** @type {Form | null} */
let form = null;
/** Whether what is on the screen was answered before. */
let revisiting = false;
/** While something is under way to the server, nothing on the screen is answered. */
let busy = true;
const clock = new Clock();

/** @param {boolean} wanted */
function setBusy(wanted) {
  busy = wanted;
  byId("work").toggleAttribute("inert", wanted || clock.paused);
}

/** What has to be read; a calm notice waits for its turn to be read out.
 *  @param {string} text
 *  @param {boolean} [calm] */
function notice(text, calm = false) {
  const place = byId("notice");
  // The same once more is news only to those who do not hear it: it is taken away and put back.
  place.replaceChildren();
  place.hidden = text === "";
  place.classList.toggle("calm", calm);
  if (text !== "") place.append(make("p", {}, text));
}

/** @param {Error} error */
const waiting = (error) => {
  isWaiting = true;
  const text = error instanceof server.Refusal ? "server-trouble" : busySending ? "waiting" : "waiting-to-load";
  if (byId("notice").textContent !== say(text)) notice(say(text), true);
};
let busySending = false;
/** Whether the notice tells that there is no connection. */
let isWaiting = false;

/** Does something that needs the server; what cannot be done is said.
 *  @param {() => Promise<void>} work */
async function guarded(work) {
  setBusy(true);
  try {
    await work();
  } catch (error) {
    if (error instanceof SomebodyElse) shutOut(say("somebody-else"));
    else if (!(error instanceof server.Refusal)) throw error;
    else if (error.status === 401) shutOut(say("no-entry"));
    else notice(say("failed", { reason: error.message }));
  } finally {
    setBusy(false);
    // While it was inert, nothing on the screen could take the focus.
    if (document.activeElement === document.body) byId("work").querySelector("h2")?.focus();
  }
}

/** @param {string} why */
function shutOut(why) {
  form = null;
  notice("");
  screens.shutOut(why);
}

/** @template T
 *  @param {() => Promise<T>} work
 *  @returns {Promise<T>} */
async function online(work) {
  const done = await persist(work, waiting, device?.prefix ? state.key : null);
  if (isWaiting) notice("");
  isWaiting = false;
  return done;
}

function showProgress() {
  const left = Math.max(0, state.planned - state.done);
  const planned = Math.max(state.planned, state.done);
  const paces = device.paces().sort((a, b) => a - b);
  const typical = paces[Math.floor(paces.length / 2)] ?? 0;
  const count = Math.max(1, Math.round((left * typical) / 60));
  const words = [say("progress", { done: state.done, planned, left })];
  if (paces.length >= ENOUGH_TO_TELL && left > 0) words.push(say("minutes", { count }));
  byId("progress").textContent = words.join(", ");
  const bar = byId("bar");
  if (bar instanceof HTMLProgressElement) [bar.max, bar.value] = [Math.max(1, planned), state.done];
  bar.setAttribute("aria-hidden", "true");
}

function keepDraft() {
  if (form === null) return;
  // What was missing is being mended: the alarm has done its work.
  if (!byId("notice").classList.contains("calm")) notice("");
  device.write(`draft:${form.task.public}`, { ...form.draft, version: form.task.version, seconds: clock.seconds });
  drawActions();
}

/** @param {Task} task
 *  @param {boolean} again */
function show(task, again) {
  const place = make("div");
  const draft = device.draft(task, state.questions.length);
  revisiting = again;
  clock.start(draft?.seconds);
  form = new Form(place, task, state, draft, keepDraft);
  const number = answeredBefore() + 1;
  const kind = task.parts.length > task.columns ? "document" : task.columns > 1 ? "comparison" : task.tutorial ? "exercise" : "task";
  const notes = [again ? say("revisited") : null, task.feedback?.passed === false ? task.feedback.explanation : null];
  const told = notes.flatMap((note) => (note === null ? [] : [make("p", { class: "quiet", dir: "auto" }, note)]));
  screens.screen(say(kind, { number }), ...told, place, make("div", { class: "actions", id: "actions" }));
  drawActions();
}

function drawActions() {
  if (form === null) return;
  const label = !form.last ? "next" : form.task.version > 0 ? "update" : "submit";
  const place = byId("actions");
  const drawn = `${label} ${revisiting} ${form.moreToCome}`;
  if (place.dataset.drawn !== drawn) {
    place.dataset.drawn = drawn;
    const warning = form.moreToCome && !form.last ? make("p", { class: "quiet" }, say("stays")) : null;
    const buttons = [button(say(label), () => void go(), { class: "main" })];
    if (revisiting) buttons.push(button(say("forward"), () => void forward()));
    place.replaceChildren(...buttons, ...(warning === null ? [] : [warning]));
  }
  byId("back").toggleAttribute("disabled", answeredBefore() === 0);
}

/** How many answered tasks lie before the one on the screen. */
function answeredBefore() {
  const found = form === null ? -1 : state.history.indexOf(form.task.public);
  return found === -1 ? state.history.length : found;
}

async function goBack() {
  const before = state.history[answeredBefore() - 1];
  if (before === undefined || busy || clock.paused) return;
  notice("");
  await guarded(async () => show(await online(() => server.task(before)), true));
}

/** From an earlier answer to the open task. */
async function forward() {
  if (busy || form === null) return;
  device.drop(`draft:${form.task.public}`);
  notice("");
  await guarded(proceed);
}

/** The next part, the next question, or submit; where something is missing, it is said and gets the focus. */
async function go() {
  if (form === null || busy || clock.paused || form.toNext()) return;
  const lacks = form.lacks();
  if (lacks.length > 0) {
    notice(say("lacking", { lacks: inWords(lacks) }));
    form.showLacks(lacks);
  } else if (!form.last) {
    notice("");
    await advance(form);
  } else if (revisiting && form.unchanged) {
    await forward();
  } else {
    await submit(form);
  }
}

/** To the next question. Texts that it shows come from the server, which first keeps what was answered without them.
 *  @param {Form} open */
async function advance(open) {
  const same = open.beyondReach ? await settled(open) : true;
  if (same === null) return;
  const texts = open.advance();
  if (!same) notice(say("settled-elsewhere"));
  if (texts.length > 0) announce(say("now-shown", { texts: texts.map((kind) => say(kind)).join(", ") }));
  drawActions();
}

/** @param {Form} open
 *  @returns {Promise<boolean | null>} whether what is settled was answered here; null where the page does not go on */
async function settled(open) {
  /** @type {boolean | null} */
  let same = null;
  await guarded(async () => {
    busySending = true;
    try {
      const { task, stage } = open;
      const given = await online(() => server.settle(task.public, stage + 1, open.answers(clock.seconds, stage)));
      if (given.version === task.version) same = open.take(given);
      else {
        show(given, true);
        notice(say("settled-elsewhere"));
      }
    } finally {
      busySending = false;
    }
  });
  return same;
}

/** @param {import("./form.js").Lack[]} lacks */
function inWords(lacks) {
  const words = lacks.map((lack) => form?.placed(lack) ?? lack.reason);
  return words.slice(0, LACKS_IN_WORDS).join(" ") + (words.length > LACKS_IN_WORDS ? " …" : "");
}

/** @param {Form} answered */
async function submit(answered) {
  const { seconds } = clock;
  /** @type {Submit} */
  const kept = {
    owner: state.key,
    public: answered.task.public,
    uuid: outbox.newUuid(),
    base_version: answered.task.version,
    answers: answered.answers(seconds),
  };
  notice("");
  await guarded(async () => {
    if (!(await outbox.keep(kept))) notice(say("not-kept"), true);
    if (!revisiting) device.notePace(seconds);
    if (await deliver()) await proceed();
  });
}

/** Sends all that is kept, one after the other.
 *  @returns {Promise<boolean>} whether to go on to the open task */
async function deliver() {
  let goOn = true;
  for (const submit of await outbox.kept(state.key)) goOn = (await delivered(submit)) && goOn;
  return goOn;
}

/** Sends one answer until the server has it, whatever comes between.
 *  @param {Submit} submit
 *  @returns {Promise<boolean>} whether to go on to the open task */
async function delivered(submit) {
  busySending = true;
  try {
    const { feedback, hters } = await online(() => server.send(submit));
    await settle(submit);
    if (hters !== null) tellChange(hters);
    return feedback === null || told(submit.public, feedback);
  } catch (error) {
    if (!(error instanceof server.Refusal) || error.status === 401) throw error;
    if (error.status === 409) return await choose(submit, error.body);
    if (error.status === 404) {
      // It may be back when the server has its database back: the answer stays in the outbox, and is tried again.
      notice(say("failed", { reason: error.message }));
      return true;
    }
    await outbox.drop(submit.uuid);
    return refused(submit, error);
  } finally {
    busySending = false;
  }
}

/** @param {Submit} submit */
async function settle(submit) {
  await outbox.drop(submit.uuid);
  device.drop(`draft:${submit.public}`);
}

/** How much was changed in post-editing, of all parts together.
 *  @param {(number | null)[]} hters */
function tellChange(hters) {
  const known = hters.filter((hter) => hter !== null);
  if (known.length === 0) return;
  const share = known.reduce((sum, hter) => sum + hter, 0) / known.length;
  notice(say("hter", { percent: Math.round(share * 100) }), true);
}

/** @param {string} name
 *  @param {server.Feedback} feedback
 *  @returns {Promise<boolean>} whether to go on to the open task */
async function told(name, feedback) {
  const task = form?.task.public === name ? form.task : await online(() => server.task(name));
  if (feedback.passed) {
    notice(say(task.tutorial ? "exercise-passed" : "check-passed"), true);
    return true;
  }
  form = null;
  setBusy(false);
  const again = await screens.tellFailed(state, task, feedback);
  setBusy(true);
  if (!again) return true;
  state = refuseOther(await online(server.state), state.key);
  show(await online(() => server.task(name)), true);
  return false;
}

/** @param {Submit} submit
 *  @param {server.Refusal} error
 *  @returns {boolean} whether to go on to the open task */
function refused(submit, error) {
  notice(say("failed", { reason: error.message }));
  if (form?.task.public !== submit.public) return true;
  setBusy(false);
  if (Array.isArray(error.body?.lacks)) form.showLacks(error.body.lacks);
  return false;
}

/** Two answers to one task: both are shown, and one is chosen.
 *  @param {Submit} submit
 *  @param {{version: number, answers: server.Answer[]}} stored
 *  @returns {Promise<boolean>} */
async function choose(submit, stored) {
  const task = await online(() => server.task(submit.public));
  form = null;
  setBusy(false);
  const mine = await screens.chooseAnswer(state, task, stored.answers, submit.answers);
  setBusy(true);
  await settle(submit);
  if (!mine) return true;
  const again = { ...submit, uuid: outbox.newUuid(), base_version: stored.version };
  await outbox.keep(again);
  return await delivered(again);
}

/** The open task, or the end.
 *  @returns {Promise<void>} */
async function proceed() {
  state = refuseOther(await online(server.state), state.key);
  showProgress();
  const task = await online(server.nextTask);
  if (task !== null) {
    show(task, false);
    return;
  }
  form = null;
  if (state.tutorial?.failed) screens.failTutorial(state.tutorial);
  else screens.finish();
  byId("back").toggleAttribute("disabled", answeredBefore() === 0);
}

function pause() {
  if (form === null && !clock.paused) return;
  clock.pause(!clock.paused);
  document.body.classList.toggle("paused", clock.paused);
  byId("paused").hidden = !clock.paused;
  const place = byId("pause");
  place.textContent = say(clock.paused ? "resume" : "pause");
  setBusy(busy);
  if (clock.paused) place.focus();
  else byId("work").querySelector("h2")?.focus();
  announce(clock.paused ? say("paused") : "");
  keepDraft();
}

function undo() {
  if (form === null || busy || clock.paused) return;
  announce(say(form.undo() ? "undone" : "undo-nothing"));
}

async function withdraw() {
  closeDialog();
  await guarded(async () => {
    const { judgements } = await online(server.withdraw);
    for (const submit of await outbox.kept(state.key)) await outbox.drop(submit.uuid);
    device.forget();
    shutOut(say("withdrawn", { count: judgements }));
    byId("progress").textContent = "";
    byId("bar").hidden = true;
  });
}

const singleKeys = {
  get: () => device.read("single-keys") !== false,
  /** @param {boolean} on */
  set: (on) => device.write("single-keys", on),
};
const beside = {
  get: () => device.read("guidelines-beside") === true,
  /** @param {boolean} on */
  set: (on) => device.write("guidelines-beside", on),
};
const help = () => showHelp(state, singleKeys, () => void withdraw());

function listen() {
  // The address keeps no #: what stands behind it is taken for a link's secret.
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    (byId("work").querySelector("h2") ?? byId("work")).focus();
  });
  byId("back").addEventListener("click", () => void goBack());
  byId("pause").addEventListener("click", pause);
  byId("help").addEventListener("click", help);
  byId("guidelines").addEventListener("click", () => showGuidelines(state, beside));
  listenToKeys({
    submit: () => void go(),
    undo,
    letters: {
      "?": help,
      b: () => void goBack(),
      f: () => !busy && !clock.paused && form?.openFlag(),
      g: () => showGuidelines(state, beside),
      n: () => !busy && !clock.paused && form?.uncover(),
      p: pause,
      u: undo,
    },
    type: (sign) => !busy && !clock.paused && form !== null && form.type(sign),
    single: singleKeys.get,
    open: () => !byId("dialog").hasAttribute("open"),
  });
  window.addEventListener("pagehide", () => keepDraft());
}

/** Exchanges the secret of a link for a cookie.
 *  @param {string} secret */
async function enter(secret) {
  try {
    await persist(() => server.enter(secret), waiting);
  } catch (error) {
    throw error instanceof server.Refusal && error.status === 404 ? new server.Refusal(401, error.body) : error;
  }
}

async function start() {
  const secret = location.hash.slice(1);
  // The secret stands behind the #, which no server and no log ever sees; it leaves the address bar at once.
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  await persist(loadMessages, () => undefined);
  document.body.hidden = false;
  await guarded(async () => {
    if (secret) await enter(secret);
    state = await persist(server.state, waiting);
    isWaiting = false;
    notice("");
    device = new Device(state.key);
    document.title = state.campaign;
    byId("campaign").textContent = state.campaign;
    showProgress();
    placeGuidelines(state, beside.get());
    listen();
    if (state.bilingual === null) {
      setBusy(false);
      const bilingual = await screens.askBilingual(state);
      setBusy(true);
      await online(() => server.tellBilingual(bilingual));
    }
    const late = (await outbox.kept(state.key)).length;
    if (!(await deliver())) return;
    await proceed();
    if (late > 0 && byId("notice").hidden) notice(say("sent-late", { count: late }), true);
  });
}

void start();
