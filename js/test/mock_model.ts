import type { Model, Synced } from "../src/sync/model.ts";
import { FIRST } from "../src/wire/controls.ts";
import type { Request } from "../src/wire/messages.ts";
import { rawEvaluation, rawFrame } from "./sample.ts";

/** Parts of a widget manager that say whether there is a kernel. See kernel.ts. */
interface Mocked extends Synced {
  _static?: boolean;
  layout?: { comm_live: boolean } | undefined;
}

type Listener = (...args: never[]) => void;

/** A model as in a notebook's widget manager, with a kernel that answers when a test tells it to. */
export class MockModel {
  readonly sent: Request[] = [];
  saves = 0;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly traits: Mocked;

  constructor(changes: Partial<Mocked> = {}) {
    this.traits = {
      ...FIRST,
      layout: { comm_live: true },
      _data: rawEvaluation(),
      _frame: rawFrame(),
      ...changes,
    };
  }

  get<K extends keyof Mocked>(name: K): Mocked[K] {
    return this.traits[name];
  }

  set<K extends keyof Mocked>(name: K, value: Mocked[K]) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    this.emit(`change:${String(name)}`);
  }

  /** Sets several values like a widget manager, which reports changes only after all are set. */
  setAtOnce(state: [keyof Mocked, unknown][]) {
    for (const [name, value] of state) Object.assign(this.traits, { [name]: value });
    for (const [name] of state) this.emit(`change:${name}`);
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

  /** Answers like the kernel: in one message, with the requested traits. */
  answer({ type: _, client, seq, since: __, ...asked }: Request, changes: object = {}) {
    const { alpha, threshold } = { ...this.traits, ...asked };
    const frame = rawFrame({ client, seq, alpha, threshold, ...changes });
    this.setAtOnce([...(Object.entries(asked) as [keyof Mocked, unknown][]), ["_frame", frame]]);
  }

  fail({ client, seq }: Request, message: string) {
    this.tell({ type: "error", client, seq, message });
  }

  tell(message: object) {
    this.emit("msg:custom", message);
  }

  /** Connects or disconnects the kernel, as a widget manager reports it. */
  connect(comm_live: boolean) {
    this.traits.layout = { comm_live };
    this.emit("comm_live_update");
  }

  asModel(): Model {
    return this as unknown as Model;
  }

  private emit(event: string, ...args: unknown[]) {
    for (const listener of this.listeners.get(event) ?? [])
      (listener as (...args: unknown[]) => void)(...args);
  }
}
