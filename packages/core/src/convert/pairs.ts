import { strictName } from '../rules/remedies/legal-name.ts';
import { isUnnamed } from '../rules/remedies/other-tool.ts';
import type { CarriedCall, CarriedMessage, CarriedResult } from '../model/crossing.ts';

/** A call, its place among all calls, and which of those under its id in the same step it is, counted from one. */
export type Asked = { readonly call: CarriedCall; readonly order: number; readonly copy: number; answered: boolean };

/** Which call a result belongs to, and what is known of each call. */
export type Pairs = {
  readonly calls: ReadonlyMap<CarriedCall, Asked>;
  readonly answers: ReadonlyMap<CarriedResult, Asked>;
};

/** Calls that a result may belong to, in order. */
class Queue {
  readonly list: Asked[] = [];
  #start = 0;

  /** The first that has no result yet. */
  next(): Asked | undefined {
    while (this.list[this.#start]?.answered === true) this.#start += 1;
    return this.list[this.#start];
  }
}

/** The calls of one step under one id, also by the names of their tools; those that lost theirs under none. */
class Sharers {
  readonly all = new Queue();
  readonly #byName = new Map<string, Queue>();

  add(asked: Asked): void {
    this.all.list.push(asked);
    const name = nameOf(asked.call.tool);
    const named = this.#byName.get(name);
    if (named !== undefined) return void named.list.push(asked);
    const first = new Queue();
    first.list.push(asked);
    this.#byName.set(name, first);
  }

  /** Results belong to calls in order, but none to a call of another tool while one of the tool it names is open. */
  find(tool: string | undefined): Asked | undefined {
    const name = nameOf(tool);
    if (name === '') return this.all.next() ?? this.all.list[0];
    const named = this.#byName.get(name);
    const lost = this.#byName.get('');
    return earlier(named?.next(), lost?.next()) ?? named?.list[0] ?? this.all.next() ?? this.all.list[0];
  }
}

function earlier(a: Asked | undefined, b: Asked | undefined): Asked | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.order < b.order ? a : b;
}

function nameOf(tool: string | undefined): string {
  return tool === undefined || isUnnamed(tool) ? '' : strictName(tool);
}

/**
 * Joins results with calls in one walk: with those of the step before them first, because ids are used again in later
 * steps, then with the call of that id which was left open last.
 */
export function pairUp(messages: readonly CarriedMessage[]): Pairs {
  const calls = new Map<CarriedCall, Asked>();
  const answers = new Map<CarriedResult, Asked>();
  const past = new Map<string, Asked>();
  let step = new Map<string, Sharers>();
  for (const { parts } of messages) {
    if (parts.some((part) => part.kind === 'call' && part.server === undefined)) {
      for (const [id, { all }] of step) for (const asked of all.list) if (!asked.answered) past.set(id, asked);
      step = new Map();
    }
    for (const part of parts) {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.server !== undefined) continue;
      const id = part.id ?? '';
      const sharers = step.get(id);
      if (part.kind === 'call') {
        const asked = { call: part, order: calls.size, copy: (sharers?.all.list.length ?? 0) + 1, answered: false };
        calls.set(part, asked);
        if (sharers === undefined) step.set(id, newSharers(asked));
        else sharers.add(asked);
        continue;
      }
      const asked = sharers?.find(part.tool) ?? past.get(id);
      // A second result under an id is one of the same call; one without an id is nobody's.
      if (asked === undefined || (asked.answered && id === '')) continue;
      asked.answered = true;
      answers.set(part, asked);
    }
  }
  return { calls, answers };
}

function newSharers(asked: Asked): Sharers {
  const sharers = new Sharers();
  sharers.add(asked);
  return sharers;
}

/** Where results answer calls by their place, they stand in the order of these. */
export function inCallOrder(messages: readonly CarriedMessage[], { answers }: Pairs): readonly CarriedMessage[] {
  return messages.map((message) => {
    const own = message.parts.filter((part) => part.kind === 'result' && answers.has(part)) as CarriedResult[];
    const sorted = [...own].sort((a, b) => (answers.get(a)?.order ?? 0) - (answers.get(b)?.order ?? 0));
    if (sorted.every((part, index) => part === own[index])) return message;
    const next = sorted.values();
    const parts = message.parts.map((part) =>
      part.kind === 'result' && answers.has(part) ? (next.next().value ?? part) : part,
    );
    return { ...message, parts };
  });
}
