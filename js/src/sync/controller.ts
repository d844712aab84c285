import type { AnyModel } from "@anywidget/types";
import { randomId } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import { frameAt, movedTo, stopsOf } from "../evaluation/at_alpha.ts";
import { settableThreshold, vertexAt } from "../evaluation/observed_curve.ts";
import type { Evaluation, Frame, Group, Weights } from "../evaluation/types.ts";
import { type Comparators, decodeComparators, NO_COMPARATORS } from "../wire/decode_comparators.ts";
import { decodeGroup } from "../wire/decode_evaluation.ts";
import { decodeFrames } from "../wire/decode_frame.ts";
import {
  type Answer,
  type BandKind,
  decodeFailure,
  decodeTraits,
  encodeRequest,
  type State,
  type Traits,
  VIEW,
  type View,
  type Wish,
} from "../wire/messages.ts";
import type { Result } from "../wire/readers.ts";
import { type Backpressure, type Clock, createBackpressure } from "./backpressure.ts";
import { hasKernel } from "./kernel.ts";

/** What the model holds; nothing in it is trusted before it is decoded. */
export interface Synced extends Traits {
  _data: unknown;
  _frame: unknown;
  /** Absent in a page that was saved before there were any. */
  _comparators?: unknown;
}

export type Model = AnyModel<Synced>;

/** Who computed what is drawn: the kernel, the page ahead of the kernel, or the page alone. */
export type Source = "kernel" | "preview" | "static";

export interface Problem {
  fact: string;
  reason: string;
}

/** Everything that a view draws. */
export interface Picture {
  group: Group;
  /** Index of the entry looked at; null for the overview of all. */
  shown: number | null;
  /** The entry looked at, in the overview the first one. */
  evaluation: Evaluation;
  frame: Frame;
  /** Of all entries. Without a kernel, one that cannot be computed keeps an older setting. */
  frames: Frame[];
  /** The page cannot compute what is wanted: the frames are older ones. */
  waiting: boolean;
  /** What the reader has set; the kernel's answer may still be on its way. */
  wanted: State;
  /** The alphas that can be set, where not all of them can. */
  stops: number[] | null;
  band: BandKind;
  weights: Weights;
  source: Source;
  problem: Problem | null;
  comparators: Comparators;
  /** Keys of the bands that the reader has taken off the plot. */
  hidden: ReadonlySet<string>;
  /** The reader's hand is on a control. */
  held: boolean;
  /** What has jumped is seen going there. */
  easing: boolean;
}

type Reaction = [event: string, reaction: (content: unknown) => void];

/** A little longer than the page takes to ease. */
const EASING_MS = 200;

/** After so many requests in a row without an answer the page goes on alone. */
const SILENCE = 3;

const SILENT: Problem = {
  fact: "The kernel no longer answers:",
  reason: "It may be busy, or gone. What the page can compute, it computes itself.",
};
const FIXED: Problem = {
  fact: "This band cannot move without a kernel:",
  reason: "Its limits at other α are too many to be saved with the page.",
};

/** One per model, shared by its views. At rest the page, the traits and the kernel agree. */
export class Controller {
  private readonly client = randomId();
  private readonly listeners = new Set<() => void>();
  private readonly gate: Backpressure<Wish>;
  private group: Result<Group>;
  private answer: Result<Answer>;
  private comparators: Result<Comparators>;
  private readonly hidden = new Set<string>();
  private readonly first: Traits;
  private wanted: State;
  /** The band, entry and weights that the kernel has. */
  private told: View;
  /** What of these the reader has chosen and the kernel may not have heard of. */
  private chosen: Partial<View> = {};
  /** The last state of `_frame` that was looked at. */
  private heard: unknown;
  /** The newest frames of the kernel or of the page. */
  private newest: Frame[];
  /** What the page computed for `wanted`; null where it cannot. */
  private computed: { wanted: State; frames: (Frame | null)[] } | null = null;
  private failure: Problem | null = null;
  private hands = 0;
  private easing: number | null = null;
  private hasUnsavedTraits = false;
  private readonly reactions: Reaction[];

