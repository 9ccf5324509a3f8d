import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { isRepeated } from '../../src/rules/remedies/batch.ts';
import { callOf, resultOf } from '../../src/rules/remedies/place.ts';
import { DraftCase } from '../../src/engine/case.ts';
import { Draft } from '../../src/engine/draft.ts';
import { check, repair, RESULT_TEXTS } from '../../src/index.ts';
import { newFact } from '../../src/model/fact.ts';
import { PRESERVE } from '../../src/model/policy.ts';
import { resolveTarget } from '../../src/target.ts';
import { assistant, call, result, text, user } from '../anthropic-wire.ts';

const dialect = 'anthropic-messages';
const TOOLS = [{ name: 'ls', input_schema: { type: 'object' } }];
const closed = (id: string): object => ({ ...result(id, RESULT_TEXTS.unknown), is_error: true });

describe('the call and the result at a place', () => {
  const input = [user('go'), assistant([text('ok'), call('c1', 'read'), call('c1')]), user([result('c1', 'A')])];
  const resolved = resolveTarget(input, dialect);
  if (resolved === undefined) throw new Error('the dialect is known');
  const found = new DraftCase(new Draft(CODECS[dialect], input, undefined), resolved.target, {
    fact: newFact('call-open', 1, -1),
    choices: { policy: PRESERVE, evidence: undefined },
  });

  test('are read from there', () => {
    expect(callOf(found, { message: 1, part: 1 })).toMatchObject({ callId: 'c1', tool: 'read' });
    expect(resultOf(found, { message: 2, part: 0 })).toMatchObject({ callId: 'c1', text: 'A', outcome: 'ok' });
  });

  test('are empty where there is none', () => {
    const nothing = { callId: '', server: false, characters: 0 };
    for (const at of [{ message: 1, part: 0 }, { message: 1, part: 9 }, { message: 1 }]) {
      expect(callOf(found, at)).toEqual({ ...nothing, kind: 'call', tool: '', input: undefined });
      expect(resultOf(found, at)).toEqual({ ...nothing, kind: 'result', outcome: 'unknown', text: '' });
    }
  });

  test('a call is repeated if another of its step has its id', () => {
    const one = callOf(found, { message: 1, part: 1 });
    expect(isRepeated(found, 1, one)).toBe(true);
    expect(isRepeated(found, 1, { ...one, callId: 'c2' })).toBe(false);
    expect(isRepeated(found, 0, one)).toBe(false);
  });
});

describe('results under strange ids', () => {
  test('wait until calls that share an id are told apart', () => {
    const input = [user('r'), assistant([call('c'), call('c')]), user([result('x', 'X'), result('y', 'Y')])];
    const { output, report } = repair(input, dialect);
    expect(output).toEqual([
      user('r'),
      assistant([call('c'), call('c_2')]),
      user([result('c', 'X'), result('c_2', 'Y')]),
    ]);
    expect(report.repairs.map(({ rule, note }) => `${rule}: ${note}`)).toEqual([
      'duplicate-call-id: renamed a repeated call c to c_2',
      'result-misnamed: gave result x the id of the open call c by its position alone',
      'result-misnamed: gave result y the id of the open call c_2 by its position alone',
    ]);
  });

  test('are quoted when they name another tool than the open call', () => {
    const part = (kind: string, [id, tool]: readonly [string, string], rest: object): object => ({
      part_kind: kind,
      tool_name: tool,
      ...rest,
      tool_call_id: id,
    });
    const open = { kind: 'response', parts: [part('tool-call', ['c1', 'read'], { args: {} })] };
    const answer = (tool: string): unknown[] => [
      open,
      { kind: 'request', parts: [part('tool-return', ['x1', tool], { content: 'A' })] },
    ];
    expect(repair(answer('write'), 'pydantic-ai').output).toEqual([
      open,
      {
        kind: 'request',
        parts: [
          part('tool-return', ['c1', 'read'], { content: RESULT_TEXTS.unknown, outcome: 'failed' }),
          { part_kind: 'user-prompt', content: '[tool output] A' },
        ],
      },
    ]);
    expect(repair(answer('read'), 'pydantic-ai').output).toEqual([
      open,
      { kind: 'request', parts: [part('tool-return', ['c1', 'read'], { content: 'A' })] },
    ]);
  });

  test('go, and the call with them, where the policy discards what is not whole', () => {
    const input = [user('r'), assistant([call('c1')]), user([result('x1')])];
    expect(repair(input, dialect, { policy: 'discard' }).output).toEqual([user('r')]);
  });
});

