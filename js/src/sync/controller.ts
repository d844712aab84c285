// Connects the page with a model: keeps the setting that the user wants, asks the kernel for it, and reads the answers.

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

/** After this many requests in a row without an answer, the page goes on without the kernel. */
const SILENCE = 3;
const SLIDERS = ["alpha", "threshold"] as const;

const NOTHING_OFFERED = { ideal: false, sampling: false, reliability: false };

/**
 * The controller of one model. All views of the model share it. When nothing moves, page, traits and kernel have the
 * same values.
 */
export class Controller {
  readonly #client = randomId();
  readonly #listeners = new Set<() => void>();
  readonly #backpressure: Backpressure;
  #group: Result<Group>;
  #answer: Result<Answer>;
  #comparators: Result<Comparators>;
  readonly #first: Controls;
  /** The values of the sliders that the user wants. During a drag they follow the pointer. */
  #wanted: State;
  readonly #wishes: Wishes;

  /**
   * Controls that the kernel has accepted from this page, and for which the page has not called
   * `save_changes` yet. Some hosts keep only values that the page has saved by this call.
   */
  readonly #taken = new Set<ControlName>();
  /** The value of the trait `_frame` when it was last read. */
  #frameSeen: unknown;
  readonly #previews: Previews;
  #failure: Problem | null = null;
  /**
   * The error in code of the user that observes the traits. `isNew` is true until the kernel's next answer.
   * At the answer after that, the error is forgotten.
   */
  #observer: { reason: string; isNew: boolean } | null = null;
  /** Whether a kernel was connected at some time since the page was opened. */
  #hadKernel: boolean;
  #picked = false;
  readonly #easing: Easing;
  readonly #history = new History(() => ({
    ...this.#wishes.controls,
    ...this.#wanted,
    picked: this.#picked,
  }));
  /** The sliders that the user has moved during the current drag. */
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
    // If `reveal` is false, the user is to guess the limits first. The band is then taken to be "none", so
    // that no component shows limits.
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
          shown === null || (view !== "roc" && !isRoc)
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

  /** The setting that the user wants, which may not be drawn yet. Keys step from it. */
  get wanted(): State {
    return this.#wanted;
  }

  readonly setAlpha = (alpha: number) => this.#history.step(() => this.#want({ alpha }));

  readonly setThreshold = (threshold: number) => {
    this.#history.step(() => this.#pick({ threshold }));
  };

  /** Sets a value that was chosen elsewhere than on its slider. The slider's movement to it is animated. */
  jumpTo(goal: Partial<State>) {
    this.#easing.start();
    this.#history.step(() => this.#pick(goal));
  }

  /** Shows the evaluation with this index or, if it is null, all together. */
  show(index: number | null) {
    if (!this.#group.ok) return;
    const { kind, entries } = this.#group.value;
    const horizon = index === null ? null : (entries[index].followed?.horizon ?? null);
    if (kind === "horizons") this.choose({ horizon });
    else this.choose({ label: index === null ? null : entries[index].key });
  }

  /** Shows or hides a band on the plot. */
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
    // The kernel computes the bands "ideal" and "sampling" for one evaluation only. If there are several, the
    // request must name it.
    const isSeveral = this.#group.ok && this.#group.value.kind !== "horizons";
    const isOfOne = isSeveral && shown !== null && (band === "ideal" || band === "sampling");
    const label = isOfOne && this.#group.ok ? { label: this.#group.value.entries[shown].key } : {};
    this.#history.step(() => this.#setView({ ...label, ...view }));
  }

  /** Asks the kernel to select the rows in a cell of the confusion matrix. */
  select(cell: Selection["cell"]) {
    this.#model.send({ type: "select", cell, threshold: this.#wanted.threshold } satisfies Selection);
  }

  /** Resets everything to the state in which the page was opened. */
  reset() {
    this.#history.step(() => this.#goTo({ ...this.#first, picked: false }), true);
  }

  /** Undoes the user's last change. During a drag it does nothing. */
  undo() {
    const before = this.#history.undo();
    if (before) this.#goTo(before);
  }

  /**
   * Starts a drag, which lasts until `release`. During it, only the user moves the dragged slider. Undo takes all its
   * changes back in one step.
   */
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

  /** Sets values that the user has chosen by hand. */
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
    // The kernel may have set the slider that the user does not drag. Its new value is read here.
    this.#follow();
    this.#ask(this.#isAhead());
    this.#announce();
  }

  #setView(view: Partial<View>) {
    this.#wishes.change(view);
    // The new view may offer other alphas than the old one. `#want` then chooses the nearest.
    this.#want({});
    this.#ask();
    this.#announce();
  }

  /**
   * Asks the kernel for the user's changes, by a custom message. The page does not set a trait instead, for
   * two reasons. If a reconnect loses the reply, a widget manager waits for it for ever. And the next save
   * would send the trait again, which would undo changes that Python has made since then.
   */
  #ask(isAhead = false) {
    if (hasKernel(this.#model)) this.#backpressure.wish(isAhead);
    if (!hasKernel(this.#model) || this.#isSilent()) this.#shareTraits();
  }

  /**
   * Whether the page can draw a drag without waiting for the kernel. It cannot draw the bounds of the reliability view.
   */
  #isAhead(): boolean {
    if (!this.#history.isHeld) return false;
    if (!this.#group.ok || !this.#answer.ok || this.#wishes.controls.view === "reliability") return false;
    const { entries } = this.#promised(this.#group.value);
    return !this.#drawn(entries, this.#answer.value, this.#shown() ?? 0).waiting;
  }

  /** Returns the nearest setting that can be drawn. */
  #settable({ alpha, threshold }: State): State {
    const state = { alpha, threshold };
    if (hasKernel(this.#model) || !this.#group.ok || !this.#answer.ok) return state;
    const group = this.#promised(this.#group.value);
    const shown = this.#shown() ?? 0;
    return nearestSettable(group, this.#answer.value, shown, this.#looked(group.entries[shown]), state);
  }

  /** Returns the bounds of P(y = 1 | score) of an evaluation. Null unless the reliability view is shown. */
  #looked = ({ reliability }: Evaluation) =>
    this.#wishes.controls.view === "reliability" && this.#shown() !== null ? reliability : null;

  /** Returns the group with the limits of the guarantee that the user wants. */
  #promised = (group: Group) => withGuarantee(group, this.#wishes.controls.guarantee);

  /** Returns whether the bands "ideal" and "sampling" and the reliability view can be shown for an evaluation. */
  #offered(entry: Evaluation): Picture["offered"] {
    if (hasKernel(this.#model))
      return { ideal: true, sampling: entry.selectable, reliability: !entry.weighted && !entry.anySize };
    const others = this.#comparators.ok ? this.#comparators.value : NO_COMPARATORS;
    const isSampled = others.items.some(({ key, lines }) => key !== TRUTH && lines.length > 0);
    return {
      ideal: hasIdeal(this.#model, entry),
      // The confidence limits of this classifier's rates and AUC need no comparator's band. So "sampling" can
      // be chosen without one.
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
      // A lost request is sent again when its waiting time is over.
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

  /** A kernel that has gone will not answer, and a new one does not know the user's changes. So they are sent again. */
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

  /** Returns the controls of the model. They have not been checked. */
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

  /** Takes over one trait of the model, or all if no name is given. Invalid values are ignored. */
  #adoptTraits(name?: ControlName) {
    const current = this.#controls();
    const wish = name === undefined ? current : { [name]: current[name] };
    if (!decodeControls({ ...this.#wishes.controls, ...wish }).ok) return;
    if (hasKernel(this.#model)) this.#wishes.adopt(wish);
    // A kernel may connect later. The page then must tell it these values, so they are kept as changes of the
    // user.
    else this.#wishes.change(wish);
    this.#follow();
  }

  /** Moves the sliders to the kernel's values with the user's changes. A slider that the user drags is not moved. */
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

  /**
   * After a reconnect, the kernel may send an old frame and old traits again. The page ignores them and sets its own
   * values again.
   */
  #keepSetting() {
    if (this.#answer.ok) this.#wishes.adopt(stateOf(this.#answer.value));
    this.#follow();
    this.#shareTraits();
    this.#saveTraits();
    this.#announce();
  }

  /** Whether the received traits are out of date: they came with an answer older than the newest one. */
  #isLate(): boolean {
    if (this.#model.get("_frame") === this.#frameSeen) return false;
    const decoded = this.#decodeAnswer();
    return (
      decoded.ok && decoded.value.client === this.#client && this.#backpressure.isPast(decoded.value.seq)
    );
  }

  /** If no kernel sets the traits, the page sets them, for linked widgets and for the saved state. */
  #shareTraits() {
    this.#hasUnsavedTraits = true;
    // When a trait is set, the model announces it at once, while other traits still have their old values. So
    // all values are listed before the first is set.
    const traits = Object.entries({ ...this.#wishes.controls, ...this.#wanted });
    for (const [name, value] of traits as [ControlName, never][]) this.#model.set(name, value);
  }

  /**
   * Saves the traits that the page has set. Otherwise a later save would send old values and undo changes made in
   * Python.
   */
  #saveTraits() {
    if (!this.#hasUnsavedTraits || !this.#backpressure.idle || !hasKernel(this.#model)) return;
    this.#hasUnsavedTraits = false;
    this.#model.save_changes();
  }

  /** Saves a control after the kernel's answer, for hosts that read settings only from what the page saves. */
  #confirm(name: ControlName) {
    if (!hearsSaves(this.#model) || !this.#backpressure.idle || !this.#taken.delete(name)) return;
    this.#model.set(name, this.#model.get(name) as never);
    this.#model.save_changes();
  }
}

const stateOf = ({ alpha, threshold }: State): State => ({ alpha, threshold });
