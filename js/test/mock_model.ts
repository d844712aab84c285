import type { Model, Traits } from "../src/controller.ts";
import type { Request } from "../src/wire.ts";
import { rawEvaluation, rawFrame } from "./sample.ts";

type Listener = (...args: never[]) => void;

/** A model as a notebook's widget manager has it, with a kernel that answers when it is told to. */
export class MockModel {
  readonly sent: Request[] = [];
  saves = 0;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly traits: Traits;

  constructor(changes: Partial<Traits> = {}) {
    this.traits = {
      alpha: 0.05,
      threshold: 0.5,
      band: "sensitivity",
      _data: rawEvaluation(),
      _frame: rawFrame(),
      ...changes,
    };
  }

  get<K extends keyof Traits>(name: K): Traits[K] {
    return this.traits[name];
  }

  set<K extends keyof Traits>(name: K, value: Traits[K]) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    this.emit(`change:${name}`);
  }

  on(event: string, listener: Listener) {
    const known = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, known.add(listener));
  }

  off(event: string, listener: Listener) {
    this.listeners.get(event)?.delete(listener);
  }

  send(request: Request) {
    this.sent.push(request);
  }

  save_changes() {
    this.saves += 1;
  }

  get last(): Request {
    return this.sent[this.sent.length - 1];
  }

  get listenerCount() {
    return [...this.listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0);
  }

  answer({ client, seq, alpha, threshold }: Request, changes: object = {}) {
    this.set("_frame", rawFrame({ client, seq, alpha, threshold, ...changes }));
  }

  fail({ client, seq }: Request, message: string) {
    this.emit("msg:custom", { type: "error", client, seq, message });
  }

  asModel(): Model {
    return this as unknown as Model;
  }

  private emit(event: string, ...args: unknown[]) {
    for (const listener of this.listeners.get(event) ?? [])
      (listener as (...args: unknown[]) => void)(...args);
  }
}
