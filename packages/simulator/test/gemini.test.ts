import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AcceptedFixture } from './fixtures/fixture.ts';
import { GEMINI, GEMINI_ACCEPTED, GEMINI_MISSHAPEN, GEMINI_UNSEEN } from './fixtures/gemini.ts';
import { asks, call, response, says, SIGNED, signed, t } from './fixtures/gemini-contents.ts';
import { GEMINI_CHECKS, geminiStage } from '../src/judges/gemini.ts';
import { sealedContent } from '../src/judges/gemini-part.ts';
import { geminiProfile } from '../src/judges/gemini-profile.ts';
import { judge, type JudgeOptions, type Sealed } from '../src/judges/judge.ts';

const shared = process.env.RETHREAD_SHARED;
const options = ({ purpose, model, told }: Omit<AcceptedFixture<'gemini'>, 'dialect'>): JudgeOptions => ({
  purpose,
  model,
  ...told,
});

describe('a refusal names its row, gives Gemini’s words and the envelope', () => {
  test.each(GEMINI.map((fixture) => [`${fixture.row}: ${fixture.name}`, fixture] as const))('%s', (_, fixture) => {
    const refusals = judge('gemini', fixture.input, options(fixture));
    expect(refusals.map(({ pointer: _pointer, ...rest }) => rest)).toEqual([
      { row: fixture.row, text: fixture.text, status: 400, type: 'INVALID_ARGUMENT' },
    ]);
    expect(refusals.filter(({ pointer }) => !leads(fixture.input, pointer))).toEqual([]);
    expect(judge('gemini', fixture.accepted, options(fixture))).toEqual([]);
  });
});

test.each(GEMINI_ACCEPTED.map((fixture) => [fixture.name, fixture] as const))('accepted: %s', (_, fixture) => {
  expect(judge('gemini', fixture.input, options(fixture))).toEqual([]);
});

test.each(GEMINI_CHECKS)('without %s its defects would pass', (check) => {
  const own = GEMINI.filter(({ row }) => row === check);
  expect(own.length).toBeGreaterThan(0);
  for (const fixture of own) {
    expect(judge('gemini', fixture.input, { ...options(fixture), disabled: new Set([check]) })).toEqual([]);
  }
});

describe('the judge never throws', () => {
  const cyclic: unknown[] = [];
  cyclic.push({ role: 'user', parts: cyclic });
  const hostile = Object.defineProperty({}, 'parts', {
    enumerable: true,
    get() {
      throw new Error('no');
    },
  });
  const odd = [null, 7, 'x', {}, { contents: null }, { contents: 'x' }, [null], cyclic, [hostile], ...GEMINI_MISSHAPEN];

  test.each(odd.map((input, i) => [i, input] as const))('and answers `shape` to odd input %i', (_, input) => {
    expect(judge('gemini', input).map(({ row }) => row)).toContain('shape');
  });

  test('on any value in any place of a sound request', () => {
    const values = [
      null,
      undefined,
      0,
      '',
      'x',
      true,
      [],
      {},
      [null],
      [[]],
      { role: {} },
      1n,
      Symbol('s'),
      () => 0,
      NaN,
    ];
    const sound = { contents: [asks(t('go')), says(signed(call('read'))), asks(response('read'))] };
    let places = 0;
    for (const path of paths(sound)) {
      for (const value of values) {
        const refusals = judge('gemini', replaced(sound, path, value), { model: SIGNED });
        for (const { text, pointer } of refusals) expect([typeof text, typeof pointer]).toEqual(['string', 'string']);
        places++;
      }
    }
    expect(places).toBeGreaterThan(300);
  });

  test('and depth alone is no reason to refuse', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
    const history = [asks(t('go')), says(signed(call('read', { args: { deep } }))), asks(response('read'))];
    expect(judge('gemini', history)).toEqual([]);
  });
});

describe('a signature', () => {
  test('is asked about with what it covers, what stands before it and the model', () => {
    const asked: Sealed[] = [];
    const contents = [
      asks(t('go')),
      says(signed(call('read', { id: 'a', args: { b: 1 } }), 'QUFB'), signed(t(''), 'QkJC')),
      asks(response('read', { id: 'a' })),
    ];
    const seals = (sealed: Sealed): 'genuine' => {
      asked.push(sealed);
      return 'genuine';
    };
    expect(judge('gemini', { contents }, { model: SIGNED, seals })).toEqual([]);
    const around = { list: contents, message: 1, model: SIGNED };
    expect(asked).toMatchObject([
      { seal: 'QUFB', content: { functionCall: { name: 'read', args: { b: 1 } } }, ...around },
      { seal: 'QkJC', content: { text: '' }, ...around },
    ]);
    // A copy per seal would cost more the longer the history is.
    expect(asked.map(({ list }) => list === contents)).toEqual([true, true]);
  });

  test('covers the same thing in both spellings, with and without what a client may drop', () => {
    const covered = { functionCall: { name: 'read', args: {} } };
    expect(sealedContent(signed(call('read', { id: 'a' })))).toEqual(covered);
    expect(sealedContent({ function_call: { name: 'read' }, thought_signature: 'QUFB' })).toEqual(covered);
    expect(sealedContent({ text: 'hm', thought: true })).toEqual({ text: 'hm' });
  });

  test('is required by generation, and of an unknown model when read strictly', () => {
    const strictly = [
      'gemini-3-flash-preview',
      'models/gemini-3.5-flash',
      'publishers/google/models/gemini-4-pro@001',
      'gemini-3-pro-image-preview',
      'gemini-2.5-pro',
      'gemini-2.0-flash-exp',
      'gemini-flash-latest',
      'gemma-3-27b-it',
    ].map((model) => [model, geminiProfile(model, true).signatures, geminiProfile(model, false).signatures]);
    expect(strictly).toEqual([
      ['gemini-3-flash-preview', true, true],
      ['models/gemini-3.5-flash', true, true],
      ['publishers/google/models/gemini-4-pro@001', true, true],
      ['gemini-3-pro-image-preview', false, false],
      ['gemini-2.5-pro', false, false],
      ['gemini-2.0-flash-exp', false, false],
      ['gemini-flash-latest', true, false],
      ['gemma-3-27b-it', true, false],
    ]);
  });
});

