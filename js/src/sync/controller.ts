// Controller of a model: the setting that the reader wants, and what kernel and traits say of it.

import { randomId } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import { hasReliability } from "../evaluation/calibration_band.ts";
import { underPromise } from "../evaluation/everywhere.ts";
import type { Evaluation, Group } from "../evaluation/types.ts";
import { type Comparators, decodeComparators, NO_COMPARATORS } from "../wire/decode_comparators.ts";
import { decodeGroup } from "../wire/decode_evaluation.ts";
import { decodeFrames } from "../wire/decode_frame.ts";
import {
  type Answer,
  decodeFailure,
  decodeTraits,
  encodeRequest,
  type Page,
  type Selection,
  type State,
  type Traits,
  VIEW,
  type View,
  type Wish,
} from "../wire/messages.ts";
import type { Result } from "../wire/readers.ts";
import { type Backpressure, type Clock, createBackpressure } from "./backpressure.ts";
import { ChosenView, indexOf, traitsOf, viewOf } from "./chosen_view.ts";
import { TRUTH } from "./comparators.ts";
import { createEasing, type Easing } from "./easing.ts";
import { History } from "./history.ts";
import { hasIdeal, idealOf } from "./ideal.ts";
import { hasKernel } from "./kernel.ts";
import { type Drawn, Previews } from "./previews.ts";
import { isSameState, nearestSettable, settableAlphas } from "./settable.ts";
import { FIXED, type Model, type Picture, type Problem, SILENT } from "./view_model.ts";

type Reaction = [event: string, reaction: (content: unknown) => void];

/** After so many requests in a row without an answer the page goes on alone. */
const SILENCE = 3;
/** One per model, shared by its views. At rest the page, the traits and the kernel agree. */
export class Controller {
  readonly #client = randomId();
  readonly #listeners = new Set<() => void>();
  readonly #backpressure: Backpressure<Wish>;
  #group: Result<Group>;
  #answer: Result<Answer>;
  #comparators: Result<Comparators>;
  readonly #first: Traits;
  #wanted: State;
  readonly #chosen: ChosenView;
  /** The last value of `_frame` that was read. */
  #frameSeen: unknown;
  readonly #previews: Previews;
  #failure: Problem | null = null;
  #picked = false;
  readonly #easing: Easing;
  readonly #history = new History(() => ({ ...this.#chosen.view, ...this.#wanted }));
  #hasUnsavedTraits = false;
  readonly #reactions: Reaction[];
  readonly #model: Model;

