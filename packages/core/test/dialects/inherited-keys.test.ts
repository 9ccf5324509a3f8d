import { describe, expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';
import { anthropic, gemini, pydantic } from '../words.ts';

const { say } = anthropic;

const heir = (own: object): object => Object.assign(Object.create({ method: () => 1, extra: 2 }) as object, own);

const call = (input: unknown): object => say(anthropic.call('toolu_1', 'ls', input));
const result = anthropic.user(anthropic.result('toolu_1', 'a.txt'));
const user = anthropic.user('hi');

describe('keys that an object inherits are never sent, so they are never judged', () => {
  test.each([
    ['anthropic-messages', [heir(user)]],
    ['gemini', [heir(gemini.user(heir(gemini.text('hi'))))]],
    ['openai-chat', [heir(user)]],
    ['pydantic-ai', [heir(pydantic.user('hi'))]],
    ['anthropic-messages', [user, call(heir({ path: '.' })), result]],
  ] as const)('%s', (dialect, history) => {
    expect(check(history, dialect)).toMatchObject({ verdict: 'clean', findings: [] });
    expect(repair(history, dialect).output).toBe(history);
  });
});

describe('keys without a value are never sent, so they are never judged', () => {
  const gone = undefined;
  test.each([
    ['a message', [{ ...user, name: gone, id: gone }]],
    ['a text', [anthropic.user({ type: 'text', text: 'hi', id: gone, cache_control: gone })]],
    ['a call', [user, say({ ...parts(call({})), index: gone }), result]],
    ['a result', [user, call({}), anthropic.user({ ...parts(result), name: gone })]],
    [
      'a piece of a result',
      [user, call({}), anthropic.user({ ...parts(result), content: [{ type: 'text', text: 'a', id: gone }] })],
    ],
  ])('in %s', (_name, list) => {
    const target = { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5' } as const;
    expect(check(list, target).findings).toEqual([]);
    expect(repair(list, target).output).toBe(list);
    expect(check(JSON.parse(JSON.stringify(list)), target).findings).toEqual([]);
  });

  test('and beside one that is sent and refused, only that one goes', () => {
    const { report } = repair([{ ...user, name: gone, id: 'm1' }], 'anthropic-messages');
    expect(report.repairs.map(({ note }) => note)).toEqual([expect.not.stringContaining('name')]);
  });

  test('of a host that takes no others', () => {
    const target = { dialect: 'openai-chat', profile: { unknownKeys: 'strip' } } as const;
    expect(check([{ ...user, id: gone }], target).findings).toEqual([]);
  });
});

function parts(message: object): object {
  return (message as { content: object[] }).content[0] ?? {};
}
