import { expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';
import { assistant, call, result, text, user } from '../anthropic-wire.ts';

const dialect = 'anthropic-messages';

/** A message whose content can be read a number of times and then throws. */
function readable(times: number, content: unknown = 'hi'): object {
  let reads = 0;
  return Object.defineProperty({ role: 'user' }, 'content', {
    enumerable: true,
    get() {
      reads += 1;
      if (reads > times) throw new Error('read too often');
      return content;
    },
  });
}

test('a message that cannot be read does not hide a result that belongs to a step long past', () => {
  const past = [user('a'), assistant([call('c1')]), user('b'), assistant('Hm.')];
  const { output, report } = repair([...past, readable(0), user([result('c1')])], dialect);
  expect(output).toEqual([
    ...past.slice(0, 2),
    user([result('c1'), text('b')]),
    assistant('Hm.'),
    user([text('[unreadable message] {"role":"user"}')]),
  ]);
  expect(report.findings.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual([
    'value-unserialisable /4',
    'result-displaced /5/content/0',
  ]);
});

test('a message that can be read once and then no more is read from a copy of everything', () => {
  const { output, changed, report } = repair([readable(0), readable(1), user('x')], dialect);
  expect(output).toEqual([user('x')]);
  expect(changed).toBe(true);
  expect(report.repairs[0]).toEqual({
    rule: 'value-unserialisable',
    at: { message: -1, pointer: '' },
    action: 'rewrite',
    loss: 'lossy',
    note: 'replaced the input by a copy of everything in it that can be read',
  });
  const judged = check([readable(0), readable(1), user('x')], dialect);
  expect(judged.verdict).toBe('broken');
  expect(judged.findings.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual([
    'value-unserialisable ',
    'content-unreadable /0',
    'content-unreadable /1',
  ]);
});

test('messages that can be read are not touched by those that cannot', () => {
  const { output } = repair([user('a'), readable(0), assistant('b')], dialect);
  expect(output).toEqual([user('a'), user([text('[unreadable message] {"role":"user"}')]), assistant('b')]);
});

test('a part of a message that can be read no more is pointed at by its message', () => {
  const at = (times: number): unknown => check([readable(times, [text('')])], dialect).findings[0]?.at;
  expect(at(1)).toEqual({ message: 0, part: 0, pointer: '/0' });
  expect(at(9)).toEqual({ message: 0, part: 0, pointer: '/0/content/0' });
});
