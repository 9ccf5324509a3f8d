import { fingerprint } from '../../model/call-id.ts';
import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';

type Told = Example extends infer E ? (E extends unknown ? Omit<E, 'dialect'> : never) : never;

const text = (said: string): object => ({ type: 'text', text: said });
const user = (...parts: readonly unknown[]): object => ({ id: 'm1', role: 'user', parts });
const answer = (...parts: readonly unknown[]): object => ({ id: 'm2', role: 'assistant', parts });
const hi = user(text('hi'));
const step = { type: 'step-start' };

const call = (more: object = {}): object => ({
  type: 'tool-read',
  toolCallId: 'c1',
  state: 'output-available',
  input: { path: 'a' },
  output: 'A',
  ...more,
});

/** A call that nobody has answered, in the state that says why. */
const open = (state: string, more: object = {}): object => ({
  type: 'tool-read',
  toolCallId: 'c1',
  state,
  input: { path: 'a' },
  ...more,
});

const failed = (errorText: string = RESULT_TEXTS.unknown, more: object = {}): object =>
  open('output-error', { errorText, ...more });

/** A call as an earlier version had it, and the object that held it. */
const inside = (toolCallId: string): object => ({ toolCallId, toolName: 'read', args: { path: 'a' } });
const invocation = (toolCallId: string, more: object): object => ({
  type: 'tool-invocation',
  toolInvocation: { ...inside(toolCallId), ...more },
});

/** A message that is not in the input has an id made from what it says and where. */
const invented = (at: number, role: string, ...parts: readonly object[]): object => ({
  id: `msg_${fingerprint(`${String(at)} ${JSON.stringify(parts)}`)}`,
  role,
  parts,
});

const approved = { approval: { id: 'a1', approved: true } };
const search = { type: 'tool-search', toolCallId: 's1', state: 'input-available', input: {}, providerExecuted: true };
const thought = { type: 'reasoning', text: 'A greeting.', providerMetadata: { anthropic: { signature: 'c2ln' } } };
const rules = { id: 'm0', role: 'system', parts: [text('Be brief.')] };

