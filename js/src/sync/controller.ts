// Controller of a model: the setting that the reader wants, and what kernel and traits say of it.

import { randomId } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import { hasReliability } from "../evaluation/calibration_band.ts";
import { withGuarantee } from "../evaluation/everywhere.ts";
import type { Evaluation, Group } from "../evaluation/types.ts";
import { TRUTH } from "../shown/comparators.ts";
import type { Picture, Problem } from "../shown/picture.ts";
import {
  type ControlName,
  type Controls,
  controlsOf,
  decodeControls,
  type Page,
  type State,
  type View,
} from "../wire/controls.ts";
import { type Comparators, decodeComparators, NO_COMPARATORS } from "../wire/decode_comparators.ts";
import { decodeGroup } from "../wire/decode_evaluation.ts";
import { decodeFrames } from "../wire/decode_frame.ts";
import {
  type Answer,
  decodeFailure,
  decodeObserver,
  encodeRequest,
  type Selection,
} from "../wire/messages.ts";
import type { Result } from "../wire/readers.ts";
import { type Backpressure, type Clock, createBackpressure } from "./backpressure.ts";
import { indexOf, Wishes } from "./chosen_view.ts";
import { createEasing, type Easing } from "./easing.ts";
import { History, type Setting } from "./history.ts";
import { hasIdeal, idealOf } from "./ideal.ts";
import { hasKernel, hearsSaves } from "./kernel.ts";
import { FIXED, type Model, OBSERVER, SILENT } from "./model.ts";
import { type Drawn, Previews } from "./previews.ts";
import { isSameState, nearestSettable, settableAlphas } from "./settable.ts";

type Reaction = [event: string, reaction: (content: unknown) => void];

/** If this many requests in a row have no answer, the page goes on without the kernel. */
const SILENCE = 3;
const SLIDERS = ["alpha", "threshold"] as const;

const NOTHING_OFFERED = { ideal: false, sampling: false, reliability: false };

/** One per model, shared by its views. At rest the page, the traits and the kernel agree. */
export class Controller {
  readonly #client = randomId();
  readonly #listeners = new Set<() => void>();
  readonly #backpressure: Backpressure;
  #group: Result<Group>;
  #answer: Result<Answer>;
  #comparators: Result<Comparators>;
  readonly #first: Controls;
  /** The setting of the sliders; while a hand is on one, the hand's. */
  #wanted: State;
  readonly #wishes: Wishes;