  constructor(
    private readonly model: Model,
    private readonly clock: Clock,
  ) {
    this.group = decodeGroup(model.get("_data"));
    this.answer = this.decodeAnswer();
    this.comparators = decodeComparators(model.get("_comparators"));
    this.newest = this.answer.ok ? this.answer.value.frames : [];
    this.first = this.traits();
    this.told = this.viewOfModel();
    this.wanted = this.settable(this.first);
    this.heard = model.get("_frame");
    this.gate = createBackpressure(this.send, clock, this.answer.ok ? this.answer.value.seq : 0);
    this.reactions = [
      ["change:_data", this.onData],
      ["change:_frame", this.onFrame],
      ["change:_comparators", this.onComparators],
      ["change:alpha", this.onState],
      ["change:threshold", this.onState],
      ...VIEW.map((name): Reaction => [`change:${name}`, () => this.onView(name)]),
      ["comm_live_update", this.onConnection],
      ["msg:custom", this.onMessage],
    ];
    for (const [event, reaction] of this.reactions) model.on(event, reaction);
  }

  close() {
    for (const [event, reaction] of this.reactions) this.model.off(event, reaction);
    this.gate.clear();
    this.rest();
    this.listeners.clear();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  picture(): Result<Picture> {
    if (!this.group.ok) return this.group;
    if (!this.answer.ok) return this.answer;
    const traits = decodeTraits({ ...this.view, ...this.wanted });
    if (!traits.ok) return traits;
    const group = this.group.value;
    const { band, weights } = traits.value;
    const shown = this.shown();
    const drawn = this.draw(group.entries, this.answer.value, shown ?? 0);
    const stops = this.stops();
    return {
      ok: true,
      value: {
        group,
        shown,
        evaluation: group.entries[shown ?? 0],
        frame: drawn.frames[shown ?? 0],
        ...drawn,
        wanted: this.wanted,
        stops,
        band,
        weights,
        problem: this.problem(stops),
        comparators: this.comparators.ok ? this.comparators.value : NO_COMPARATORS,
        hidden: this.hidden,
        held: this.hands > 0,
        easing: this.easing !== null,
      },
    };
  }

  setAlpha(alpha: number) {
    this.want({ ...this.wanted, alpha });
  }

  setThreshold(threshold: number) {
    this.want({ ...this.wanted, threshold });
  }

  /** Sets what was picked elsewhere than on its own slider. */
  jumpTo(goal: Partial<State>) {
    this.ease();
    this.want({ ...this.wanted, ...goal });
  }

  setBand(band: BandKind) {
    this.choose({ band });
  }

  /** Look at one entry of the group, or with null at all of them. */
  show(index: number | null) {
    if (this.group.ok) this.choose({ label: index === null ? null : this.group.value.entries[index].label });
  }

  setWeights(weights: Weights) {
    this.choose({ weights });
  }

  /** Puts a band on the plot, or takes it off. */
  setShown(key: string, isShown: boolean) {
    if (isShown) this.hidden.delete(key);
    else this.hidden.add(key);
    this.announce();
  }

  /** Everything as it was when the page was opened. */
  reset() {
    const { alpha, threshold, ...view } = this.first;
    this.hidden.clear();
    this.ease();
    this.choose(view);
    this.want({ alpha, threshold });
  }

  /** From here to `release` the reader's hand is on a control, and nobody else moves it. */
  hold() {
    this.hands += 1;
    this.announce();
  }

  release() {
    this.hands -= 1;
    this.settle();
    this.announce();
  }

  private problem(stops: number[] | null): Problem | null {
    if (this.failure) return this.failure;
    if (!this.comparators.ok)
      return { fact: "The other bands cannot be read:", reason: this.comparators.problem };
    if (stops?.length === 1) return FIXED;
    return this.isSilent() ? SILENT : null;
  }

  private draw(entries: Evaluation[], answer: Answer, shown: number) {
    const isStatic = !hasKernel(this.model);
    const isAlone = isStatic || this.isSilent();
    if (!isAlone && isSame(answer, this.wanted)) {
      this.newest = answer.frames;
      return { frames: answer.frames, waiting: false, source: "kernel" as const };
    }
    const frames = this.compute(entries, answer);
    const waiting = isStatic ? frames[shown] === null : frames.includes(null);
    if (!waiting) this.newest = frames.map((frame, i) => frame ?? this.newest[i]);
    const source: Source = isStatic || (isAlone && !waiting) ? "static" : "preview";
    return { frames: this.newest, waiting, source };
  }

  private compute(entries: Evaluation[], answer: Answer): (Frame | null)[] {
    const { wanted } = this;
    if (this.computed?.wanted !== wanted) {
      this.computed = {
        wanted,
        frames: entries.map((entry, i) => frameFor(entry, answer.frames[i], wanted)),
      };
    }
    return this.computed.frames;
  }

  private ease() {
    this.rest();
    this.easing = this.clock.setTimeout(() => {
      this.easing = null;
      this.announce();
    }, EASING_MS);
  }

  private rest() {
    if (this.easing !== null) this.clock.clearTimeout(this.easing);
    this.easing = null;
  }

  private want(wish: State) {
    const state = this.settable(wish);
    if (isSame(state, this.wanted)) return;
    this.wanted = state;
    this.shareTraits();
    this.ask();
    this.announce();
  }

  private choose(view: Partial<View>) {
    this.chosen = { ...this.chosen, ...view };
    this.shareView();
    this.ask();
    this.announce();
  }

  /**
   * Asks the kernel for what is wanted, and tells it what was chosen. A widget manager could carry the choice as it carries
   * any trait, but where a new connection loses the reply to one, it waits for that reply for ever, and so do all traits.
   */
  private ask() {
    if (hasKernel(this.model)) this.gate.wish({ ...this.wanted, ...this.chosen });
  }

  /** Without a kernel only what the page can compute can be set; nothing is drawn between two stops. */
  private settable({ alpha, threshold }: State): State {
    const stops = this.stops();
    if (stops === null || !this.group.ok || !this.answer.ok) return { alpha, threshold };
    const distance = (stop: number) => Math.abs(Math.log(stop / alpha));
    const stop = stops.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    const shown = this.shown() ?? 0;
    const { thresholds } = this.group.value.entries[shown];
    const state = { alpha: stop, threshold };
    if (frameFor(this.group.value.entries[shown], this.answer.value.frames[shown], state)) return state;
    return { alpha: stop, threshold: settableThreshold(thresholds, vertexAt(thresholds, threshold)) };
  }

  /** The alphas that can be set without a kernel; null where all of them can. */
  private stops(): number[] | null {
    if (hasKernel(this.model) || !this.group.ok || !this.answer.ok) return null;
    const restricted = this.group.value.entries.map(stopsOf).filter((stops) => stops !== null);
    if (restricted.length === 0) return null;
    const [first, ...others] = restricted;
    const common = first.filter((stop) => others.every((stops) => stops.includes(stop)));
    // Curves that came alone have other vertices than the last answer.
    if (common.length > 0 && this.group.value.entries.some(({ curves }) => curves)) return common;
    return [...new Set([...common, this.answer.value.alpha])].sort((a, b) => a - b);
  }

  private shown(): number | null {
    if (!this.group.ok) return null;
    const { kind, entries } = this.group.value;
    if (kind === "single") return 0;
    const index = entries.findIndex((entry) => isSameValue(entry.label, this.view.label));
    return index < 0 ? null : index;
  }

  private isSilent() {
    return this.gate.lost >= SILENCE;
  }

  private readonly send = (seq: number, wish: Wish) => {
    try {
      this.model.send(encodeRequest(this.client, seq, wish));
    } catch {
      // The connection is gone, and so will the answer be: the gate waits for it in vain and asks again.
    }
    this.announce();
  };

  private readonly onData = () => {
    this.group = decodeGroup(this.model.get("_data"));
    this.computed = null;
    this.adopt(this.decodeAnswer());
    this.announce();
  };

  private readonly onFrame = () => {
    const decoded = this.decodeAnswer();
    if (!decoded.ok) {
      this.report({ fact: "The page could not read the kernel’s answer:", reason: decoded.problem });
      return;
    }
    const { client, seq } = decoded.value;
    if (client === this.client && !this.gate.answered(seq)) {
      this.keepSetting();
      this.heard = this.model.get("_frame");
      return;
    }
    this.heard = this.model.get("_frame");
    this.adopt(decoded);
    this.failure = null;
    if (client === "") this.followTraits();
    else this.settle();
    this.announce();
  };

  private readonly onComparators = () => {
    this.comparators = decodeComparators(this.model.get("_comparators"));
    this.announce();
  };

  private readonly onState = () => {
    this.followTraits();
    this.announce();
  };

  private onView(name: keyof View) {
    const value = this.viewOfModel()[name];
    if (!isSameValue(value, this.view[name])) {
      if (name in this.chosen || this.isLate()) this.model.set(name, this.view[name]);
      else this.told = { ...this.told, [name]: value };
    }
    this.announce();
  }

  /** A kernel that has gone will not answer; one that has come does not know what was set meanwhile. */
  private readonly onConnection = () => {
    this.gate.clear();
    this.failure = null;
    this.wanted = this.settable(this.wanted);
    const isNews = this.answer.ok && !isSame(this.answer.value, this.wanted);
    if (isNews || Object.keys(this.chosen).length > 0) this.ask();
    this.announce();
  };

  private readonly onMessage = (message: unknown) => {
    const failure = decodeFailure(message);
    if (failure?.client !== this.client || !this.gate.answered(failure.seq)) return;
    this.report({ fact: "The kernel could not compute this band:", reason: failure.message });
  };

  private readonly announce = () => {
    for (const listener of this.listeners) listener();
  };

  private report(problem: Problem) {
    this.failure = problem;
    if (this.gate.idle) {
      this.chosen = {};
      this.shareView();
    }
    this.settle();
    this.announce();
  }

  private decodeAnswer(): Result<Answer> {
    if (!this.group.ok) return this.group;
    return decodeFrames(this.model.get("_frame"), this.group.value);
  }

  private adopt(answer: Result<Answer>) {
    this.answer = answer.ok ? { ok: true, value: this.confirmed(answer.value) } : answer;
    if (this.answer.ok) this.newest = this.answer.value.frames;
    // What the page could not compute may follow from this answer.
    if (this.computed?.frames.includes(null)) this.computed = null;
  }

  /** Where the kernel says what the page has drawn, the frame stays: nothing need be drawn again. */
  private confirmed(answer: Answer): Answer {
    const drawn = this.computed?.frames ?? [];
    const frames = answer.frames.map((frame, i) => {
      const known = drawn[i];
      return known && isSameValue(frame, known) ? known : frame;
    });
    return { ...answer, frames };
  }

  private traits(): Traits {
    const { model } = this;
    return { alpha: model.get("alpha"), threshold: model.get("threshold"), ...this.viewOfModel() };
  }

  /** What the page shows. */
  private get view(): View {
    return { ...this.told, ...this.chosen };
  }

  private viewOfModel(): View {
    const { model } = this;
    return { band: model.get("band"), label: model.get("label"), weights: model.get("weights") };
  }

  private isLeading() {
    return this.hands > 0 || !this.gate.idle;
  }

  /** Python or a linked widget has set the traits; its frame comes with them or soon after. */
  private followTraits() {
    if (this.isLeading()) return;
    const traits = decodeTraits(this.traits());
    if (!traits.ok) return;
    const { alpha, threshold } = this.settable(traits.value);
    if (isSame({ alpha, threshold }, this.wanted)) return;
    this.wanted = { alpha, threshold };
    if (!isSame(traits.value, this.wanted)) this.shareTraits();
  }

  private settle() {
    if (this.isLeading() || !this.answer.ok || !hasKernel(this.model)) return;
    const { alpha, threshold } = this.answer.value;
    this.wanted = { alpha, threshold };
    this.told = this.view;
    this.chosen = {};
    if (!this.hasUnsavedTraits) return;
    this.shareTraits();
    // The kernel has these values already. Unsaved, they would go out with the next save and undo what
    // Python has set meanwhile.
    this.model.save_changes();
    this.hasUnsavedTraits = false;
  }

  /** What a new connection brings may be the kernel's state of a while ago: an older frame, and with it the traits of then. */
  private keepSetting() {
    this.shareView();
    this.settle();
    this.announce();
  }

  /** The traits that came are those of such a while ago. */
  private isLate(): boolean {
    const raw = this.model.get("_frame");
    if (raw === this.heard) return false;
    const decoded = this.decodeAnswer();
    return decoded.ok && decoded.value.client === this.client && this.gate.isPast(decoded.value.seq);
  }

  private shareView() {
    this.hasUnsavedTraits = true;
    for (const name of VIEW) this.model.set(name, this.view[name]);
  }

  private shareTraits() {
    // Each set is told at once, and whoever follows the traits then sees the other one's old value.
    const { alpha, threshold } = this.wanted;
    this.hasUnsavedTraits = true;
    this.model.set("alpha", alpha);
    this.model.set("threshold", threshold);
  }
}

/** What the page computes; failing that, what the kernel's last answer tells of the wanted setting. */
function frameFor(entry: Evaluation, answered: Frame, wanted: State): Frame | null {
  const computed = frameAt(entry, wanted.alpha, wanted.threshold);
  if (computed || entry.curves || answered.alpha !== wanted.alpha) return computed;
  return isSame(answered, wanted) ? answered : movedTo(entry, answered, wanted.threshold);
}

const isSame = (one: State, other: State) => one.alpha === other.alpha && one.threshold === other.threshold;
