import { describe, expect, test } from 'vitest';
import { findDanglingToolCallIds, sanitizeHistoryForResume } from '@rethread/core/resume';
import { isFields, type Fields } from '../fuzz/draft.ts';
import { dialects, healthy } from '../fuzz/histories.ts';
import { seedAt, startRandom, type Random } from '../fuzz/random.ts';
import { chat, dicts, freeze } from '../speakers.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261119);
const histories = 200;

const prompt = { part_kind: 'system-prompt', content: 'Be brief.' };

describe.for([chat, dicts])('$name', (speaker) => {
  test('user messages and open calls survive a leading system message', () => {
    const rest = [
      speaker.user('u1'),
      speaker.say('a1'),
      speaker.user('u2'),
      speaker.user('u3'),
      speaker.say('a2', 'open'),
    ];
    expect(sanitizeHistoryForResume(freeze([speaker.system('Be brief.'), ...rest]))).toEqual(rest);
  });

  test('user messages on both sides of a removed system message survive', () => {
    const [before, after] = [speaker.user('one'), speaker.user('two')];
    expect(sanitizeHistoryForResume([before, speaker.system('Be brief.'), after])).toEqual([before, after]);
  });

  test('a result without a call survives a removed system message', () => {
    const rest = [speaker.user('read'), ...speaker.results('a'), speaker.say('Done.')];
    expect(sanitizeHistoryForResume([speaker.system('Be brief.'), ...rest])).toEqual(rest);
  });
});

const isSystem = (message: Fields): boolean =>
  message['role'] === 'system' || message['role'] === 'developer' || message['type'] === 'system';

/** What may be left of a generated message: all of it but its system prompts and the id of its run. */
function withoutSystem(given: unknown): unknown[] {
  if (!isFields(given)) return [given];
  if (isSystem(given)) return [];
  const { run_id: _, ...message } = given;
  const { parts } = message;
  if (!Array.isArray(parts)) return [message];
  const left = parts.filter((part) => !isFields(part) || part['part_kind'] !== 'system-prompt');
  return left.length === 0 ? [] : [{ ...message, parts: left }];
}

/** A message of a dialect that keeps a call and its result in one part, without its results. */
function reopened(message: unknown): unknown {
  if (!isFields(message) || !Array.isArray(message['parts'])) return message;
  const open = (part: unknown): unknown => {
    if (!isFields(part) || part['state'] !== 'output-available') return part;
    const { output: _, ...call } = part;
    return { ...call, state: 'input-available' };
  };
  return { ...message, parts: message['parts'].map(open) };
}

/** A history that was left at any point: ends anywhere, asks some questions twice, and has open calls in it. */
function abandoned(messages: readonly unknown[], random: Random): unknown[] {
  const kept = messages.slice(0, random.between(1, messages.length));
  return kept.flatMap((message) => {
    if (random.chance(6)) return [];
    if (random.chance(6)) return [reopened(message)];
    return random.chance(4) ? [message, structuredClone(message)] : [message];
  });
}

/** The history as it was stored: system prompts at the start and anywhere else, and ids of the run. */
function stored(rest: readonly unknown[], pydantic: boolean, random: Random): unknown[] {
  const system = pydantic ? { kind: 'request', parts: [prompt] } : { role: 'system', content: 'Be brief.' };
  const messages = rest.flatMap((message) => {
    const bound = isFields(message) && random.chance(2) ? { ...message, run_id: 'r1' } : message;
    return random.chance(5) ? [bound, system] : [bound];
  });
  return [system, ...messages];
}

describe.for(dialects)('%s', (dialect) => {
  test(`${histories} histories lose their system prompts and run ids, and nothing else (seed ${seed})`, () => {
    let open = 0;
    for (let index = 0; index < histories; index += 1) {
      const random = startRandom(seedAt(seed, index));
      const rest = abandoned(healthy(dialect, random).messages.flatMap(withoutSystem), random);
      if (rest.length === 0) continue;
      const copy = sanitizeHistoryForResume(freeze(stored(rest, dialect === 'pydantic-ai', random)));
      expect(copy, `history ${index}`).toStrictEqual(rest);
      open += findDanglingToolCallIds(rest).size;
    }
    expect(open, 'open calls among them').toBeGreaterThan(0);
  });
});
