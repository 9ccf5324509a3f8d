import { Queue } from './step.ts';

type Copy = { readonly order: number };

/** The calls of one step that share an id, in order, also by their tools; under '' if the name of the tool was lost. */
export class SharedId<C extends Copy> {
  readonly all: Queue<C>;
  private readonly byTool = new Map<string, Queue<C>>();
  private readonly lost: Queue<C>;
  private readonly newQueue: () => Queue<C>;

  constructor(isOpen: (call: C) => boolean) {
    this.newQueue = () => new Queue(isOpen);
    this.all = this.newQueue();
    this.lost = this.queueOf('');
  }

  add(call: C, tool: string): void {
    this.all.list.push(call);
    this.queueOf(tool).list.push(call);
  }

  /**
   * Results belong to calls in order, but none to a call of another tool than it names. One that fits only calls which
   * have a result is a second one of the first of these.
   */
  find(tool: string): C | undefined {
    const named = tool === '' ? this.all : (this.byTool.get(tool) ?? this.lost);
    const open = earlier(named.first(), this.lost.first());
    return open ?? earlier(named.list[0], this.lost.list[0]) ?? this.all.first() ?? this.all.list[0];
  }

  private queueOf(tool: string): Queue<C> {
    let queue = this.byTool.get(tool);
    if (queue === undefined) this.byTool.set(tool, (queue = this.newQueue()));
    return queue;
  }
}

function earlier<C extends Copy>(a: C | undefined, b: C | undefined): C | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.order < b.order ? a : b;
}
