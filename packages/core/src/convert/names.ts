import { fingerprint } from '../model/call-id.ts';
import type { Conversion } from '../model/conversion.ts';
import type { Lose, Where } from '../model/loss.ts';
import type { Message } from '../model/part.ts';

/** Gives tools names that the target takes: the same name always the same way, different names never alike. */
export type NameBook = (name: string, spot: Where) => string;

export function newNameBook({ pattern, max }: Conversion['names'], lose: Lose): NameBook {
  const written = new Map<string, string>();
  const taken = new Set<string>();
  const make = (name: string): string => {
    const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
    const legal = plain.length <= max ? plain : plain.slice(0, max);
    return taken.has(legal) || plain.length > max ? `${legal.slice(0, max - 15)}_${fingerprint(name)}` : legal;
  };
  return (name, spot) => {
    // A tool without a name is left for the contract to find.
    if (name === '') return name;
    const known = written.get(name);
    const legal = name.length <= max && name.search(pattern) !== -1 && !taken.has(name);
    const made = known ?? (legal ? name : make(name));
    if (known === undefined) {
      written.set(name, made);
      taken.add(made);
    }
    if (made !== name) {
      const why = `the target takes no tool of this name, so it is called ${made} there`;
      lose(spot, { kind: 'name', what: name, became: 'other', why });
    }
    return made;
  };
}

/** Calls and results under the names of the target; a result is named after its call. */
export function rename(messages: readonly Message[], book: NameBook): readonly Message[] {
  const callers = new Map<string, { tool: string; free: boolean }>();
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.kind === 'call') {
        const tool = !part.server ? book(part.tool, part) : part.tool;
        if (part.callId !== '') callers.set(part.callId, { tool, free: part.free === true });
        return { ...part, tool };
      }
      if (part.kind !== 'result') return part;
      const caller = callers.get(part.callId);
      const free = caller?.free === true ? { free: true } : {};
      // A call that has lost its name does not take it from its result.
      if (caller !== undefined && caller.tool !== '') return { ...part, tool: caller.tool, ...free };
      return part.tool === undefined ? { ...part, ...free } : { ...part, tool: book(part.tool, part), ...free };
    }),
  }));
}
