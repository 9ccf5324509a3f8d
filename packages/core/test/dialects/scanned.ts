import { expect } from 'vitest';
import type { Codec, RequestFacts, Sink } from '../../src/model/codec.ts';
import type { Profile } from '../../src/model/profile.ts';
import { ScanMemory } from '../../src/model/scan-memory.ts';

export type How = { readonly model?: string; readonly deep?: boolean; readonly request?: RequestFacts };
type Scanned = {
  role: string;
  parts: { kind: string; id: string | undefined }[];
  /** A fact of a part is `name@part`, with its detail if that is a text. */
  facts: string[];
  /** Its kind and id in a list whose entries have an order. */
  order: string;
  characters: number;
};

/** What a codec reports of one message. */
export const scanningWith =
  (codec: Codec, profileOf: (model?: string) => Profile) =>
  (wire: unknown, { model, deep = true, request }: How = {}): Scanned => {
    const seen: Scanned = { role: '', parts: [], facts: [], order: '', characters: 0 };
    const sink: Sink = {
      deep,
      profile: profileOf(model),
      memory: new ScanMemory(),
      request,
      message: (role) => void (seen.role = role),
      part: (kind, id) => void seen.parts.push({ kind, id }),
      fact: (fact, detail) => {
        if (fact === 'tool-family') return;
        const place = seen.parts.length === 0 ? '' : `@${String(seen.parts.length - 1)}`;
        seen.facts.push(`${fact}${place}${typeof detail === 'string' ? ` ${detail}` : ''}`);
      },
      item: (id, kind) => void (seen.order = id === undefined ? kind : `${kind} ${id}`),
      total: 0,
    };
    codec.scan(wire, sink);
    return { ...seen, characters: sink.total };
  };

/** Reading gives the role, parts, ids and characters that scanning reports. */
export function expectReadAlike(codec: Codec, seen: Scanned, wire: unknown): void {
  const message = codec.read(wire, 3);
  expect(message.at).toBe(3);
  expect(message.parts.reduce((sum, part) => sum + part.characters, 0)).toBe(seen.characters);
  // A message that cannot be read has no parts for the walk, and may have one for the repair.
  if (message.role === 'unreadable') return;
  expect(message.role).toBe(seen.role);
  expect(message.parts.map(({ kind }) => kind)).toEqual(seen.parts.map(({ kind }) => kind));
  const ids = message.parts.map((part) => ('callId' in part ? part.callId : ''));
  expect(ids).toEqual(seen.parts.map(({ id }) => id ?? ''));
}
