import { fingerprint } from '../../model/call-id.ts';
import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';

type Told = Example extends infer E ? (E extends unknown ? Omit<E, 'dialect'> : never) : never;

const human = (content: unknown): object => ({ type: 'human', content });
const system = (content: unknown): object => ({ type: 'system', content });
const ai = (content: unknown, ...calls: readonly object[]): object => ({ type: 'ai', content, tool_calls: calls });
const call = (more: object = {}): object => ({
  name: 'read',
  args: { path: 'a' },
  id: 'c1',
  type: 'tool_call',
  ...more,
});
const output = (content: unknown, more: object = {}): object => ({
  type: 'tool',
  content,
  tool_call_id: 'c1',
  name: 'read',
  ...more,
});
const hi = human('hi');
const thought = { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' };
const named = `call_0_0_${fingerprint('call 0.0')}`;

/** A call as one provider writes it in the content, and as another writes it beside the content. */
const piece = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } });
const raw = (id: string): object => ({ id, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } });

/** A call whose arguments were cut, as the framework keeps it and as it can be sent. */
const failed = (id: string): object => ({ ...call({ id, args: '{"path', type: 'invalid_tool_call' }), error: 'cut' });
const half = (id: string): object => call({ id, args: { INVALID_JSON: '{"path' } });

const serialised = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const oldCall = (content: string): object => ({
  type: 'ai',
  content,
  additional_kwargs: { function_call: { name: 'ls', arguments: '{}' } },
});
const fresh = { additional_kwargs: {}, response_metadata: {} };

const strangers = (): Readonly<Record<string, readonly Told[]>> => ({
  'value-unserialisable': [
    {
      name: 'a big integer among the arguments',
      before: [ai('', call({ args: { to: 10n } })), output('A')],
      after: [ai('', call({ args: { to: '10' } })), output('A')],
    },
  ],
  'role-foreign': [
    {
      name: 'a type of another format, and an order to remove a message',
      before: [hi, { type: 'narrator', content: 'Night falls.' }, { type: 'remove', id: 'm1', content: [] }],
      after: [hi, human(`${TEXTS.unreadable} Night falls.`)],
    },
  ],
  'content-unreadable': [
    {
      name: 'content that is a number, one part, or nothing',
      before: [human(42), human({ type: 'text', text: 'hi' }), human(null), ai('', call()), output(null)],
      after: [human('42'), human([{ type: 'text', text: 'hi' }]), ai('', call()), output('')],
    },
    {
      name: 'an answer that does nothing but call in the old form',
      before: [human('go'), oldCall(''), human('well?')],
      after: [human('go'), oldCall('{"name":"ls","arguments":"{}"}'), human('well?')],
    },
    {
      name: 'a model that takes such an answer',
      model: 'gpt-5',
      clean: [human('go'), oldCall(''), human('well?')],
    },
  ],
  'part-unreadable': [
    {
      name: 'a part that lost its type, beside a bare text',
      before: [human(['so', { text: 'hi' }])],
      after: [human(['so', { type: 'text', text: 'hi' }])],
    },
    {
      name: 'a call that is none',
      before: [{ type: 'ai', content: 'Let me see.', tool_calls: ['read a'] }],
      after: [
        {
          type: 'ai',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'text', text: 'read a' },
          ],
          tool_calls: [],
        },
      ],
    },
  ],
  'empty-message': [
    {
      name: 'a model that takes an answer without words',
      model: 'gpt-5',
      clean: [hi, ai('')],
    },
    { name: 'nothing said', before: [hi, ai([]), human(''), ai('')], after: [hi] },
  ],
  'blank-text': [
    {
      name: 'a line break beside an answer, and nothing else in a message',
      before: [
        ai([
          { type: 'text', text: '\n' },
          { type: 'text', text: 'Hello' },
        ]),
        human(' '),
      ],
      after: [ai([{ type: 'text', text: 'Hello' }])],
    },
  ],
});