  constructor(model: Model, clock: Clock) {
    this.#model = model;
    this.#easing = createEasing(clock, this.#announce);
    this.#group = this.#decodeGroup();
    this.#answer = this.#decodeAnswer();
    this.#comparators = decodeComparators(model.get("_comparators"));
    this.#previews = new Previews(this.#answer.ok ? this.#answer.value.frames : []);
    this.#first = traitsOf(model);
    this.#chosen = new ChosenView(viewOf(model));
    this.#wanted = this.#settable(this.#first);
    this.#frameSeen = model.get("_frame");
    this.#backpressure = createBackpressure(this.#send, clock, this.#answer.ok ? this.#answer.value.seq : 0);
    this.#reactions = [
      ["change:_data", this.#onData],
      ["change:_stops", this.#onData],
      ["change:_frame", this.#onFrame],
      ["change:_comparators", this.#onComparators],
      ["change:_ideal", this.#announce],
      ["change:alpha", this.#onState],
      ["change:threshold", this.#onState],
      ...VIEW.map((name): Reaction => [`change:${name}`, () => this.#onView(name)]),
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
    const traits = decodeTraits({ ...this.#chosen.view, ...this.#wanted });
    if (!traits.ok) return traits;
    const group = this.#promised(this.#group.value);
    const { band, weights, view, prevalence, cost_ratio: cost, page } = traits.value;
    const shown = this.#shown();
    const drawn = this.#drawn(group.entries, this.#answer.value, shown ?? 0);
    const evaluation = group.entries[shown ?? 0];
    const frame = drawn.frames[shown ?? 0];
    const stops = hasKernel(this.#model)
      ? null
      : settableAlphas(group, this.#answer.value, this.#looked(evaluation));
    const isRoc = shown === null || (view === "reliability" && !hasReliability(evaluation, frame));
    return {
      ok: true,
      value: {
        group,
        shown,
        evaluation,
        frame,
        ...drawn,
        wanted: this.#wanted,
        stops,
        band,
        weights,
        view: isRoc ? "roc" : view,
        prevalence,
        cost,
        problem: this.#problem(stops),
        comparators: this.#comparators.ok ? this.#comparators.value : NO_COMPARATORS,
        ideal:
          shown === null || view !== "roc"
            ? null
            : idealOf(this.#model, band, evaluation, this.#wanted.alpha),
        page,
        picked: this.#picked,
        held: this.#history.isHeld,
        easing: this.#easing.isOn(),
        asking: !this.#backpressure.idle,
        isReset: this.#history.endsInReset,
        offered: this.#offered(evaluation),
      },
    };
  }

  readonly setAlpha = (alpha: number) => this.#history.step(() => this.#want({ ...this.#wanted, alpha }));

  readonly setThreshold = (threshold: number) => {
    this.#picked = true;
    this.#history.step(() => this.#want({ ...this.#wanted, threshold }));
  };

  /** A setting that was picked elsewhere than on its own slider. */
  jumpTo(goal: Partial<State>) {
    this.#easing.start();
    this.#picked ||= goal.threshold !== undefined;
    this.#history.step(() => this.#want({ ...this.#wanted, ...goal }));
  }

  /** Look at one entry of the group, or with null at all of them. */
  show(index: number | null) {
    if (this.#group.ok) this.choose({ label: index === null ? null : this.#group.value.entries[index].key });
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
    // What the kernel makes of one entry alone it has to be told of by name.
    const isOfOne = shown !== null && (band === "ideal" || band === "sampling");
    const label = isOfOne && this.#group.ok ? { label: this.#group.value.entries[shown].key } : {};
    this.#history.step(() => this.#setView({ ...label, ...view }));
  }

  /** Asks the kernel to select the rows of a cell of the confusion table. */
  select(cell: Selection["cell"]) {
    this.#model.send({ type: "select", cell, threshold: this.#wanted.threshold } satisfies Selection);
  }

  /** Everything as it was when the page was opened. */
  reset() {
    this.#picked = false;
    this.#history.step(() => this.#goTo(this.#first), true);
  }

  /** Takes back the last change that the reader has made; not while a hand is on a control. */
  undo() {
    const before = this.#history.undo();
    if (before) this.#goTo(before);
  }

  /** From here to `release` the reader's hand is on a control, and nobody else moves it: all of it is one step. */
  hold() {
    this.#history.hold();
    this.#announce();
  }

  release() {
    this.#history.release();
    this.#settle();
    this.#announce();
  }

  #goTo({ alpha, threshold, ...view }: Partial<Traits>) {
    this.#easing.start();
    this.#setView(view);
    this.#want({ alpha: alpha ?? this.#wanted.alpha, threshold: threshold ?? this.#wanted.threshold });
  }

  #problem(stops: number[] | null): Problem | null {
    if (this.#failure) return this.#failure;
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

  #want(wish: State) {
    const state = this.#settable(wish);
    if (isSameState(state, this.#wanted)) return;
    this.#wanted = state;
    this.#shareTraits();
    this.#ask();
    this.#announce();
  }

  #setView(view: Partial<View>) {
    this.#chosen.choose(view);
    this.#shareView();
    // Another view may have other alphas.
    this.#want(this.#wanted);
    this.#ask();
    this.#announce();
  }

  /**
   * Asks the kernel for the setting, and tells it the choices. A widget manager could carry a choice as it carries any trait, but where a new connection loses the reply to one, it waits for that reply for ever, and so do all traits.
   */
  #ask() {
    if (hasKernel(this.#model)) this.#backpressure.wish({ ...this.#wanted, ...this.#chosen.pending });
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
    this.#chosen.view.view === "reliability" && this.#shown() !== null ? reliability : null;

  /** The group under the promise that is wanted. */
  #promised = (group: Group) => underPromise(group, this.#chosen.view.guarantee);

  /** What the band of an entry can answer besides its first question. */
  #offered(entry: Evaluation): Picture["offered"] {
    if (hasKernel(this.#model))
      return { ideal: true, sampling: entry.selectable, reliability: !entry.weighted };
    const others = this.#comparators.ok ? this.#comparators.value : NO_COMPARATORS;
    const isSampled = others.items.some(({ key, lines }) => key !== TRUTH && lines.length > 0);
    return {
      ideal: hasIdeal(this.#model, entry),
      sampling: isSampled && isSameValue(others.entry, entry.key),
      reliability: entry.reliability !== null,
    };
  }

  get #page(): Page {
    return this.#chosen.view.page;
  }

  #shown(): number | null {
    return this.#group.ok ? indexOf(this.#group.value, this.#chosen.view.label) : null;
  }

  readonly #isSilent = () => this.#backpressure.lost >= SILENCE;

  readonly #send = (seq: number, wish: Wish) => {
    try {
      this.#model.send(encodeRequest(this.#client, seq, wish));
    } catch {
      // The connection is gone, and so will the answer be: the request times out and asks again.
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
    if (client === this.#client && !this.#backpressure.answered(seq)) {
      this.#keepSetting();
      this.#frameSeen = this.#model.get("_frame");
      return;
    }
    this.#frameSeen = this.#model.get("_frame");
    this.#adopt(decoded);
    this.#failure = null;
    if (client === "") this.#followTraits();
    else this.#settle();
    this.#announce();
  };

  readonly #onComparators = () => {
    this.#comparators = decodeComparators(this.#model.get("_comparators"));
    this.#announce();
  };

  readonly #onState = () => {
    this.#followTraits();
    this.#announce();
  };

  #onView(name: keyof View) {
    const value = viewOf(this.#model)[name];
    const isNews = !isSameValue(value, this.#chosen.view[name]);
    if (isNews && (this.#isLate() || !this.#chosen.adopt(name, value))) {
      this.#model.set(name, this.#chosen.view[name]);
    }
    this.#announce();
  }

  /** A kernel that has gone will not answer; one that has come does not know what was set meanwhile. */
  readonly #onConnection = () => {
    this.#backpressure.clear();
    this.#failure = null;
    this.#wanted = this.#settable(this.#wanted);
    const isNews = this.#answer.ok && !isSameState(this.#answer.value, this.#wanted);
    if (isNews || Object.keys(this.#chosen.pending).length > 0) this.#ask();
    this.#announce();
  };

  readonly #onMessage = (message: unknown) => {
    const failure = decodeFailure(message);
    if (failure?.client !== this.#client || !this.#backpressure.answered(failure.seq)) return;
    this.#report({ fact: "The kernel could not compute this band:", reason: failure.message });
  };

  readonly #announce = () => {
    for (const listener of this.#listeners) listener();
  };

  #report(problem: Problem) {
    this.#failure = problem;
    if (this.#backpressure.idle) {
      this.#chosen.discard();
      this.#shareView();
    }
    this.#settle();
    this.#announce();
  }

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

  #isLeading() {
    return this.#history.isHeld || !this.#backpressure.idle;
  }

  /** Python or a linked widget has set the traits; its frame comes with them or soon after. */
  #followTraits() {
    if (this.#isLeading()) return;
    const traits = decodeTraits(traitsOf(this.#model));
    if (!traits.ok) return;
    const { alpha, threshold } = this.#settable(traits.value);
    if (isSameState({ alpha, threshold }, this.#wanted)) return;
    this.#wanted = { alpha, threshold };
    if (!isSameState(traits.value, this.#wanted)) this.#shareTraits();
  }

  #settle() {
    if (this.#isLeading() || !this.#answer.ok || !hasKernel(this.#model)) return;
    const { alpha, threshold } = this.#answer.value;
    this.#wanted = { alpha, threshold };
    this.#chosen.settle();
    if (!this.#hasUnsavedTraits) return;
    this.#shareTraits();
    // The kernel has these values already. Unsaved, they would go out with the next save and undo what
    // Python has set meanwhile.
    this.#model.save_changes();
    this.#hasUnsavedTraits = false;
  }

  /** After a reconnect the kernel may replay an old frame, and old traits with it: they are ignored, and ours are set again. */
  #keepSetting() {
    this.#shareView();
    this.#settle();
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

  #shareView() {
    this.#hasUnsavedTraits = true;
    for (const name of VIEW) this.#model.set(name, this.#chosen.view[name]);
  }

  #shareTraits() {
    // Each set is announced at once, and whoever follows the traits then sees the other one's old value.
    const { alpha, threshold } = this.#wanted;
    this.#hasUnsavedTraits = true;
    this.#model.set("alpha", alpha);
    this.#model.set("threshold", threshold);
  }
}