describe('an open call', () => {
  const batch = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${String(index)}`);
  const words = (count: number): string | undefined =>
    check([user('go'), assistant(batch(count).map((id) => call(id)))], dialect).findings[0]?.providerError;

  test('is named together with the others of its batch, up to 64', () => {
    expect(words(64)).toContain(`immediately after: ${batch(64).join(', ')}. Each`);
    expect(words(65)).toContain('immediately after: c0. Each');
  });

  test('is named beside those that are answered', () => {
    const input = [user('go'), assistant([call('c1'), call('c2'), call('c3')]), user([result('c2')])];
    expect(check(input, dialect).findings[0]?.providerError).toContain('immediately after: c1, c3. Each');
  });
});

test('content between calls is said to separate all of them from their results', () => {
  const input = [user('go'), assistant([call('c1'), text('and'), call('c2')]), user([result('c1'), result('c2')])];
  const { findings } = check(input, dialect);
  expect(findings.map(({ rule, explain }) => [rule, explain])).toEqual([
    ['content-after-call', 'part 1 stands behind a call in the same message'],
  ]);
  expect(findings[0]?.providerError).toContain('immediately after: c1, c2. Each');
});

test('a call and its result are both named by the id that has to change', () => {
  const { findings } = check([user('r'), assistant([call('f:0')]), user([result('f:0')])], dialect);
  expect(findings.map(({ rule, at, explain }) => [rule, at.pointer, explain])).toEqual([
    ['call-id-malformed', '/1/content/0', 'the provider does not take the call id "f:0"'],
    ['call-id-malformed', '/2/content/0', 'the provider does not take the call id "f:0"'],
  ]);
});

describe('system text inside a conversation', () => {
  const model = 'claude-sonnet-4-5';

  test('is quoted with what no reader knows', () => {
    const system = { role: 'system', content: [text('Be brief.'), { type: 'future', x: 'y' }] };
    const { output, report } = repair([user('hi'), system, assistant('Yes')], { dialect, model });
    expect(output).toEqual([
      user('hi'),
      user([text('[system] Be brief.'), text('[system] {"type":"future","x":"y"}')]),
      assistant('Yes'),
    ]);
    expect(report.preserved.ratio).toBe(1);
  });

  test('is moved behind all messages of the user that follow, in its order', () => {
    const systems = ['A', 'B'].map((content) => ({ role: 'system', content }));
    const options = { role: 'system', content: [], output_config: { effort: 'low' } };
    const input = [user('hi'), ...systems, options, user('there?'), user('hello?'), assistant('Yes')];
    const { output, report } = repair(input, { dialect, model: 'claude-opus-4-8' });
    expect(output).toEqual([user('hi'), options, user('there?'), user('hello?'), ...systems, assistant('Yes')]);
    expect(report.findings.map(({ at, explain }) => `${at.pointer} ${explain}`)).toEqual([
      '/1 a system message is followed by a user message',
      '/2 a system message is followed by a user message',
    ]);
    expect(report.preserved.ratio).toBe(1);
  });

  test('keeps its order where user messages stand between', () => {
    const systems = Array.from({ length: 20 }, (_, index) => ({ role: 'system', content: `S${String(index)}` }));
    const last = { role: 'system', content: 'in place' };
    const input = [user('hi'), ...systems.flatMap((system) => [system, user('and')]), last, assistant('x')];
    const { output, report } = repair(input, { dialect, model: 'claude-opus-4-8' });
    expect(output).toEqual([user('hi'), ...systems.map(() => user('and')), ...systems, last, assistant('x')]);
    expect(report.repairs.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual(['system-misplaced /1']);
  });

  test('does not hold results', () => {
    const input = [user('s'), assistant([call('c1')]), { role: 'system', content: [result('c1')] }, user('x')];
    expect(repair(input, { dialect, model }).output).toEqual([...input.slice(0, 2), user([result('c1')]), user('x')]);
  });
});

describe('tools that the provider runs', () => {
  const search = { type: 'server_tool_use', name: 'web_search' };
  const hits = { type: 'web_search_tool_result', content: [] };
  const quoted = [text('[web_search {}]'), text('[web_search result] '), text('ok')];

  test('are quoted with an empty input where they have none', () => {
    const pair = [{ ...search, id: 'srvtoolu_1' }, { ...hits, tool_use_id: 'srvtoolu_1' }, text('ok')];
    const { output } = repair({ tools: TOOLS, messages: [user('s'), assistant(pair), user('go')] }, dialect);
    expect(output).toEqual({ tools: TOOLS, messages: [user('s'), assistant(quoted), user('go')] });
  });

  test('are quoted where the result stands in the next message', () => {
    const foreign = { ...search, id: 'ws_1', input: { q: 'x' } };
    const input = [user('s'), assistant([foreign]), assistant([{ ...hits, tool_use_id: 'ws_1' }, text('ok')])];
    expect(repair(input, dialect).output).toEqual([
      user('s'),
      assistant([text('[web_search {"q":"x"}]')]),
      assistant(quoted.slice(1)),
    ]);
  });

  test('are quoted where call and result have lost their ids', () => {
    const input = [user('s'), assistant([{ ...search, input: {} }, hits, text('ok')])];
    const { output, report } = repair(input, dialect);
    expect(output).toEqual([user('s'), assistant(quoted)]);
    expect(report.findings.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual([
      'server-call-id-malformed /1/content/0',
      'server-result-without-call /1/content/1',
    ]);
    expect(report.findings[1]?.providerError).toBe(
      'messages.1.content.1: unexpected `tool_use_id` found in `web_search_tool_result` blocks: . ' +
        'Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
    );
  });
});

describe('where roles must alternate', () => {
  const target = { dialect, profile: { alternation: true } } as const;
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const hits = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };

  test('a run of any length is one finding and becomes one message', () => {
    const { output, report } = repair([user('a'), user('b'), user('c'), assistant('d'), user('e')], target);
    expect(output).toEqual([user([text('a'), text('b'), text('c')]), assistant('d'), user('e')]);
    expect(report.findings.map(({ rule, at, explain }) => [rule, at.pointer, explain])).toEqual([
      ['same-role-run', '/1', 'messages 0 and 1 have one role'],
    ]);
    expect(report.repairs.map(({ note }) => note)).toEqual(['joined messages 0 to 2']);
  });

  test('calls of a joined message come last, but not those that the provider runs', () => {
    const input = [user('r'), assistant([call('c1')]), assistant([search, hits, call('c2')])];
    const { output } = repair([...input, user([result('c1'), result('c2')])], {
      ...target,
      profile: {
        ...target.profile,
        step: 'turn',
        callsLast: false,
      },
    });
    expect(output).toEqual([
      user('r'),
      assistant([call('c1'), search, hits, call('c2')]),
      user([result('c1'), result('c2')]),
    ]);
  });

  test('an answer in pieces is joined in order', () => {
    const input = [user('r'), assistant([search, hits]), assistant([text('and'), call('c1')]), user([result('c1')])];
    expect(repair(input, target).output).toEqual([
      user('r'),
      assistant([search, hits, text('and'), call('c1')]),
      user([result('c1')]),
    ]);
  });

  test('results come first in a joined message only where the provider wants that', () => {
    const input = [user('r'), assistant([call('c1')]), user([result('c1')]), user('so'), assistant('x')];
    for (const resultsFirst of [true, false]) {
      const { output } = repair(input, { dialect, profile: { alternation: true, resultsFirst } });
      expect(output).toEqual([user('r'), assistant([call('c1')]), user([result('c1'), text('so')]), assistant('x')]);
    }
  });
});

describe('a message of the user that nothing answers', () => {
  const input = [user('a'), assistant('b'), user('c')];

  test('is named and kept, unless the policy says to drop it', () => {
    const { output, report } = repair(input, dialect, { next: 'user' });
    expect(output).toBe(input);
    expect(report.findings.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual(['trailing-request /2']);
    expect(repair(input, dialect, { next: 'user', policy: 'discard' }).output).toEqual(input.slice(0, 2));
  });

  test('is kept when it carries a result', () => {
    const answered = [user('a'), assistant([call('c1')]), user([result('c1')])];
    expect(repair(answered, dialect, { next: 'user', policy: 'discard' }).output).toBe(answered);
  });

  test('is no matter when no other follows', () => {
    expect(repair(input, dialect, { policy: 'discard' }).report.findings).toEqual([]);
  });
});

describe('a second result', () => {
  const step = [user('r'), assistant([call('c1')])];

  test('in the same turn is refused in other words than one in a later turn', () => {
    const same = check([...step, user([result('c1', 'A')]), user([result('c1', 'B')])], dialect).findings;
    expect(same.map(({ providerError }) => providerError)).toEqual([
      'messages.3.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: c1',
    ]);
    const later = check([...step, user([result('c1', 'A')]), assistant('x'), user([result('c1', 'B')])], dialect);
    expect(later.findings[0]?.providerError).toContain('messages.4.content.0: unexpected `tool_use_id` found');
  });

  test('takes the place of the first when it follows at once, and is quoted when it comes later', () => {
    const near = repair([...step, user([result('c1', 'A')]), user([result('c1', 'B')])], dialect);
    expect(near.output).toEqual([...step, user([result('c1', 'B')]), user([text('[tool output] A')])]);
    const far = repair([...step, user([result('c1', 'A')]), assistant('x'), user([result('c1', 'B')])], dialect);
    expect(far.output).toEqual([...step, user([result('c1', 'A')]), assistant('x'), user([text('[tool output] B')])]);
  });
});

test('an open call that shares its id is closed under the new one', () => {
  const input = [user('r'), assistant([call('c'), call('c')]), user([result('c')])];
  expect(repair(input, dialect).output).toEqual([
    user('r'),
    assistant([call('c'), call('c_2')]),
    user([result('c'), closed('c_2')]),
  ]);
});

test('a message that says nothing, and still holds something, does not go without a loss', () => {
  const said = { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
  const { output, report } = repair([{ id: 'm1', role: 'user', parts: [{ type: 'step-start' }] }, said], 'ai-sdk-ui');
  expect(output).toEqual([said]);
  expect(report.repairs).toMatchObject([{ rule: 'empty-message', loss: 'lossy' }]);
});

test('an empty text that the provider wants back is the last word, and a plain empty one is none', () => {
  const asked = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
  const found = (part: object): string[] => {
    const answer = { id: 'm2', role: 'assistant', parts: [part] };
    return check({ messages: [asked, answer] }, 'ai-sdk-ui').findings.map(({ rule }) => rule);
  };
  expect(found({ type: 'text', text: '', providerMetadata: { a: {} } })).toEqual(['ends-with-assistant']);
  expect(found({ type: 'text', text: '' })).toEqual([]);
});

test('a host that takes nothing beside the content and has no words of its own borrows those of the API', () => {
  const input = [user('hi'), { role: 'assistant', content: 'no', refusal: 'I will not.' }, user('why')];
  const target = { dialect: 'openai-chat', model: 'groq/llama-3.3-70b-versatile' } as const;
  const [finding] = check(input, { ...target, profile: { speaker: 'openai-chat' } }).findings;
  expect(finding?.providerError).toContain("property 'refusal' is unsupported");
});