const calls = (): Readonly<Record<string, readonly Told[]>> => ({
  'call-id-malformed': [
    {
      name: 'a call that stands in three places',
      before: [
        {
          type: 'ai',
          content: [piece('')],
          tool_calls: [call({ id: '' })],
          additional_kwargs: { tool_calls: [raw('')] },
        },
        output('A', { tool_call_id: '' }),
      ],
      after: [
        {
          type: 'ai',
          content: '',
          tool_calls: [call({ id: named })],
          additional_kwargs: { tool_calls: [raw(named)] },
        },
        output('A', { tool_call_id: named }),
      ],
    },
  ],
  'content-hollow': [
    {
      name: 'a model that gives its calls there',
      model: 'claude-sonnet-4-5',
      clean: [ai([piece('c1')], call()), output('A')],
    },
    {
      name: 'reasoning of another provider, and tools called without a word',
      model: 'gpt-5',
      before: [ai([thought, piece('c1')], call()), output('A')],
      after: [ai([thought, { type: 'text', text: '' }, piece('c1')], call()), output('A')],
    },
    {
      name: 'tools called without a word',
      before: [ai([piece('c1')], call()), output('A'), ai([], call()), output('A'), ai(null, call()), output('A')],
      after: [ai('', call()), output('A'), ai('', call()), output('A'), ai('', call()), output('A')],
    },
  ],
  'call-unlisted': [
    { name: 'a model that gives its calls there', model: 'claude-sonnet-4-5', clean: [ai([piece('c1')]), output('A')] },
    { name: 'in both places', clean: [ai([{ type: 'text', text: 'So.' }, piece('c1')], call()), output('A')] },
    {
      name: 'a store that kept the content',
      before: [{ type: 'ai', content: [{ type: 'text', text: 'Looking.' }, piece('c1')] }, output('A')],
      after: [{ type: 'ai', content: [{ type: 'text', text: 'Looking.' }], tool_calls: [call()] }, output('A')],
    },
  ],
  'call-name-malformed': [
    {
      name: 'a name with a dot in it',
      before: [ai('', call({ name: 'fs.read' })), output('A')],
      after: [ai('', call({ name: 'fs_read' })), output('A')],
    },
  ],
  'call-input-malformed': [
    {
      name: 'a call in the form of a provider',
      clean: [{ type: 'ai', content: '', additional_kwargs: { tool_calls: [raw('c1')] } }, output('A')],
    },
    {
      name: 'nothing but calls that the framework could not make sense of',
      before: [
        { type: 'ai', content: '', tool_calls: [], invalid_tool_calls: [failed('c1')] },
        output('No.'),
        { type: 'ai', content: [{ type: 'text', text: '\n' }], invalid_tool_calls: [failed('c2')] },
        output('No.', { tool_call_id: 'c2' }),
      ],
      after: [
        { type: 'ai', content: '', tool_calls: [half('c1')], invalid_tool_calls: [] },
        output('No.'),
        { type: 'ai', content: '', invalid_tool_calls: [], tool_calls: [half('c2')] },
        output('No.', { tool_call_id: 'c2' }),
      ],
    },
    {
      name: 'such calls beside words, which the framework leaves out',
      clean: [{ type: 'ai', content: 'Hello', invalid_tool_calls: [failed('c1')] }],
    },
    {
      name: 'arguments that are still a text',
      before: [ai('', call({ args: '{"path":"a"}' })), output('A')],
      after: [ai('', call()), output('A')],
    },
  ],
  'result-without-call': [
    {
      name: 'a call that the framework could not make sense of was answered, beside one that it could',
      before: [
        { type: 'ai', content: '', tool_calls: [call({ id: 'c2' })], invalid_tool_calls: [failed('c1')] },
        output('A', { tool_call_id: 'c2' }),
        output('No.', { status: 'error' }),
      ],
      after: [
        { type: 'ai', content: '', tool_calls: [call({ id: 'c2' }), half('c1')], invalid_tool_calls: [] },
        output('A', { tool_call_id: 'c2' }),
        output('No.', { status: 'error' }),
      ],
    },
    {
      name: 'such a call beside words was answered, and answered again',
      before: [
        { type: 'ai', content: 'Hello', tool_calls: [], invalid_tool_calls: [failed('c2'), failed('c1')] },
        output('No.'),
        output('No.'),
      ],
      after: [
        { type: 'ai', content: 'Hello', tool_calls: [half('c1')], invalid_tool_calls: [failed('c2')] },
        output('No.'),
      ],
    },
  ],
  'result-misnamed': [
    {
      name: 'only the call that the framework could not make sense of was answered',
      before: [
        { type: 'ai', content: '', tool_calls: [call({ id: 'c2' })], invalid_tool_calls: [failed('c1')] },
        output('No.'),
      ],
      after: [
        { type: 'ai', content: '', tool_calls: [call({ id: 'c2' }), half('c1')], invalid_tool_calls: [] },
        output('No.'),
        output(RESULT_TEXTS.unknown, { tool_call_id: 'c2', status: 'error' }),
      ],
    },
  ],
  'call-without-result': [
    {
      name: 'serialised messages',
      before: [
        serialised('AIMessage', { content: '', tool_calls: [call()] }),
        serialised('HumanMessage', { content: 'are you there?' }),
      ],
      after: [
        serialised('AIMessage', { content: '', tool_calls: [call()] }),
        serialised('ToolMessage', {
          content: RESULT_TEXTS.unknown,
          tool_call_id: 'c1',
          name: 'read',
          status: 'error',
          ...fresh,
        }),
        serialised('HumanMessage', { content: 'are you there?' }),
      ],
    },
    {
      name: 'stored messages, with the call only in the content',
      model: 'claude-sonnet-4-5',
      before: [{ type: 'ai', data: { content: [piece('c1')] } }],
      after: [
        { type: 'ai', data: { content: [piece('c1')] } },
        {
          type: 'tool',
          data: { content: RESULT_TEXTS.unknown, tool_call_id: 'c1', name: 'read', status: 'error', ...fresh },
        },
      ],
    },
    {
      name: 'messages with a role',
      before: [{ role: 'assistant', content: '', tool_calls: [call()] }],
      after: [
        { role: 'assistant', content: '', tool_calls: [call()] },
        { role: 'tool', content: RESULT_TEXTS.unknown, tool_call_id: 'c1', name: 'read', status: 'error' },
      ],
    },
    {
      name: 'discard: the call goes from all three places',
      options: { policy: 'discard' },
      before: [
        {
          type: 'ai',
          content: [{ type: 'text', text: 'Looking.' }, piece('c1')],
          tool_calls: [call()],
          additional_kwargs: { tool_calls: [raw('c1')] },
        },
      ],
      after: [{ type: 'ai', content: [{ type: 'text', text: 'Looking.' }], tool_calls: [], additional_kwargs: {} }],
    },
  ],
});

