import { type Message, type Part, type RefusalFixture, without } from './fixture.ts';

export const asked = (...parts: readonly Part[]): Message => ({ kind: 'request', parts });
export const responded = (...parts: readonly Part[]): Message => ({ kind: 'response', parts });
export const prompt: Part = { part_kind: 'user-prompt', content: 'go' };
export const said: Part = { part_kind: 'text', content: 'ok' };
export const pyCall = (id: string): Part => ({
  part_kind: 'tool-call',
  tool_name: 'read',
  args: '{}',
  tool_call_id: id,
});
export const pyReturn = (id: string): Part => ({
  part_kind: 'tool-return',
  tool_name: 'read',
  content: 'x',
  tool_call_id: id,
});
export const retry = (id: string): Part => ({ ...pyReturn(id), part_kind: 'retry-prompt' });
export const builtin = (kind: string, id: string): Part => ({ ...pyReturn(id), part_kind: `builtin-tool-${kind}` });
const UNPROCESSED = 'Cannot provide a new user prompt when the message history contains unprocessed tool calls.';

const fixtures: Omit<RefusalFixture, 'dialect'>[] = [
  {
    name: 'a request without messages',
    row: 'py-history',
    purpose: 'request',
    text: 'Processed history cannot be empty.',
    known: 'whole',
    input: [],
    accepted: [asked(prompt)],
  },
  {
    name: 'a request that ends in a response',
    row: 'py-history',
    purpose: 'request',
    text: 'Processed history must end with a `ModelRequest`.',
    known: 'whole',
    input: [asked(prompt), responded(said)],
    accepted: [asked(prompt), responded(said), asked(prompt)],
  },
  {
    name: 'a new prompt over an open call',
    row: 'py-history',
    purpose: 'history',
    text: UNPROCESSED,
    known: 'whole',
    input: [asked(prompt), responded(pyCall('c1')), asked(prompt)],
    accepted: [asked(prompt), responded(pyCall('c1')), asked(prompt, pyReturn('c1'))],
  },
  {
    name: 'a result that comes after a new prompt',
    row: 'py-history',
    purpose: 'history',
    text: UNPROCESSED,
    known: 'whole',
    input: [asked(prompt), responded(pyCall('c1')), asked(prompt), asked(pyReturn('c1'))],
    accepted: [asked(prompt), responded(pyCall('c1')), asked(pyReturn('c1')), asked(prompt)],
  },
  {
    name: 'a retry that names no tool, said over an open call',
    row: 'py-history',
    purpose: 'history',
    text: UNPROCESSED,
    known: 'whole',
    input: [responded(pyCall('c1')), asked(without(retry('c1'), 'tool_name')), asked(pyReturn('c1'))],
    accepted: [responded(pyCall('c1')), asked(retry('c1'))],
  },
  {
    name: 'a call left open at the end',
    row: 'py-history',
    purpose: 'history',
    text: UNPROCESSED,
    known: 'whole',
    input: [asked(prompt), responded(said, pyCall('c1'))],
    accepted: [asked(prompt), responded(said)],
  },
  {
    name: 'an open call that only the older list of calls shows',
    row: 'py-history',
    purpose: 'history',
    text: UNPROCESSED,
    known: 'whole',
    input: [
      asked(prompt),
      { ...responded(said), tool_calls: [{ tool_name: 'read', tool_call_id: 'c1' }] },
      asked(prompt),
    ],
    accepted: [asked(prompt), { ...responded(said), tool_calls: [] }, asked(prompt)],
  },
  {
    name: 'a return without a call',
    row: 'py-repair',
    purpose: 'history',
    text: 'tool-return c1 answers no call of the response before it',
    known: 'none',
    input: [asked(prompt), responded(said), asked(pyReturn('c1'))],
    accepted: [asked(prompt), responded(said), asked(prompt)],
  },
  {
    name: 'a return recorded twice',
    row: 'py-repair',
    purpose: 'history',
    text: 'retry-prompt c1 answers a call that has its result',
    known: 'none',
    input: [responded(pyCall('c1')), asked(pyReturn('c1')), asked(retry('c1'))],
    accepted: [responded(pyCall('c1')), asked(pyReturn('c1'))],
  },
  {
    name: 'one id for two calls of a run of responses',
    row: 'py-repair',
    purpose: 'history',
    text: 'tool_call_id c1 is used by two calls of one response',
    known: 'none',
    input: [responded(pyCall('c1')), responded(pyCall('c1')), asked(pyReturn('c1'))],
    accepted: [responded(pyCall('c1')), responded(pyCall('c2')), asked(pyReturn('c1'), pyReturn('c2'))],
  },
  {
    name: 'a built-in return in another response than its call',
    row: 'py-repair',
    purpose: 'history',
    text: 'builtin-tool-return b1 answers no call before it in its response',
    known: 'none',
    input: [asked(prompt), responded(builtin('return', 'b1'))],
    accepted: [asked(prompt), responded(builtin('call', 'b1'), builtin('return', 'b1'))],
  },
  {
    name: 'a built-in call without its return',
    row: 'py-repair',
    purpose: 'history',
    text: 'built-in call b1 has no return in its response',
    known: 'none',
    input: [responded(builtin('call', 'b1')), asked(prompt)],
    accepted: [responded(builtin('call', 'b1'), builtin('return', 'b1')), asked(prompt)],
  },
  {
    name: 'a prompt cut inside an emoji',
    row: 'an-json-utf16',
    purpose: 'history',
    text: 'no low surrogate in string',
    known: 'part',
    input: [asked({ ...prompt, content: '\ud83d' })],
    accepted: [asked({ ...prompt, content: '\ud83d\ude00' })],
  },
  {
    name: 'a message of no known kind',
    row: 'shape',
    purpose: 'history',
    text: 'expected a message whose kind is request or response',
    known: 'none',
    input: [{ ...asked(prompt), kind: 'note' }],
    accepted: [asked(prompt)],
  },
  {
    name: 'a call with an empty id',
    row: 'shape',
    purpose: 'history',
    text: 'expected a non-empty string tool_call_id',
    known: 'none',
    input: [responded(pyCall(''))],
    accepted: [responded(pyCall('c')), asked(pyReturn('c'))],
  },
  {
    name: 'a return inside a response',
    row: 'shape',
    purpose: 'history',
    text: 'a tool-return belongs in a request',
    known: 'none',
    input: [responded(pyCall('c1')), asked(pyReturn('c1')), responded(pyReturn('c1'))],
    accepted: [responded(pyCall('c1')), asked(pyReturn('c1')), responded(said)],
  },
];

export const PYDANTIC_AI: readonly RefusalFixture[] = fixtures.map((fixture) => ({
  ...fixture,
  dialect: 'pydantic-ai',
}));