  /** The controls that the kernel has taken from this page and the page has not saved. */
  readonly #taken = new Set<ControlName>();
  /** The last value of `_frame` that was read. */
  #frameSeen: unknown;
  readonly #previews: Previews;
  #failure: Problem | null = null;
  /** Why the user's code that follows the traits has failed, at the last answer (`isNew`) or at the one before. */
  #observer: { reason: string; isNew: boolean } | null = null;
  /** Whether there has been a kernel while the page was open. */
  #hadKernel: boolean;
  #picked = false;
  readonly #easing: Easing;
  readonly #history = new History(() => ({
    ...this.#wishes.controls,
    ...this.#wanted,
    picked: this.#picked,
  }));
  /** The sliders that the hand has moved since it took hold of a control. */
  #moved = new Set<keyof State>();
  #hasUnsavedTraits = false;
  readonly #reactions: Reaction[];
  readonly #model: Model;

  constructor(model: Model, clock: Clock) {
    this.#model = model;
    this.#hadKernel = hasKernel(model);
    this.#easing = createEasing(clock, this.#announce);
    this.#group = this.#decodeGroup();
    this.#answer = this.#decodeAnswer();
    this.#comparators = decodeComparators(model.get("_comparators"));
    this.#previews = new Previews(this.#answer.ok ? this.#answer.value.frames : []);
    this.#first = this.#controls();
    this.#wishes = new Wishes(this.#first);
    this.#wanted = this.#settable(this.#first);
    this.#frameSeen = model.get("_frame");
    this.#backpressure = createBackpressure(this.#send, clock, this.#answer.ok ? this.#answer.value.seq : 0);
    this.#reactions = [
      ["change:_data", this.#onData],
      ["change:_stops", this.#onData],
      ["change:_frame", this.#onFrame],
      ["change:_comparators", this.#onComparators],
      ["change:_ideal", this.#announce],
      ...Object.keys(this.#first).map(
        (name): Reaction => [`change:${name}`, () => this.#onTrait(name as ControlName)],
      ),
      ["comm_live_update", this.#onConnection],
      ["msg:custom", this.#onMessage],
    ];
    for (const [event, reaction] of this.#reactions) model.on(event, reaction);
  }

  close() {
    for (const [event, reaction] of this.#reactions) this.#model.off(event, reaction);
    this.#backpressure.clear();
    this.#easing.stop();
    this.#listeners.clear();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  picture(): Result<Picture> {
    if (!this.#group.ok) return this.#group;
    if (!this.#answer.ok) return this.#answer;
    const controls = decodeControls({ ...this.#wishes.controls, ...this.#wanted });
    if (!controls.ok) return controls;
    const group = this.#promised(this.#group.value);
    const { view, page } = controls.value;
    // A curve to guess from has no limits, and nothing shows any.
    const band = page.reveal ? controls.value.band : "none";
    const shown = this.#shown();
    const drawn = this.#drawn(group.entries, this.#answer.value, shown ?? 0);
    const evaluation = group.entries[shown ?? 0];
    const frame = drawn.frames[shown ?? 0];
    const stops = hasKernel(this.#model)
      ? null
      : settableAlphas(group, this.#answer.value, this.#looked(evaluation));
    const isRoc =
      !page.reveal || shown === null || (view === "reliability" && !hasReliability(evaluation, frame));
    return {
      ok: true,
      value: {
        ...controls.value,
        band,
        group,
        shown,
        evaluation,
        frame,
        ...drawn,
        isLost: this.#hadKernel && !hasKernel(this.#model),
        wanted: this.#wanted,
        stops,
        view: isRoc ? "roc" : view,
        problem: page.reveal ? this.#problem(stops) : null,
        comparators: this.#comparators.ok ? this.#comparators.value : NO_COMPARATORS,
        ideal:
          shown === null || view !== "roc"
            ? null
            : idealOf(this.#model, band, evaluation, this.#wanted.alpha, !this.#backpressure.idle),
        picked: this.#picked,
        held: this.#history.isHeld,
        easing: this.#easing.isOn(),
        asking: !this.#backpressure.idle,
        isReset: this.#history.endsInReset,
        offered: page.reveal ? this.#offered(evaluation) : NOTHING_OFFERED,
      },
    };
  }

  /** The setting that the reader wants, which may not be drawn yet: keys step from it. */
  get wanted(): State {
    return this.#wanted;
  }

  readonly setAlpha = (alpha: number) => this.#history.step(() => this.#want({ alpha }));

  readonly setThreshold = (threshold: number) => {
    this.#history.step(() => this.#pick({ threshold }));
  };

  /** Sets what was picked elsewhere than on its slider; the slider is seen going there. */
  jumpTo(goal: Partial<State>) {
    this.#easing.start();
    this.#history.step(() => this.#pick(goal));
  }

  /** Shows one entry of the group, or with null all of them. */
  show(index: number | null) {
    if (!this.#group.ok) return;
    const { kind, entries } = this.#group.value;
    const horizon = index === null ? null : (entries[index].followed?.horizon ?? null);
    if (kind === "horizons") this.choose({ horizon });
    else this.choose({ label: index === null ? null : entries[index].key });
  }

  /** Puts a band on the plot, or takes it off. */
  setShown(key: string, isShown: boolean) {
    const others = this.#page.hidden.filter((each) => each !== key);
    this.choosePage({ hidden: isShown ? others : [...others, key] });
  }

  choosePage(page: Partial<Page>) {
    this.choose({ page: { ...this.#page, ...page } });
  }

  choose(view: Partial<View>) {
    const { band } = view;
    const shown = this.#shown();
    // If there are several entries, the kernel computes these bands for one entry only. Its label must be sent.
    const isSeveral = this.#group.ok && this.#group.value.kind !== "horizons";
    const isOfOne = isSeveral && shown !== null && (band === "ideal" || band === "sampling");
    const label = isOfOne && this.#group.ok ? { label: this.#group.value.entries[shown].key } : {};
    this.#history.step(() => this.#setView({ ...label, ...view }));
  }

  /** Asks the kernel to select the rows of a cell of the confusion table. */
  select(cell: Selection["cell"]) {
    this.#model.send({ type: "select", cell, threshold: this.#wanted.threshold } satisfies Selection);
  }

  /** Sets everything as it was when the page was opened. */
  reset() {
    this.#history.step(() => this.#goTo({ ...this.#first, picked: false }), true);
  }

  /** Takes back the last change that the reader has made; not while a hand is on a control. */
  undo() {
    const before = this.#history.undo();
    if (before) this.#goTo(before);
  }

  /** Takes hold of a control until `release`: nobody else moves it, and all changes are one step for undo. */
  hold() {
    this.#moved.clear();
    this.#history.hold();
    this.#announce();
  }

  release() {
    this.#history.release();
    this.#backpressure.rest();
    this.#follow();
    this.#announce();
  }

  #goTo({ alpha, threshold, picked = this.#picked, ...view }: Partial<Setting>) {
    this.#easing.start();
    this.#picked = picked;
    this.#setView(view);
    this.#want({
      ...(alpha === undefined ? {} : { alpha }),
      ...(threshold === undefined ? {} : { threshold }),
    });
  }

  /** Sets what a hand has chosen. */
  #pick(goal: Partial<State>) {
    this.#picked ||= goal.threshold !== undefined;
    this.#want(goal);
    this.#announce();
  }

  #problem(stops: number[] | null): Problem | null {
    if (this.#failure) return this.#failure;
    if (this.#observer) return { fact: OBSERVER, reason: this.#observer.reason };
    if (!this.#comparators.ok)
      return { fact: "The other bands cannot be read:", reason: this.#comparators.problem };
    if (stops?.length === 1) return FIXED;
    return this.#isSilent() ? SILENT : null;
  }

  #drawn(entries: Evaluation[], answer: Answer, shown: number): Drawn {
    const isStatic = !hasKernel(this.#model);
    const isAlone = isStatic || this.#isSilent();
    const isPromised = answer.frames.every(({ kind }, i) => kind === entries[i].words.kind);
    if (!isAlone && isPromised && isSameState(answer, this.#wanted)) return this.#previews.ofKernel(answer);
    return this.#previews.ofPage({ entries, answer, wanted: this.#wanted, shown, isStatic, isAlone });
  }

  #want(wish: Partial<State>) {
    const state = this.#settable({ ...this.#wanted, ...wish });
    if (isSameState(state, this.#wanted)) return;
    for (const name of SLIDERS) {
      if (state[name] === this.#wanted[name]) continue;
      this.#moved.add(name);
      this.#wishes.change({ [name]: state[name] });
    }
    this.#wanted = state;
    // The slider that the hand is not on may have been set meanwhile.
    this.#follow();
    this.#ask(this.#isAhead());
    this.#announce();
  }

  #setView(view: Partial<View>) {
    this.#wishes.change(view);
    // Another view may have other alphas.
    this.#want({});
    this.#ask();
    this.#announce();
  }

  /**
   * Asks the kernel for what the reader has changed. A widget manager could carry it as it carries any trait, but where a new connection loses the reply to one, it waits for that reply for ever, and so do all traits. Nor does the page set a trait that a kernel will answer: whatever it has set goes out with the next save, and undoes what Python has set meanwhile.
   */
  #ask(isAhead = false) {
    if (hasKernel(this.#model)) this.#backpressure.wish(isAhead);
    if (!hasKernel(this.#model) || this.#isSilent()) this.#shareTraits();
  }

  /** Whether a hand moves what the page draws without the kernel; the bounds of the reliability it cannot. */
  #isAhead(): boolean {
    if (!this.#history.isHeld) return false;
    if (!this.#group.ok || !this.#answer.ok || this.#wishes.controls.view === "reliability") return false;
    const { entries } = this.#promised(this.#group.value);
    return !this.#drawn(entries, this.#answer.value, this.#shown() ?? 0).waiting;
  }

  /** The nearest setting that can be drawn. */
  #settable({ alpha, threshold }: State): State {
    const state = { alpha, threshold };
    if (hasKernel(this.#model) || !this.#group.ok || !this.#answer.ok) return state;
    const group = this.#promised(this.#group.value);
    const shown = this.#shown() ?? 0;
    return nearestSettable(group, this.#answer.value, shown, this.#looked(group.entries[shown]), state);
  }

  /** The reliability of an entry, where that is the view. */
  #looked = ({ reliability }: Evaluation) =>
    this.#wishes.controls.view === "reliability" && this.#shown() !== null ? reliability : null;

  /** The group under the promise that is wanted. */
  #promised = (group: Group) => withGuarantee(group, this.#wishes.controls.guarantee);

  /** What the band of an entry can answer besides its first question. */
  #offered(entry: Evaluation): Picture["offered"] {
    if (hasKernel(this.#model))
      return { ideal: true, sampling: entry.selectable, reliability: !entry.weighted && !entry.anySize };
    const others = this.#comparators.ok ? this.#comparators.value : NO_COMPARATORS;
    const isSampled = others.items.some(({ key, lines }) => key !== TRUTH && lines.length > 0);
    return {
      ideal: hasIdeal(this.#model, entry),
      // Limits of the rates and of the AUC do not need a band.
      sampling: entry.area !== null || (isSampled && isSameValue(others.entry, entry.key)),
      reliability: entry.reliability !== null,
    };
  }

  get #page(): Page {
    return this.#wishes.controls.page;
  }

  #shown(): number | null {
    return this.#group.ok ? indexOf(this.#group.value, this.#wishes.controls) : null;
  }

  readonly #isSilent = () => this.#backpressure.lost >= SILENCE;

  readonly #send = (seq: number) => {
    this.#wishes.sent(seq);
    try {
      const { newest } = this.#backpressure;
      this.#model.send(encodeRequest(this.#client, seq, newest, this.#wishes.pending));
    } catch {
      // If the connection is gone, no answer comes: the request times out and is sent again.
    }
    this.#announce();
  };

  readonly #onData = () => {
    this.#group = this.#decodeGroup();
    this.#previews.forget();
    this.#adopt(this.#decodeAnswer());
    this.#announce();
  };

  readonly #onFrame = () => {
    const decoded = this.#decodeAnswer();
    if (!decoded.ok) {
      this.#report({ fact: "The page could not read the kernel’s answer:", reason: decoded.problem });
      return;
    }
    const { client, seq } = decoded.value;
    const isOwn = client === this.#client;
    const isLate = isOwn && !this.#backpressure.answered(seq);
    this.#frameSeen = this.#model.get("_frame");
    if (isLate) {
      this.#keepSetting();
      return;
    }
    this.#adopt(decoded);
    this.#failure = null;
    if (isOwn) {
      for (const name of this.#wishes.answered(seq)) this.#taken.add(name as ControlName);
      this.#observer = this.#observer?.isNew ? { ...this.#observer, isNew: false } : null;
    }
    this.#adoptTraits();
    this.#saveTraits();
    this.#announce();
  };

  readonly #onComparators = () => {
    this.#comparators = decodeComparators(this.#model.get("_comparators"));
    this.#announce();
  };

  #onTrait(name: ControlName) {
    if (this.#isLate()) this.#model.set(name, this.#wishes.controls[name]);
    else {
      this.#adoptTraits(name);
      this.#confirm(name);
    }
    this.#announce();
  }

  /** A kernel that has gone will not answer; one that has come does not know what was set meanwhile. */
  readonly #onConnection = () => {
    this.#backpressure.clear();
    this.#failure = null;
    this.#hadKernel ||= hasKernel(this.#model);
    this.#wanted = this.#settable(this.#wanted);
    if (Object.keys(this.#wishes.pending).length > 0) this.#ask();
    this.#announce();
  };

  readonly #onMessage = (message: unknown) => {
    const observer = decodeObserver(message);
    if (observer !== null) {
      this.#observer = { reason: observer, isNew: true };
      this.#announce();
    }
    const failure = decodeFailure(message);
    if (failure?.client !== this.#client || !this.#backpressure.answered(failure.seq)) return;
    this.#wishes.answered(failure.seq);
    this.#report({ fact: "The kernel could not compute this band:", reason: failure.message });
  };

  readonly #announce = () => {
    for (const listener of this.#listeners) listener();
  };

  #report(problem: Problem) {
    this.#failure = problem;
    this.#follow();
    this.#announce();
  }

  /** The controls as the model has them now, which need not mean anything. */
  #controls = () => controlsOf((name) => this.#model.get(name));

  #decodeGroup(): Result<Group> {
    return decodeGroup(this.#model.get("_data"), this.#model.get("_stops"));
  }

  #decodeAnswer(): Result<Answer> {
    if (!this.#group.ok) return this.#group;
    return decodeFrames(this.#model.get("_frame"), this.#group.value);
  }

  #adopt(answer: Result<Answer>) {
    this.#answer = answer.ok ? { ok: true, value: this.#previews.confirmed(answer.value) } : answer;
    this.#previews.forgetUncomputed();
  }

  /** Adopts one trait of the model, or all, if the values are valid. */
  #adoptTraits(name?: ControlName) {
    const current = this.#controls();
    const wish = name === undefined ? current : { [name]: current[name] };
    if (!decodeControls({ ...this.#wishes.controls, ...wish }).ok) return;
    if (hasKernel(this.#model)) this.#wishes.adopt(wish);
    // If a kernel comes later, it learns this only from the page.
    else this.#wishes.change(wish);
    this.#follow();
  }

  /** Moves the sliders to where the kernel and the hand have set them; one that is held stays. */
  #follow() {
    const { controls } = this.#wishes;
    const isFree = (name: keyof State) =>
      !this.#history.isHeld || (this.#moved.size > 0 && !this.#moved.has(name));
    const state = this.#settable({
      alpha: isFree("alpha") ? controls.alpha : this.#wanted.alpha,
      threshold: isFree("threshold") ? controls.threshold : this.#wanted.threshold,
    });
    if (!isSameState(state, this.#wanted)) this.#wanted = state;
    if (!hasKernel(this.#model)) this.#shareTraits();
  }

  /** After a reconnect the kernel may replay an old frame, and old traits with it: they are ignored, and ours are set again. */
  #keepSetting() {
    if (this.#answer.ok) this.#wishes.adopt(stateOf(this.#answer.value));
    this.#follow();
    this.#shareTraits();
    this.#saveTraits();
    this.#announce();
  }

  /** Whether the traits that came are such a replay. */
  #isLate(): boolean {
    if (this.#model.get("_frame") === this.#frameSeen) return false;
    const decoded = this.#decodeAnswer();
    return (
      decoded.ok && decoded.value.client === this.#client && this.#backpressure.isPast(decoded.value.seq)
    );
  }

  /** Sets the traits from the page, where no kernel does: linked widgets and the saved state follow them. */
  #shareTraits() {
    this.#hasUnsavedTraits = true;
    // Each trait is announced as it is set, while others still have their old values.
    const traits = Object.entries({ ...this.#wishes.controls, ...this.#wanted });
    for (const [name, value] of traits as [ControlName, never][]) this.#model.set(name, value);
  }

  /** Unsaved, they would go out with a later save and undo what Python has set meanwhile. */
  #saveTraits() {
    if (!this.#hasUnsavedTraits || !this.#backpressure.idle || !hasKernel(this.#model)) return;
    this.#hasUnsavedTraits = false;
    this.#model.save_changes();
  }

  /** Saves a control that the kernel has answered, for a host that learns of settings from the page alone. */
  #confirm(name: ControlName) {
    if (!hearsSaves(this.#model) || !this.#backpressure.idle || !this.#taken.delete(name)) return;
    this.#model.set(name, this.#model.get(name) as never);
    this.#model.save_changes();
  }
}

const stateOf = ({ alpha, threshold }: State): State => ({ alpha, threshold });