const order = (): Readonly<Record<string, readonly Told[]>> => ({
  'system-not-alone': [
    { name: 'a model that takes several', model: 'gpt-5', clean: [system('Be kind.'), system('Be brief.'), hi] },
    {
      name: 'instructions of two programs',
      before: [system('Be kind.'), system('Be brief.'), hi],
      after: [system('Be kind.\n\nBe brief.'), hi],
    },
  ],
  'system-in-conversation': [
    {
      name: 'a reminder in the middle',
      before: [hi, system('Be brief.'), ai('Hello')],
      after: [hi, human(`${TEXTS.system} Be brief.`), ai('Hello')],
    },
  ],
  'ends-with-system': [
    { name: 'a model that takes it', model: 'gpt-5', clean: { messages: [system('Say hello.')] } },
    {
      name: 'nothing but instructions',
      before: { messages: [system('Say hello.')] },
      after: { messages: [system('Say hello.'), human(TEXTS.proceed)] },
    },
  ],
  'reasoning-last': [
    {
      name: 'stopped between the reasoning and the answer',
      before: [hi, ai([{ type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' }])],
      after: [hi, ai(`${TEXTS.reasoning}\nA greeting.`)],
    },
  ],
  'ends-with-assistant': [
    {
      name: 'resumed in the middle of an answer',
      before: { messages: [hi, ai('Hello, I')] },
      after: { messages: [hi, ai('Hello, I'), human(TEXTS.proceed)] },
    },
  ],
});

/** The examples of a rule in LangChain messages. */
export function chainExamples(rule: string): Example[] {
  const told = [strangers(), calls(), order()].flatMap((group) => group[rule] ?? []);
  return told.map((each) => ({ ...each, dialect: 'langchain' }));
}
