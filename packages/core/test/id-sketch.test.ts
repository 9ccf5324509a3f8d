import { expect, test } from 'vitest';
import { repair } from '../src/index.ts';
import { IdSketch } from '../src/doctor/id-sketch.ts';

const ids = Array.from({ length: 20_000 }, (_, n) => `msg_${n.toString(16).padStart(48, '0')}`);

test('twenty thousand ids are told apart, and each is known when it comes again', () => {
  const sketch = new IdSketch();
  sketch.begin();
  expect(ids.filter((id) => sketch.swap(id, 0) >= 0)).toEqual([]);
  expect(ids.filter((id) => sketch.swap(id, 0) < 0)).toEqual([]);
});

test('a new round knows nothing of the one before', () => {
  const sketch = new IdSketch();
  sketch.begin();
  expect([sketch.swap('a', 3), sketch.swap('a', 5), sketch.swap('a', 7)]).toEqual([-1, 3, 5]);
  sketch.begin();
  expect([sketch.swap('a', 1), sketch.swap('b', 2), sketch.swap('', 3)]).toEqual([-1, -1, -1]);
});

test('a round knows nothing of the ones before, however many there were', () => {
  const sketch = new IdSketch(2);
  for (let round = 0; round < 7; round += 1) {
    sketch.begin();
    expect([sketch.swap('a', round), sketch.swap('a', 0)]).toEqual([-1, round]);
  }
});

test('ids that only look alike are all accepted, because a walk that is exact decides', () => {
  const alike = ['x', 'y'].map((mark) => `msg_${mark}${'0'.repeat(40)}`);
  const sketch = new IdSketch();
  sketch.begin();
  expect(alike.map((id) => sketch.swap(id, 0) >= 0)).toEqual([false, true]);
  const history = alike.map((id) => ({ type: 'message', role: 'assistant', id, content: 'Hello' }));
  expect(repair(history, 'openai-responses').output).toBe(history);
});

test('a long history keeps its ids, except for the one that comes twice', () => {
  const history = [...ids, ids[7]].map((id) => ({ type: 'message', role: 'assistant', id, content: 'Hello' }));
  const { output, report } = repair(history, 'openai-responses');
  expect(output.slice(0, -1)).toEqual(history.slice(0, -1));
  expect(output.at(-1)).toEqual({ type: 'message', role: 'assistant', content: 'Hello' });
  expect(report.repairs.map(({ rule, at }) => [rule, at.message])).toEqual([['item-id-again', ids.length]]);
});
