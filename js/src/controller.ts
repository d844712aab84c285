import type { AnyModel } from "@anywidget/types";
import { randomId } from "./dom.ts";
import { type Clock, createGate, type Gate } from "./gate.ts";
import {
  type BandKind,
  decodeEvaluation,
  decodeFailure,
  decodeFrame,
  type Evaluation,
  encodeRequest,
  type Frame,
  type Result,
  type State,
} from "./wire.ts";

export interface Traits extends State {
  band: BandKind;
  _data: unknown;
  _frame: unknown;
}

export type Model = AnyModel<Traits>;

/** A page without a kernel will add "static". */
export type Source = "kernel" | "preview";

export interface Problem {
  fact: string;
  reason: string;
}

/** Everything that a view draws. */
export interface Picture {
  evaluation: Evaluation;
  /** The last answer of the kernel. */
  frame: Frame;
  /** What the reader has set; the kernel's answer may still be on its way. */
  wanted: State;
  band: BandKind;
  source: Source;
  problem: Problem | null;
  /** The reader's hand is on a control. */
  held: boolean;
}

/** One per model, shared by its views. At rest the page, the traits and the kernel agree. */
export class Controller {
  private readonly client = randomId();
  private readonly listeners = new Set<() => void>();
  private readonly gate: Gate<State>;
  private evaluation: Result<Evaluation>;
  private frame: Result<Frame>;
  private problem: Problem | null = null;
  private wanted: State;
  private hands = 0;
  private hasUnsavedTraits = false;

  constructor(
    private readonly model: Model,
    clock: Clock,
  ) {
    this.evaluation = decodeEvaluation(model.get("_data"));
    this.frame = this.decodeFrame();
    this.wanted = this.traits();
    const send = (seq: number, state: State) => model.send(encodeRequest(this.client, seq, state));
    this.gate = createGate(send, clock, this.frame.ok ? this.frame.value.seq : 0);
    model.on("change:_data", this.onData);
    model.on("change:_frame", this.onFrame);
    model.on("change:alpha", this.onTraits);
    model.on("change:threshold", this.onTraits);
    model.on("change:band", this.announce);
    model.on("msg:custom", this.onMessage);
  }

  close() {
    this.model.off("change:_data", this.onData);
    this.model.off("change:_frame", this.onFrame);
    this.model.off("change:alpha", this.onTraits);
    this.model.off("change:threshold", this.onTraits);
    this.model.off("change:band", this.announce);
    this.model.off("msg:custom", this.onMessage);
    this.gate.close();
    this.listeners.clear();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  picture(): Result<Picture> {
    if (!this.evaluation.ok) return this.evaluation;
    if (!this.frame.ok) return this.frame;
    const frame = this.frame.value;
    const answered = frame.alpha === this.wanted.alpha && frame.threshold === this.wanted.threshold;
    return {
      ok: true,
      value: {
        evaluation: this.evaluation.value,
        frame,
        wanted: this.wanted,
        band: this.model.get("band"),
        source: answered && this.gate.idle ? "kernel" : "preview",
        problem: this.problem,
        held: this.hands > 0,
      },
    };
  }

  setAlpha(alpha: number) {
    this.want({ ...this.wanted, alpha });
  }

  setThreshold(threshold: number) {
    this.want({ ...this.wanted, threshold });
  }

  setBand(band: BandKind) {
    this.model.set("band", band);
    this.model.save_changes();
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

  private want(state: State) {
    if (state.alpha === this.wanted.alpha && state.threshold === this.wanted.threshold) return;
    this.wanted = state;
    this.shareTraits();
    this.gate.wish(state);
    this.announce();
  }

  private readonly onData = () => {
    this.evaluation = decodeEvaluation(this.model.get("_data"));
    this.frame = this.decodeFrame();
    this.announce();
  };

  private readonly onFrame = () => {
    const decoded = this.decodeFrame();
    if (!decoded.ok) {
      this.report({ fact: "The page could not read the kernel’s answer:", reason: decoded.problem });
      return;
    }
    const { client, seq } = decoded.value;
    if (client === this.client && !this.gate.answered(seq)) return;
    this.frame = decoded;
    this.problem = null;
    if (client === "") this.followTraits();
    else this.settle();
    this.announce();
  };

  private readonly onTraits = () => {
    this.followTraits();
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
    this.problem = problem;
    this.settle();
    this.announce();
  }

  private decodeFrame(): Result<Frame> {
    if (!this.evaluation.ok) return this.evaluation;
    return decodeFrame(this.model.get("_frame"), this.evaluation.value);
  }

  private traits(): State {
    return { alpha: this.model.get("alpha"), threshold: this.model.get("threshold") };
  }

  private isLeading() {
    return this.hands > 0 || !this.gate.idle;
  }

  /** Python or a linked widget has set the traits; its frame comes with them or soon after. */
  private followTraits() {
    if (!this.isLeading()) this.wanted = this.traits();
  }

  private settle() {
    if (this.isLeading() || !this.frame.ok) return;
    const { alpha, threshold } = this.frame.value;
    this.wanted = { alpha, threshold };
    if (!this.hasUnsavedTraits) return;
    this.shareTraits();
    // The kernel has these values already. Unsaved, they would go out with the next save and undo what
    // Python has set meanwhile.
    this.model.save_changes();
    this.hasUnsavedTraits = false;
  }

  private shareTraits() {
    this.hasUnsavedTraits = true;
    this.model.set("alpha", this.wanted.alpha);
    this.model.set("threshold", this.wanted.threshold);
  }
}
