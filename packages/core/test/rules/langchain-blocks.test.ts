import { expect, test } from 'vitest';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { check, convert, repair } from '../../src/index.ts';

const question = { type: 'text', text: 'What is in a.txt?' };
const call = { type: 'tool_call', id: 'c1', name: 'read', args: { path: 'a.txt' } };
const said = [{ type: 'reasoning', reasoning: 'I have to look.' }, { type: 'text', text: 'Let me see.' }, call];
const returned = { type: 'text', text: 'alpha' };
const version = { response_metadata: { output_version: 'v1' } };

/** What the framework serialises messages to that were made of blocks: they have no content. */
const serialised = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs: { ...kwargs, ...version },
});
const asked = serialised('HumanMessage', { content_blocks: [question] });
const answered = serialised('AIMessage', { content_blocks: said, tool_calls: [call] });
const result = serialised('ToolMessage', { content_blocks: [returned], tool_call_id: 'c1' });

test('blocks of serialised messages are their content', () => {
  const history = [asked, answered, result];
  expect(check(history).findings).toEqual([]);
  expect(judge('langchain', history)).toEqual([]);
  const { output, losses } = convert(history, { to: 'anthropic-messages' });
  expect(output).toEqual([
    { role: 'user', content: 'What is in a.txt?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '[reasoning]\nI have to look.' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.txt' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'alpha' }] },
  ]);
  expect(losses.filter(({ kind }) => kind !== 'key').map(({ at, kind }) => [at.pointer, kind])).toEqual([
    ['/1/kwargs/content_blocks/2', 'part'],
    ['/1/kwargs/content_blocks/0', 'reasoning'],
  ]);
});

test('a serialised message of blocks that is changed has its content where the framework reads it', () => {
  const blank = serialised('HumanMessage', { content_blocks: [question, { type: 'text', text: ' ' }] });
  const { output, report } = repair([blank, answered, serialised('HumanMessage', { content_blocks: [question] })]);
  expect(report.findings.map(({ at }) => at.pointer)).toContain('/0/kwargs/content_blocks/1');
  expect(output[0]).toEqual(serialised('HumanMessage', { content: [question] }));
  expect([check(output).verdict, judge('langchain', output)]).toEqual(['clean', []]);
});

test('blocks of stored messages are put where the framework looks for content', () => {
  const stored = [
    { type: 'human', data: { content_blocks: [question], ...version } },
    { type: 'ai', data: { content_blocks: said, tool_calls: [call], ...version } },
    { type: 'tool', data: { content_blocks: [returned], tool_call_id: 'c1', ...version } },
  ];
  const { output, report } = repair<object[]>(stored);
  expect(output).toEqual([
    { type: 'human', data: { content: [question], ...version } },
    { type: 'ai', data: { content: said, tool_calls: [call], ...version } },
    { type: 'tool', data: { content: [returned], tool_call_id: 'c1', ...version } },
  ]);
  expect([report.verdict, report.preserved.ratio]).toEqual(['repaired', 1]);
  expect([check(output).verdict, judge('langchain', output)]).toEqual(['clean', []]);
});

test('what an object of the framework is made of is no loss', () => {
  const object = (type: string, content: string): object => ({
    lc_serializable: true,
    lc_kwargs: { content },
    lc_namespace: ['langchain_core', 'messages'],
    content,
    additional_kwargs: {},
    response_metadata: {},
    getType: () => type,
  });
  expect(convert([object('human', 'a')], { to: 'openai-chat' })).toMatchObject({
    output: [{ role: 'user', content: 'a' }],
    losses: [],
  });
});

test('who speaks in a generic message is told where nobody else knows them', () => {
  const told = (role: string): unknown =>
    convert([{ type: 'generic', content: 'a', role }], { from: 'langchain', to: 'openai-chat' }).losses;
  expect(told('narrator')).toMatchObject([{ kind: 'key', what: 'role: narrator', at: { pointer: '/0/role' } }]);
  expect(told('user')).toEqual([]);
});