/** Entries that are no messages, or no parts. */
const strangers = (): Readonly<Record<string, readonly Told[]>> => ({
  'value-unserialisable': [
    {
      name: 'a big integer among the arguments',
      before: [answer(call({ input: { to: 10n } }))],
      after: [answer(call({ input: { to: '10' } }))],
    },
  ],
  'message-unreadable': [
    {
      name: 'a note among the messages',
      before: [hi, { note: 'the build is red' }],
      after: [hi, invented(1, 'user', text(`${TEXTS.unreadable} {"note":"the build is red"}`))],
    },
  ],
  'role-foreign': [
    {
      name: 'a result in a message of its own',
      before: [hi, { role: 'tool', tool_call_id: 'c1', content: 'A' }],
      after: [hi, invented(1, 'user', text(`${TEXTS.orphan} A`))],
    },
  ],
  'content-unreadable': [
    {
      name: 'a message of an earlier version, without parts',
      before: [{ id: 'm1', role: 'user', content: 'hi' }],
      after: [{ id: 'm1', role: 'user', content: 'hi', parts: [text('hi')] }],
    },
    {
      name: 'calls of an earlier version',
      before: [
        answer(invocation('c1', { state: 'result', result: 'A' }), invocation('c2', { state: 'call' })),
        answer(invocation('c3', { state: 'partial-call' }), invocation('c4', { result: 'A' }), invocation('c5', {})),
      ],
      after: [
        answer(call(), failed(RESULT_TEXTS.unknown, { toolCallId: 'c2' })),
        answer(
          open('input-streaming', { toolCallId: 'c3' }),
          call({ toolCallId: 'c4' }),
          failed(RESULT_TEXTS.unknown, { toolCallId: 'c5' }),
        ),
      ],
    },
    {
      name: 'reasoning and files of an earlier version',
      before: [
        answer({ type: 'reasoning', reasoning: 'A greeting.' }, text('Hello')),
        answer({ type: 'file', mimeType: 'image/png', data: 'iVBO' }),
        answer({ type: 'file', mimeType: 'image/png', data: 'https://example.com/1.png' }),
      ],
      after: [
        answer({ type: 'reasoning', text: 'A greeting.' }, text('Hello')),
        answer({ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBO' }),
        answer({ type: 'file', mediaType: 'image/png', url: 'https://example.com/1.png' }),
      ],
    },
    {
      name: 'calls beside the text, in an earlier version and in a chat',
      before: [
        {
          id: 'm2',
          role: 'assistant',
          content: '',
          toolInvocations: [{ ...inside('c1'), state: 'result', result: 'A' }],
        },
        {
          id: 'm2',
          role: 'assistant',
          parts: [text('Again.')],
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
      ],
      after: [{ id: 'm2', role: 'assistant', content: '', parts: [call()] }, answer(text('Again.'), failed())],
    },
    {
      name: 'calls that only repeat what the parts say',
      clean: [{ ...answer(call()), toolInvocations: [inside('c1')], tool_calls: [{ id: 'c1' }] }],
    },
    {
      name: 'one part without a list around it, and no part at all',
      before: [
        { id: 'm1', role: 'user', parts: text('hi') },
        { id: 'm2', role: 'assistant' },
      ],
      after: [hi],
    },
  ],
  'part-unreadable': [
    {
      name: 'a part that lost its type, and a file that is nowhere',
      before: [user({ text: 'hi' }, { type: 'file', mediaType: 'image/png', url: 'a.png' })],
      after: [user(text('hi'), text(`${TEXTS.unreadable} {"type":"file","mediaType":"image/png","url":"a.png"}`))],
    },
  ],
  'lone-surrogate': [
    { name: 'a text cut inside an emoji', before: [user(text('smile \ud83d'))], after: [user(text('smile \ufffd'))] },
  ],
  'empty-message': [
    {
      name: 'an answer that was stopped before its first word',
      clean: [hi, answer(step)],
    },
    { name: 'a message of which nothing is sent', before: [hi, user(text(''))], after: [hi] },
    {
      name: 'a message of parts that no model is shown',
      before: [hi, user({ type: 'future', about: 'what was shown' })],
      after: [hi, user({ type: 'future', about: 'what was shown' }, text(TEXTS.separator))],
    },
  ],
  'blank-text': [
    {
      name: 'a line break beside an answer',
      before: [answer(text('\n'), text('Hello'))],
      after: [answer(text('Hello'))],
    },
  ],
});

const calls = (): Readonly<Record<string, readonly Told[]>> => ({
  'call-id-malformed': [
    {
      name: 'a call without an id',
      before: [answer(call({ toolCallId: '' }))],
      after: [answer(call({ toolCallId: `call_0_0_${fingerprint('call 0.0')}` }))],
    },
  ],
  'call-name-malformed': [
    {
      name: 'names with a dot in them',
      before: [
        answer(call({ type: 'tool-fs.read' }), call({ type: 'dynamic-tool', toolName: 'fs.read', toolCallId: 'c2' })),
      ],
      after: [
        answer(call({ type: 'tool-fs_read' }), call({ type: 'dynamic-tool', toolName: 'fs_read', toolCallId: 'c2' })),
      ],
    },
  ],
  'call-input-malformed': [
    {
      name: 'a call that failed on what it was given',
      clean: [answer(failed('no such file', { input: undefined, rawInput: '{"path' }))],
    },
    {
      name: 'no arguments at all',
      before: [answer({ type: 'tool-read', toolCallId: 'c1', state: 'output-available', output: 'A' })],
      after: [answer({ type: 'tool-read', toolCallId: 'c1', state: 'output-available', output: 'A', input: {} })],
    },
  ],
  'duplicate-call-id': [
    { name: 'an id that is used again in the next step', clean: [answer(call(), step, call())] },
    {
      name: 'a model that counts its calls from zero',
      before: [answer(call(), call({ output: 'B' }), call({ output: 'C' }))],
      after: [answer(call(), call({ output: 'B', toolCallId: 'c1_2' }), call({ output: 'C', toolCallId: 'c1_3' }))],
    },
  ],
  'call-without-result': [
    {
      name: 'an approved call, about to be run, and one that was never finished',
      clean: [
        hi,
        answer(text('Then:'), open('approval-responded', approved), { ...open('input-streaming'), toolCallId: 'c2' }),
      ],
    },
    {
      name: 'killed between call and result, then the user wrote again',
      before: [answer(open('input-available'), call({ toolCallId: 'c2' })), hi],
      after: [answer(failed(), call({ toolCallId: 'c2' })), hi],
    },
    {
      name: 'a call that nobody decided on before the user went on, and one in a state of another version',
      before: [
        answer(open('approval-requested', { approval: { id: 'a1' } }), step, { ...open('call'), toolCallId: 'c2' }),
        hi,
      ],
      after: [
        answer(failed(RESULT_TEXTS['not-started']), step, failed(RESULT_TEXTS.unknown, { toolCallId: 'c2' })),
        hi,
      ],
    },
    {
      name: 'an approved call that was never run, because the model went on',
      before: [answer(open('approval-responded', approved), step, text('Never mind.'))],
      after: [answer(failed(RESULT_TEXTS.unknown, approved), step, text('Never mind.'))],
    },
    {
      name: 'discard: the call goes, the text before it stays',
      options: { policy: 'discard' },
      before: [hi, answer(text('Looking.'), open('input-available'))],
      after: [hi, answer(text('Looking.'))],
    },
    {
      name: 'discard: a batch that is not answered whole goes whole, and other steps stay',
      options: { policy: 'discard' },
      before: [
        hi,
        answer(
          call(),
          step,
          text('On.'),
          open('input-available', { toolCallId: 'c3' }),
          call({ toolCallId: 'c2' }),
          step,
          text('Then.'),
        ),
      ],
      after: [hi, answer(call(), step, text('On.'), step, text('Then.'))],
    },
  ],
  'server-call-without-result': [
    { name: 'a turn that the provider paused', clean: [hi, answer(search)] },
    {
      name: 'a call that a person was asked about, which the provider keeps itself',
      clean: [answer({ ...search, state: 'approval-requested', approval: { id: 'a1' } }), hi],
    },
    {
      name: 'the user wrote while the provider was searching',
      before: [answer(text('Searching.'), search), hi],
      after: [answer(text('Searching.')), hi],
    },
  ],
});

const order = (): Readonly<Record<string, readonly Told[]>> => ({
  'reasoning-last': [
    {
      name: 'stopped between the reasoning and the answer',
      before: [answer(thought), answer(thought, text('Hello'))],
      after: [answer(text(`${TEXTS.reasoning}\nA greeting.`)), answer(thought, text('Hello'))],
    },
  ],
  'system-empty': [{ name: 'nothing in it', before: [{ ...rules, parts: [] }, hi], after: [hi] }],
  'system-first': [{ name: 'a system message in front', before: [rules, hi], after: [hi], lifted: [rules] }],
  'system-in-conversation': [
    {
      name: 'a system message inside',
      before: [hi, rules],
      after: [hi, invented(1, 'user', text(`${TEXTS.system} Be brief.`))],
    },
  ],
  'trailing-request': [
    {
      name: 'stopped before the answer, about to write again',
      options: { policy: 'discard', next: 'user' },
      before: [hi, answer(text('Hello')), hi],
      after: [hi, answer(text('Hello'))],
    },
  ],
  'ends-with-assistant': [
    { name: 'a call and its result end it', clean: { messages: [hi, answer(text('Let me see.'), call())] } },
    {
      name: 'what the user put in while the model was answering ends it',
      clean: { messages: [hi, answer(text('Hello'), { type: 'steering-message', id: 's1', parts: [text('stop')] })] },
    },
    { name: 'an answer that has not begun', clean: { messages: [hi, answer(step)] } },
    {
      name: 'resumed in the middle of an answer',
      before: { messages: [hi, answer(call(), step, text('Hello, I'))] },
      after: { messages: [hi, answer(call(), step, text('Hello, I')), invented(-1, 'user', text(TEXTS.proceed))] },
    },
    {
      name: 'nothing that a model would be shown',
      before: { messages: [answer(step)] },
      after: { messages: [answer(step), invented(-1, 'user', text(TEXTS.proceed))] },
    },
  ],
  'no-messages': [
    {
      name: 'an empty request',
      before: { messages: [] },
      after: { messages: [invented(-1, 'user', text(TEXTS.resumed))] },
    },
  ],
});

/** The examples of a rule in messages of the AI SDK's user interface. */
export function interfaceExamples(rule: string): Example[] {
  const told = [strangers(), calls(), order()].flatMap((group) => group[rule] ?? []);
  return told.map((each) => ({ ...each, dialect: 'ai-sdk-ui' }));
}