test('a request of ten thousand steps is judged in one walk', () => {
  const contents = [asks(t('go'))];
  for (let i = 0; i < 10_000; i++) {
    contents.push(says(signed(call('read', { id: `c${i}` }))), asks(response('read', { id: `c${i}` })));
  }
  let reads = 0;
  const counted = contents.map(({ role, parts }) => ({
    role,
    get parts() {
      reads++;
      return parts;
    },
  }));
  expect(judge('gemini', { contents: counted }, { model: SIGNED })).toEqual([]);
  // Once to scan the texts and once to judge.
  expect(reads).toBe(2 * contents.length);
});

test('what the API finds first comes first: form, required fields, roles, order, the end, signatures', () => {
  const contents = [
    says(call('read')),
    asks(response('read', { response: 'x' }), {}),
    { role: 'tool', parts: [t('x')] },
    says(call('list')),
    asks(response('list')),
    says(t('done')),
  ];
  const found = judge('gemini', { contents }, { model: SIGNED, purpose: 'request' });
  const sorted = found.toSorted((a, b) => geminiStage(a) - geminiStage(b));
  expect(sorted.map(({ row }) => row)).toEqual([
    'ge-fr-object',
    'ge-part-data',
    'ge-role',
    'ge-fc-after',
    'ge-last-user',
    'ge-sig-missing',
  ]);
});

describe.skipIf(shared === undefined)('against the shared evidence', () => {
  const read = (path: string): string => {
    const file = join(shared ?? '', path);
    if (!existsSync(file)) throw new Error(`RETHREAD_SHARED is set but holds no ${path}`);
    return readFileSync(file, 'utf8');
  };
  const recorded = (): Recorded[] =>
    read('evidence/recorded.jsonl')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Recorded)
      .filter(({ api }) => api === 'gemini');

  test('every recorded and accepted request is accepted', () => {
    const sound = recorded().filter(({ status }) => status === 200);
    for (const { name, model, body } of sound) {
      const asHistory = judge('gemini', body.contents, { model });
      expect({ name, asRequest: judge('gemini', body, { model }), asHistory }).toEqual({
        name,
        asRequest: [],
        asHistory: [],
      });
    }
    console.log(`gemini: ${sound.length} recorded requests accepted`);
    expect(sound.length).toBe(241);
  });

  test('no recorded refusal is about the history, so none is refused here', () => {
    const refused = recorded().filter(({ status }) => status === 400);
    expect(
      refused.map(({ error }) => error?.error.message.includes('Cannot fetch content from the provided URL')),
    ).toEqual([true, true, true]);
    for (const { model, body } of refused) expect(judge('gemini', body, { model })).toEqual([]);
  });

  test('every row of section 4 that is enforced has a fixture or a reason why it cannot', () => {
    const section = read('CONTRACTS.md')
      .split('\n## ')
      .find((part) => part.startsWith('4. '));
    const rows = (section ?? '')
      .split('\n')
      .map((line) => line.split(' | '))
      .filter((cells) => cells.length >= 6 && /\b(HARD|VER)\b/.test(cells[4] ?? ''))
      .map((cells) => (cells[0] ?? '').replace('| ', ''));
    const covered = new Set([...GEMINI, ...GEMINI_UNSEEN].map(({ row }) => row));
    expect(rows.length).toBe(15);
    expect(rows.filter((row) => !covered.has(row))).toEqual([]);
  });
});

interface Recorded {
  readonly name: string;
  readonly api: string;
  readonly model: string;
  readonly status: number;
  readonly body: { readonly contents: unknown };
  readonly error?: { readonly error: { readonly message: string } };
}

/** Whether the pointer leads to a place in the input; the last step may name a key that is missing there. */
function leads(input: unknown, pointer: string): boolean {
  const steps = pointer.split('/').slice(1);
  let value = input;
  for (const [i, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null) return false;
    if (!(step in value)) return i === steps.length - 1;
    value = (value as Record<string, unknown>)[step];
  }
  return true;
}

function* paths(value: unknown): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    yield [key];
    for (const below of paths(child)) yield [key, ...below];
  }
}

function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[step] = replaced(copy[step], rest, by);
  return copy;
}
