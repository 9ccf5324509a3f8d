import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPENAI_RESPONSES, RESPONSES_ACCEPTED, RESPONSES_UNSEEN } from './fixtures/openai-responses.ts';
import { call, output, reasoning, said } from './fixtures/openai-responses-shapes.ts';
import { CHECKS, judge, type JudgeOptions, type Refusal } from '../src/judges/judge.ts';
import { readResponsesInput } from '../src/judges/openai-responses.ts';

type Fixture = Pick<(typeof OPENAI_RESPONSES)[number], 'purpose' | 'model' | 'told'>;

const shared = process.env.RETHREAD_SHARED;
const NOTHING: ReadonlySet<string> = new Set();
const ask = (input: unknown, { purpose, model, told }: Fixture, disabled = NOTHING): Refusal[] =>
  judge('openai-responses', input, { purpose, model, disabled, ...told });

describe('a refusal names its row, gives the words and fills the envelope', () => {
  test.each(OPENAI_RESPONSES.map((fixture) => [`${fixture.row}: ${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      const given = ask(fixture.input, fixture);
      expect(given).toMatchObject([{ row: fixture.row, text: fixture.text, ...fixture.envelope }]);
      expect(given.filter(({ pointer }) => !resolves(fixture.input, pointer))).toEqual([]);
      expect(ask(fixture.input, fixture, new Set([fixture.row]))).toEqual([]);
      expect(ask(fixture.accepted, fixture)).toEqual([]);
    },
  );
});

describe('what looks illegal and is not is accepted', () => {
  test.each(RESPONSES_ACCEPTED.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
    expect(ask(fixture.input, fixture)).toEqual([]);
  });
});

test('every row that is judged has a fixture', () => {
  const rows = new Set(OPENAI_RESPONSES.map(({ row }) => row));
  expect(CHECKS['openai-responses'].length).toBe(20);
  expect(CHECKS['openai-responses'].filter((row) => !rows.has(row))).toEqual([]);
});

describe('readings that are too large or too many for a fixture', () => {
  const limit = 10_485_760;

  test('an output may have 10 485 760 characters and not one more', () => {
    const long = (length: number): unknown[] => [call('c1'), output('c1', { output: 'x'.repeat(length) })];
    expect(judge('openai-responses', long(limit))).toEqual([]);
    expect(judge('openai-responses', long(limit + 1))).toMatchObject([
      { row: 'or-callid', pointer: '/1/output', param: 'input[1].output', code: 'string_above_max_length' },
    ]);
  });

  test('what no parser reads is refused first, then what is wrong in one item, then what is wrong between', () => {
    const input = [reasoning('rs_1'), output('c0'), call('c1'), call('c2', { arguments: null }), said('\ud83d')];
    expect(judge('openai-responses', input).map(({ row, pointer }) => `${row} ${pointer}`)).toEqual([
      'an-json-utf16 /4/id',
      'or-args /3/arguments',
      'or-id-len /4/id',
      'or-reason-follow /0',
      'or-output-orphan /1',
      'or-call-answered /2',
      'or-call-answered /3',
    ]);
  });

  test('a list of 20 000 pairs is judged in one pass', () => {
    const input = Array.from({ length: 20_000 }, (_, i) => [call(`c${i}`, { id: `fc_${i}` }), output(`c${i}`)]).flat();
    expect(judge('openai-responses', input)).toEqual([]);
  });

  test('the seal is asked about with what it covers and what stands before it', () => {
    const asked: unknown[] = [];
    const seals: JudgeOptions['seals'] = (sealed) => {
      asked.push(sealed);
      return 'chain-broken';
    };
    const input = [said('msg_1'), reasoning('rs_1'), said('msg_2'), reasoning('rs_2', { encrypted_content: 'b' })];
    input.push(said('msg_3'));
    expect(judge('openai-responses', input, { seals, model: 'gpt-5' })).toEqual([]);
    const first = 'gAAAAsealed0x1==';
    expect(asked).toMatchObject([
      { seal: first, content: [], list: input, message: 1, model: 'gpt-5', previous: undefined },
      { seal: 'b', content: [], list: input, message: 3, previous: first },
    ]);
  });
});

test('the input of a body is a list, a text, or nothing where something else is given', () => {
  expect(readResponsesInput({ input: [1] })).toEqual([1]);
  expect(readResponsesInput({ input: 'hi' })).toEqual([{ role: 'user', content: 'hi' }]);
  expect(readResponsesInput({ previous_response_id: 'resp_1' })).toEqual([]);
  expect(readResponsesInput({ prompt: { id: 'pmpt_1' } })).toEqual([]);
  expect(readResponsesInput({})).toMatchObject({ code: 'missing_required_parameter' });
  expect(readResponsesInput({ input: 7 })).toMatchObject({ code: 'invalid_type', param: 'input' });
});

describe('the judge never throws', () => {
  const cyclic: unknown[] = [];
  cyclic.push({ role: 'user', content: cyclic });
  const values = [undefined, null, 7, 1.5, true, '', 'x', [], {}, [null], ['x'], [{}], { id: 7 }, 1n, cyclic];
  const fields = ['type', 'role', 'content', 'id', 'call_id', 'name', 'arguments', 'input', 'output', 'summary'];
  const more = ['encrypted_content', 'phase', 'execution', 'fingerprint'];
  const bases = [said('msg_1'), reasoning('rs_1'), call('c1'), output('c1'), { type: 'item_reference' }, {}];

  test('whatever stands in whatever field', () => {
    let count = 0;
    for (const base of bases) {
      for (const field of [...fields, ...more]) {
        for (const value of values) {
          const input = [{ ...base, [field]: value }];
          const given = judge('openai-responses', input, { seals: () => 'genuine' });
          for (const { pointer } of given) expect(resolves(input, pointer)).toBe(true);
          expect(given.filter(({ text }) => text === 'the input cannot be read as JSON')).toEqual([]);
          count++;
        }
      }
    }
    expect(count).toBe(bases.length * (fields.length + more.length) * values.length);
  });

  test.each([
    ['an item without type, role or id', [{}]],
    ['a type that is a number', [{ type: 7 }]],
    ['a type nobody knows', [{ type: 'tool_result' }]],
    ['a reference to nothing', [{ type: 'item_reference' }]],
    ['an id that is a number', [said('msg_1', { id: 7 })]],
    ['a message without a role', [{ type: 'message', content: '' }]],
    ['content that is an object', [{ role: 'user', content: {} }]],
    ['a part that is a text', [{ role: 'user', content: ['x'] }]],
    ['a part without type', [{ role: 'user', content: [{ text: 'x' }] }]],
    ['a text part without text', [{ role: 'assistant', content: [{ type: 'output_text' }] }]],
    ['a refusal without words', [{ role: 'assistant', content: [{ type: 'refusal' }] }]],
  ])('%s is refused as unreadable', (_, input) => {
    expect(judge('openai-responses', input).map(({ row }) => row)).toEqual(['shape']);
  });
});

describe.skipIf(shared === undefined)('against the shared evidence', () => {
  const read = (path: string): string => {
    const file = join(shared ?? '', path);
    if (!existsSync(file)) throw new Error(`RETHREAD_SHARED is set but holds no ${path}`);
    return readFileSync(file, 'utf8');
  };
  const recorded = (api: string): Recorded[] =>
    read('evidence/recorded.jsonl')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Recorded)
      .filter((one) => one.api === api);

  test('every recorded and accepted request is accepted', () => {
    const ok = recorded('openai-responses').filter(({ status }) => status === 200);
    for (const { name, model, body } of ok) {
      const asRequest = judge('openai-responses', body, { whole: true });
      const asHistory = body.previous_response_id === undefined && body.conversation === undefined;
      const bare = asHistory ? judge('openai-responses', body.input, { model }) : [];
      expect({ name, asRequest, bare }).toEqual({ name, asRequest: [], bare: [] });
    }
    console.log(`openai-responses: ${ok.length} recorded requests accepted`);
    expect(ok.length).toBe(151);
  });

  test('of the recorded refusals, the one about what the history holds is refused in the same words', () => {
    const refused = recorded('openai-responses').filter(({ status }) => status === 400);
    const verdicts = refused.map(({ body, error }) => {
      const [first] = judge('openai-responses', body, { whole: true });
      return { code: error?.error.code, same: first?.text === error?.error.message, param: first?.param };
    });
    expect(verdicts).toEqual([
      { code: 'model_not_found', same: false, param: undefined },
      { code: 'unsupported_file', same: false, param: undefined },
      { code: 'invalid_value', same: true, param: 'input[3].output[0].file_data' },
      { code: 'decimal_below_min_value', same: false, param: undefined },
    ]);
  });

  test('requests to compatible APIs are refused only for reasoning that OpenAI did not make', () => {
    const rows = recorded('compatible-responses').map(({ body }) => judge('openai-responses', body));
    const refused = rows.filter(({ length }) => length > 0);
    console.log(`compatible-responses: ${rows.length - refused.length} of ${rows.length} accepted as OpenAI would`);
    const names = new Set(refused.flat().map(({ row }) => row));
    expect([...names].sort()).toEqual(['or-id-prefix', 'or-reason-follow', 'or-reason-shape']);
  });

  test('every row of section 3 that is enforced has a fixture or a reason why it cannot', () => {
    const section = read('CONTRACTS.md')
      .split('\n## ')
      .find((text) => text.startsWith('3.'));
    const rows = (section ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| or-') && !/ \| (?:OK|SOFT) \| /.test(line))
      .map((line) => line.split(' | ')[0]?.replace('| ', ''));
    expect(rows.length).toBe(19);
    const covered = new Set([...OPENAI_RESPONSES, ...RESPONSES_UNSEEN].map(({ row }) => row));
    expect(rows.filter((row) => !covered.has(row ?? ''))).toEqual([]);
  });
});

interface Recorded {
  readonly name: string;
  readonly api: string;
  readonly model: string;
  readonly status: number;
  readonly body: Readonly<Record<'input' | 'previous_response_id' | 'conversation', unknown>>;
  readonly error?: { readonly error: { readonly code: string; readonly message: string } };
}

/** Whether the pointer leads to a place in the input; the last step may name a key that is missing there. */
function resolves(input: unknown, pointer: string): boolean {
  const steps = pointer.split('/').slice(1);
  let value = input;
  for (const [i, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null) return false;
    if (!(step in value)) return i === steps.length - 1;
    value = (value as Record<string, unknown>)[step];
  }
  return true;
}
