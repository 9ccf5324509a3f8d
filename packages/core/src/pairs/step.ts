/** Where a part stands. */
export type At = { readonly message: number; readonly part: number };

/** A result that names no call; `other` is where the call it names has its result. */
export type Stray = At & {
  readonly id: string | undefined;
  readonly key: string | undefined;
  readonly other: At | undefined;
  taken: boolean;
};

/** A call, and where it is answered; its result stands in message -1 while it is open. */
export class Call {
  readonly step: Step;
  /** Position in the step. */
  readonly order: number;
  message = -1;
  part = -1;
  id: string | undefined = undefined;
  /** What results that answer the call are looked up by; undefined where nothing can name it. */
  key: string | undefined = undefined;
  resultMessage = -1;
  resultPart = -1;
  /** Answered in another way, or told about. */
  settled = false;
  /** What answers the call by its position alone: the ids of a whole step were lost. */
  stray: Stray | undefined = undefined;
  /** When the step was over some of its calls were answered. */
  partial = false;
  /** Ids of all calls in the message that were open then. */
  detail: readonly string[] | undefined = undefined;

  constructor(step: Step, order: number) {
    this.step = step;
    this.order = order;
  }

  get isOpen(): boolean {
    return this.resultMessage === -1;
  }

  /** Nothing answers the call, and nobody has told about it. */
  get isLeft(): boolean {
    return this.isOpen && !this.settled;
  }

  /** Where the call is answered. */
  get result(): At | undefined {
    return this.isOpen ? undefined : { message: this.resultMessage, part: this.resultPart };
  }
}

/** More calls than this are looked up: a search per result over thousands of parallel calls would be quadratic. */
const FEW = 16;

/** The calls of one step. They are used again in the next one, so that a clean walk allocates nothing. */
export class Step {
  count = 0;
  open = 0;
  /** Last message of the step, or the last message that answers it in place. */
  anchor = -1;
  /** Two calls of the step have the same id. */
  repeated = false;
  /** Somebody knows calls of this step, so that they cannot be used again. */
  kept = false;
  private readonly calls: Call[] = [];
  private byKey: Map<string, Queue<Call>> | undefined = undefined;
  /** Results mostly come in the order of their calls, so the call behind the one answered last is tried first. */
  private likely = 0;

  clear(): void {
    this.count = 0;
    this.open = 0;
    this.anchor = -1;
    this.repeated = false;
    this.likely = 0;
    this.byKey = undefined;
  }

  add({ message, part }: At, id: string | undefined, key: string | undefined): Call {
    const call = (this.calls[this.count] ??= new Call(this, this.count));
    call.message = message;
    call.part = part;
    call.id = id;
    call.key = key;
    call.resultMessage = -1;
    this.count += 1;
    this.open += 1;
    this.anchor = message;
    if (this.byKey !== undefined) this.index(call);
    else if (this.count > FEW) for (const each of this.all()) this.index(each);
    return call;
  }

  private index(call: Call): void {
    this.byKey ??= new Map();
    if (call.key === undefined) return;
    let same = this.byKey.get(call.key);
    if (same === undefined) this.byKey.set(call.key, (same = new Queue((each) => each.isOpen)));
    same.list.push(call);
  }

  answer(call: Call, { message, part }: At): void {
    call.resultMessage = message;
    call.resultPart = part;
    this.open -= 1;
    this.likely = call.order + 1;
  }

  /** The result that answered the call is not its own. */
  reopen(call: Call): void {
    call.resultMessage = -1;
    this.open += 1;
  }

  /** The first open call that goes by this key; else the last one, which is answered. */
  find(key: string): Call | undefined {
    const likely = this.likely < this.count ? this.calls[this.likely] : undefined;
    if (!this.repeated && likely?.key === key) return likely;
    const same = this.byKey?.get(key);
    if (this.byKey !== undefined) return same?.first() ?? same?.list.at(-1);
    let answered: Call | undefined;
    for (let order = 0; order < this.count; order += 1) {
      const call = this.calls[order];
      if (call?.key !== key) continue;
      if (call.isOpen) return call;
      answered = call;
    }
    return answered;
  }

  /** How many calls of the step go by this key. */
  copies(key: string): number {
    return this.byKey?.get(key)?.list.length ?? this.all().filter((call) => call.key === key).length;
  }

  all(): Call[] {
    return this.calls.slice(0, this.count);
  }

  /** Those of its calls that nothing answers. */
  left(): Call[] {
    return this.all().filter((call) => call.isOpen);
  }

  get last(): Call | undefined {
    return this.calls[this.count - 1];
  }
}

export function placeOf({ message, part }: At): { message: number; part: number } {
  return { message, part };
}

/** Things in order. Those at the front that have stopped waiting are never asked again. */
export class Queue<T> {
  readonly list: T[] = [];
  private start = 0;
  private readonly waits: (each: T) => boolean;

  constructor(waits: (each: T) => boolean) {
    this.waits = waits;
  }

  /** The first that still waits. */
  first(): T | undefined {
    for (let each = this.list[this.start]; each !== undefined; each = this.list[this.start]) {
      if (this.waits(each)) return each;
      this.start += 1;
    }
    return undefined;
  }
}
