import { describe, expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';

const prompt = { part_kind: 'user-prompt', content: 'list the files', timestamp: '2026-01-01T00:00:00Z' };
const call = { part_kind: 'tool-call', tool_name: 'ls', args: '{"path":"."}', tool_call_id: 'c1' };
const answer = { part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'c1' };
const retry = { part_kind: 'retry-prompt', tool_name: 'ls', content: 'no such path', tool_call_id: 'c1' };
const request = (...parts: unknown[]): Record<string, unknown> => ({ kind: 'request', parts });
const response = (...parts: unknown[]): Record<string, unknown> => ({ kind: 'response', parts });

describe('the contract', () => {
  const RULES: readonly (readonly [string, unknown[], string[]])[] = [
    [
      'a prompt before the return of a call',
      [response(call), request(prompt), request(answer)],
      ['consecutive-requests', 'result-displaced'],
    ],
    ['a prompt together with the return', [response(call), request(prompt, answer)], []],
    ['a prompt after the return', [response(call), request(answer), request(prompt)], ['consecutive-requests']],
    [
      'a system prompt before the return',
      [response(call), request({ part_kind: 'system-prompt', content: 'x' }), request(answer)],
      ['consecutive-requests'],
    ],
    ...['text', 'thinking', 'file', 'future'].map((kind): readonly [string, unknown[], string[]] => [
      `a ${kind} part of a request, which is no prompt, before the return`,
      [response(call), request({ part_kind: kind, content: 'x' }), request(answer)],
      ['consecutive-requests'],
    ]),
    ['a retry prompt', [response(call), request(retry)], ['retry-without-return']],
    [
      'a built-in return in the next response',
      [response(builtin('call')), response(builtin('return'))],
      ['server-call-without-result', 'server-result-without-call'],
    ],
    ['a built-in call said twice', [response(builtin('call'), builtin('call'), builtin('return'))], []],
    ['a built-in call at the end', [request(prompt), response(builtin('call'))], []],
    [
      'a built-in call before results only',
      [response(builtin('call'), call), request(answer)],
      ['server-call-without-result'],
    ],
  ];

  function builtin(kind: 'call' | 'return'): Record<string, unknown> {
    return { ...(kind === 'call' ? call : answer), part_kind: `builtin-tool-${kind}`, tool_call_id: 'b1' };
  }

  test.for(RULES)('%s', ([, wire, rules]) => {
    expect(check(wire, 'pydantic-ai').findings.map((finding) => finding.rule)).toEqual(rules);
  });

  test.for(RULES)('%s: the judge says the same', ([, wire]) => {
    const rejected = check(wire, 'pydantic-ai').findings.filter(({ severity }) => severity === 'rejected');
    expect(judge('pydantic-ai', wire).length > 0).toBe(rejected.length > 0);
  });

  test('a request may not end in a response, not even in a built-in part', () => {
    const target = { dialect: 'pydantic-ai', purpose: 'request' } as const;
    const wire = [request(prompt), response(builtin('call'), builtin('return'))];
    expect(check(wire, target).findings.map((finding) => finding.rule)).toEqual(['ends-with-assistant']);
    expect(repair(wire, target).output).toHaveLength(3);
  });

  test('calls beside the parts of a request are all that it says when its parts are nothing', () => {
    const tool_calls = [{ args: { path: 'a.ts' } }];
    const wire = [{ kind: 'request', parts: [{}], tool_calls }];
    const { output, report } = repair(wire, 'pydantic-ai');
    expect([JSON.stringify(output), report.preserved.ratio]).toEqual([expect.stringContaining('a.ts'), 1]);
    expect(judge('pydantic-ai', output)).toEqual([]);
    const sound = [{ kind: 'request', parts: [prompt], tool_calls }];
    expect(repair(sound, 'pydantic-ai').output).toBe(sound);
    const nothing = [{ kind: 'request', parts: [{}], tool_calls: [{}] }];
    expect(judge('pydantic-ai', repair(nothing, 'pydantic-ai').output)).toEqual([]);
  });

  test('calls beside the parts of a request stay when one of its parts is changed', () => {
    const tool_calls = [{ args: { path: 'a.ts' } }];
    const wire = [{ kind: 'request', parts: [{ tool_call_id: 'c1' }, prompt], tool_calls }];
    expect(repair(wire, 'pydantic-ai').output[0]).toMatchObject({ tool_calls });
  });

  test('calls beside the parts of a request stay when all of its parts go elsewhere', () => {
    const tool_calls = [{ args: { path: 'a.ts' } }];
    const left = { ...request(), tool_calls };
    const divided = repair([request(prompt), { ...request(call), tool_calls }, request(answer)], 'pydantic-ai');
    expect(divided.output).toEqual([request(prompt), left, response(call), request(answer)]);
    const late = [request(prompt), response(call), request(prompt), { ...request(answer), tool_calls }];
    expect(repair(late, 'pydantic-ai').output.slice(2)).toEqual([request(answer, prompt), left]);
    expect(judge('pydantic-ai', divided.output)).toEqual([]);
  });

  test('what the provider said beside a result stored in a response stays a response', () => {
    const raw_content = [{ type: 'thinking', thinking: 'so' }];
    const wire = [request(prompt), response(call), { ...response(answer), raw_content }];
    expect(repair(wire, 'pydantic-ai').output.slice(2)).toEqual([
      request(answer),
      { ...response({ part_kind: 'text', content: '' }), raw_content },
    ]);
  });

  test('an older entry without the name of a tool is refused by rules and judge', () => {
    const wire = [{ kind: 'response', parts: [], tool_calls: [{ tool_call_id: 'c1' }] }, request(answer)];
    expect(judge('pydantic-ai', wire).map(({ row }) => row)).toEqual(['shape']);
    expect(check(wire, 'pydantic-ai').findings.map(({ rule }) => rule)).toEqual(['call-name-malformed']);
    expect(judge('pydantic-ai', repair(wire, 'pydantic-ai').output)).toEqual([]);
  });

  test('a result takes the name of its tool from its call, and one that stands in where there is none', () => {
    const nameless = { part_kind: 'tool-return', content: 'a', tool_call_id: 'c1' };
    expect(repair([response(call), request(nameless)]).output[1]).toEqual(request({ ...nameless, tool_name: 'ls' }));
    const unnamed = [response({ ...call, tool_name: null }), request(nameless)];
    expect(repair(unnamed).output).toMatchObject([{}, request({ ...nameless, tool_name: 'unknown_tool' })]);
    expect(repair([request(nameless)], 'pydantic-ai').report.verdict).toBe('repaired');
  });
});
