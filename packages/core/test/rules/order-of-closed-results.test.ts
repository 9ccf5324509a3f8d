import { describe, expect, test } from 'vitest';
import { repair, RESULT_TEXTS } from '../../src/index.ts';
import { anthropic, dicts, objects, type Speaker } from '../speakers.ts';

const CARRIERS = [dicts, objects, anthropic].map((speaker) => [speaker.name, speaker] as const);

/** What answers which call, in the order in which it is sent; a placeholder is marked. */
function answered(list: readonly unknown[]): string[] {
  const found = JSON.stringify(list).matchAll(
    /"content":"([^"]*)"[^{}]*"tool_call_id":"(\w+)"|"tool_use_id":"(\w+)","content":"([^"]*)"/gu,
  );
  return [...found].map(([, said, id, other, text]) => {
    const name = String(id ?? other);
    return (said ?? text) === RESULT_TEXTS.unknown ? `${name}?` : name;
  });
}

function mended({ dialect }: Speaker, list: readonly unknown[]): readonly unknown[] {
  return repair(list, dialect).output;
}

describe('results of a batch that was cut short stand in the order of the calls', () => {
  test.for(CARRIERS)('whichever of them was answered: %s', ([, speaker]) => {
    const { user, say, results } = speaker;
    const asked = [user('1'), say('', 'a', 'b', 'c')];
    const sent = (...ids: string[]): string[] => answered(mended(speaker, [...asked, ...results(...ids), say('k')]));
    expect(sent('a')).toEqual(['a', 'b?', 'c?']);
    expect(sent('b')).toEqual(['a?', 'b', 'c?']);
    expect(sent('c')).toEqual(['a?', 'b?', 'c']);
    expect(sent('a', 'c')).toEqual(['a', 'b?', 'c']);
  });

  test.for(CARRIERS)('also one that came late: %s', ([, speaker]) => {
    const { user, say, results } = speaker;
    const list = [user('1'), say('', 'a', 'b'), ...results('b'), say('k'), ...results('a'), say('z')];
    expect(answered(mended(speaker, list))).toEqual(['a', 'b']);
  });

  test.for(CARRIERS)('and what was recorded in another order stays so: %s', ([, speaker]) => {
    const { user, say, results } = speaker;
    const list = [user('1'), say('', 'a', 'b'), ...results('b', 'a'), say('k')];
    expect(mended(speaker, list)).toBe(list);
  });
});
