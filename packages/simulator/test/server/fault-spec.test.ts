import { describe, expect, test } from 'vitest';

import { createSimulator, FAULT_USAGE, FaultSpecError, parseFault, parseFaults } from '../../src/index.ts';

describe('a fault as text', () => {
  const good: readonly (readonly [string, object])[] = [
    ['cut-bytes:120@3', { fault: { kind: 'cut-bytes', bytes: 120 }, when: { kind: 'numbers', from: 3, to: 3 } }],
    ['cut-events:2@2-5', { fault: { kind: 'cut-events', events: 2 }, when: { kind: 'numbers', from: 2, to: 5 } }],
    ['529@4-', { fault: { kind: 'overloaded' }, when: { kind: 'numbers', from: 4, to: Infinity } }],
    ['500@12.5%', { fault: { kind: 'server-error' }, when: { kind: 'chance', rate: 0.125 } }],
    ['429', { fault: { kind: 'rate-limit' }, when: { kind: 'always' } }],
    ['429:30', { fault: { kind: 'rate-limit', retryAfterSeconds: 30 }, when: { kind: 'always' } }],
    ['stall', { fault: { kind: 'stall', events: 1 }, when: { kind: 'always' } }],
    ['drip:10', { fault: { kind: 'drip', everyMs: 10 }, when: { kind: 'always' } }],
  ];
  test.each(good)('%s', (text, rule) => {
    expect(parseFaults(text)).toEqual([rule]);
  });

  test('several are parted by commas, semicolons or blanks', () => {
    expect(parseFaults('500@1, 529@2;close@3  empty')).toHaveLength(4);
    expect(parseFaults('  ')).toEqual([]);
  });

  const bad: readonly (readonly [string, RegExp])[] = [
    ['boom', /^unknown fault 'boom'; known are 429\[:seconds\]/],
    ['toString', /^unknown fault 'toString'/],
    ['cut-bytes', /needs a number; write cut-bytes:n$/],
    ['cut-bytes:x', /^'x' in 'cut-bytes:x' is no whole number/],
    ['cut-bytes:-1', /is no whole number/],
    ['cut-bytes:1:2', /says too much/],
    ['500:2', /^'500:2' says too much; write 500$/],
    ['500@0', /names no requests/],
    ['500@5-2', /names no requests/],
    ['500@120%', /names no requests/],
    ['500@', /names no requests/],
  ];
  test.each(bad)('%s is refused with words that help', (text, words) => {
    expect(() => parseFaults(text)).toThrow(FaultSpecError);
    expect(() => parseFaults(text)).toThrow(words);
  });

  test('every fault that is listed for people can be written', () => {
    for (const { usage } of FAULT_USAGE) {
      const written = usage.replace(/\[.*\]/, '').replace(':n', ':3');
      expect(() => parseFault(written)).not.toThrow();
    }
  });

  test('a simulator does not start with faults it cannot read', async () => {
    await expect(createSimulator({ faults: 'boom' })).rejects.toThrow(FaultSpecError);
  });
});
