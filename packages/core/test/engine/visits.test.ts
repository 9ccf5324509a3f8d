import { expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';

type Item = Record<string, unknown>;

const user: Item = { role: 'user', content: 'go' };
const call = (id: string): Item => ({ type: 'function_call', call_id: id, name: 'ls', arguments: '{}' });
const output = (id: string): Item => ({ type: 'function_call_output', call_id: id, output: 'a' });

/** How often the messages of a history are come to, for each of them. */
function visits(
  history: readonly Item[],
  work: (list: Item[]) => { passes: number },
): [perMessage: number, bar: number] {
  let count = 0;
  let last = -1;
  const watched = history.map((item, index) => {
    const get = (key: string) => (): unknown => {
      if (last !== index) count += 1;
      last = index;
      return item[key];
    };
    const keys = Object.keys(item).map(
      (key) => [key, { get: get(key), enumerable: true, configurable: true }] as const,
    );
    return Object.defineProperties({}, Object.fromEntries(keys));
  });
  const { passes } = work(watched);
  return [count / history.length, passes + 1];
}

test('a message is come to no more often than there are passes, and once more', () => {
  const sound = Array.from({ length: 200 }, (_, i) => [user, call(`s${String(i)}`), output(`s${String(i)}`)]).flat();
  const history = [...sound, output('a'), call('a'), user, call('b'), user, output('c')];
  const [checked, most] = visits(history, (list) => check(list, 'openai-responses'));
  expect(checked).toBeLessThanOrEqual(most);
  const [repaired, bar] = visits(history, (list) => repair(list, 'openai-responses').report);
  expect(repaired).toBeLessThanOrEqual(bar);
});

test('a result is known for the second of a call that was answered in a sound step, before or after it', () => {
  const sound = [user, call('a'), output('a')];
  const others = [user, call('b'), output('b')];
  const rules = (history: Item[]): string[] =>
    check(history, 'openai-responses').findings.map(({ rule, at }) => `${rule} ${at.pointer}`);
  expect(rules([...sound, ...others, user, output('a')])).toEqual(['duplicate-result /7']);
  expect(rules([...others, output('a'), ...others, ...sound])).toEqual(['result-before-call /3']);
  expect(rules([...sound, ...others, user, call('a')])).toEqual(['call-answered-by-another /7']);
  expect(rules([...others, user, output('c'), ...sound])).toEqual(['result-without-call /4']);
});

test('a message that throws is read again as one that throws', () => {
  const hostile = Object.defineProperty({ type: 'message' }, 'role', {
    enumerable: true,
    get() {
      throw new Error('not for reading');
    },
  });
  const { output: mended, report } = repair([user, call('a'), hostile, user], 'openai-responses');
  expect(report.findings.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual([
    'call-without-result /1',
    'value-unserialisable /2',
  ]);
  expect(mended[2]).toMatchObject({ type: 'function_call_output', call_id: 'a' });
});

test('a message that has another history checked when it is read changes nothing', () => {
  const curious = Object.defineProperty({ type: 'message', content: 'go' }, 'role', {
    enumerable: true,
    get() {
      check([user, call('b'), output('b'), user, call('c')], 'openai-responses');
      return 'user';
    },
  });
  const history = (asked: object): unknown[] => [user, call('a'), asked, user, call('b'), output('b'), output('b')];
  const plain = check(history({ type: 'message', content: 'go', role: 'user' }), 'openai-responses');
  expect(check(history(curious), 'openai-responses').findings).toEqual(plain.findings);
});

test('only one walk is made twice, however many follow', () => {
  const history = [user, call('a'), call('b'), output('b'), user];
  expect(check([user, call('a'), output('a')], 'openai-responses').passes).toBe(1);
  expect(check(history, 'openai-responses').passes).toBe(2);
  expect(repair(history, 'openai-responses').report.passes).toBe(3);
});

test('a turn in which the user speaks is told from one in which not, in whatever order they are asked for', () => {
  const turns = [output('a'), call('a'), user, output('b'), user, call('b'), output('c'), call('c')];
  expect(repair(turns, 'openai-responses').report.repairs.map(({ rule, action }) => `${rule} ${action}`)).toEqual([
    'result-before-call relocate',
    'result-before-call demote',
    'result-before-call relocate',
    'call-without-result synthesize',
  ]);
});

test.each([3, 17, 40])('a call that repeats an id of its step is found, whatever the number of calls: %i', (count) => {
  const ids = Array.from({ length: count }, (_, i) => `call_${String(i).padStart(9, '0')}`);
  const twice = [...ids, ...ids.slice(0, 1)];
  const sound = check([user, ...ids.map(call), ...ids.map(output)], 'openai-responses');
  expect(sound.findings).toEqual([]);
  const { findings } = check([user, ...twice.map(call), ...ids.map(output)], 'openai-responses');
  expect(findings.map(({ rule, at }) => [rule, at.message])).toContainEqual(['duplicate-call-id', count + 1]);
});

test('a long list of a framework is read like a short one', () => {
  const turn = [user, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }];
  const history = Array.from({ length: 1_200 }, () => turn).flat();
  expect(check(history, 'openai-agents').findings.map(({ rule }) => rule)).toEqual(
    Array.from({ length: 1_200 }, () => check(turn, 'openai-agents').findings.map(({ rule }) => rule)).flat(),
  );
});

test('a program needs a thought of the same answer before it', () => {
  const program = (id: string): object => ({ type: 'program', id, call_id: id, fingerprint: 'f', code: '1' });
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
  const found = (...list: object[]): unknown[] =>
    check(list, 'openai-responses').findings.map(({ rule, at }) => [rule, at.message]);
  expect(found(user, thought, program('p1'))).toEqual([]);
  expect(found(user, program('p1'))).toEqual([['item-incomplete', 1]]);
  expect(found(thought, program('p1'), user, program('p2'))).toEqual([['item-incomplete', 3]]);
  expect(found(thought, program('p1'), user, user, program('p2'))).toEqual([['item-incomplete', 4]]);
});
