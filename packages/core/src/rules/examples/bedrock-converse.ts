import { fingerprint } from '../../model/call-id.ts';
import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';

const dialect = 'bedrock-converse';
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const LLAMA = 'us.meta.llama4-maverick-17b-instruct-v1:0';
const FOREIGN = 'functions.read:0';

const said = (text: string): object => ({ text });
const user = (...content: unknown[]): object => ({ role: 'user', content });
const answer = (...content: unknown[]): object => ({ role: 'assistant', content });
const call = (id = 'tooluse_1', input: unknown = {}, name = 'read'): object => ({
  toolUse: { toolUseId: id, name, input },
});
const result = (id = 'tooluse_1', text = 'A', more: object = {}): object => ({
  toolResult: { toolUseId: id, content: [{ text }], ...more },
});
const failed = (id = 'tooluse_1'): object => result(id, RESULT_TEXTS.unknown, { status: 'error' });
const thought = (text: string): object => ({ reasoningContent: { reasoningText: { text, signature: 'c2ln' } } });
const point = { cachePoint: { type: 'default' } };
const exchange = (asked: object, ...answered: object[]): unknown[] => [
  user(said('read a')),
  answer(asked),
  user(...answered),
];
const TOOLS = { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object' } } } }] };

type Shown = { [K in keyof Example]?: Example[K] } & {
  readonly clean?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly lifted?: unknown;
};

const show = (name: string, shown: Shown): Example => ({ name, dialect, ...shown }) as Example;

/** One history, or a few, for every rule that this dialect shares with others. */
const EXAMPLES: Readonly<Record<string, () => readonly Example[]>> = {
  'value-unserialisable': () => [
    show('a big integer among the arguments', {
      before: exchange(call('tooluse_1', { to: 10n }), result()),
      after: exchange(call('tooluse_1', { to: '10' }), result()),
    }),
  ],
  'message-unreadable': () => [
    show('a note without a role', {
      before: [user(said('hi')), answer(said('Hello')), { note: 'the build is red' }],
      after: [user(said('hi')), answer(said('Hello')), user(said(`${TEXTS.unreadable} {"note":"the build is red"}`))],
    }),
  ],
  'role-foreign': () => [
    show('a result in a message of its own', {
      before: [user(said('read a')), answer(call()), { role: 'tool', tool_call_id: 'tooluse_1', content: 'A' }],
      after: exchange(call(), result()),
    }),
  ],
  'content-unreadable': () => [
    show('content that is a text', { before: [{ role: 'user', content: 'hi' }], after: [user(said('hi'))] }),
  ],
  'part-unreadable': () => [
    show('a bare text, and a part of another provider', {
      before: [user('hi', { type: 'hologram', beam: 'blue' })],
      after: [user(said('hi'), said(`${TEXTS.unreadable} {"type":"hologram","beam":"blue"}`))],
    }),
    show('a part of a kind we do not know is carried as it is', { clean: [user({ hologram: { beam: 'blue' } })] }),
  ],
  'part-in-wrong-role': () => [
    show('a call and its result stored as one message', {
      before: [user(said('read a')), answer(call(), result())],
      after: exchange(call(), result()),
    }),
    show('a tool that the service runs itself', {
      model: 'us.amazon.nova-2-lite-v1:0',
      clean: [
        user(said('add')),
        answer(
          { toolUse: { toolUseId: 't1', name: 'nova_code_interpreter', input: {}, type: 'server_tool_use' } },
          { toolResult: { toolUseId: 't1', content: [{ json: { out: 2 } }], type: 'nova_code_interpreter_result' } },
          said('Two.'),
        ),
      ],
    }),
  ],
  'lone-surrogate': () => [
    show('a text cut inside an emoji', { before: [user(said('ok \ud83d'))], after: [user(said('ok \ufffd'))] }),
  ],
  'system-empty': () => [
    show('nothing in it', { before: [user(said('hi')), { role: 'system', content: [] }], after: [user(said('hi'))] }),
  ],
  'empty-message': () => [show('an empty answer', { before: [user(said('hi')), answer()], after: [user(said('hi'))] })],
  'blank-text': () => [
    show('an empty text beside a call', {
      before: [user(said('read a')), answer(said(''), call()), user(result())],
      after: exchange(call(), result()),
    }),
    show('white space to a model that minds', {
      model: LLAMA,
      before: [user(said('hi'), said('\n'))],
      after: [user(said('hi'))],
    }),
    show('white space to one that does not', { model: CLAUDE, clean: [user(said('hi'), said('\n'))] }),
    show('an empty text for the guard', {
      before: [user(said('hi'), { guardContent: { text: { text: '' } } })],
      after: [user(said('hi'))],
    }),
  ],
  'reasoning-unsigned': () => [
    show('stopped before the signature', {
      before: [
        user(said('hi')),
        answer({ reasoningContent: { reasoningText: { text: 'A greet' } } }),
        user(said('well?')),
      ],
      after: [user(said('hi')), answer(said(`${TEXTS.reasoning}\nA greet`)), user(said('well?'))],
    }),
    show('a family that signs nothing', {
      model: 'us.deepseek.r1-v1:0',
      clean: [user(said('hi')), answer({ reasoningContent: { reasoningText: { text: 'A greeting' } } })],
    }),
  ],
  'call-id-malformed': () => [
    show('an id in the style of another provider', {
      before: exchange(call(FOREIGN), result(FOREIGN)),
      after: exchange(
        call(`functions_read_0_${fingerprint(FOREIGN)}`),
        result(`functions_read_0_${fingerprint(FOREIGN)}`),
      ),
    }),
    show('a family that takes nine characters', {
      model: 'mistral.mistral-large-3-675b-instruct',
      before: exchange(call('tooluse_1'), result('tooluse_1')),
      after: exchange(call(fingerprint('tooluse_1').slice(-9)), result(fingerprint('tooluse_1').slice(-9))),
    }),
    show('a family that takes any id', { model: 'moonshot.kimi-k2', clean: exchange(call(FOREIGN), result(FOREIGN)) }),
  ],
  'call-name-malformed': () => [
    show('a name with a dot', {
      before: exchange(call('tooluse_1', {}, 'fs.read'), result()),
      after: exchange(call('tooluse_1', {}, 'fs_read'), result()),
    }),
  ],
  'call-input-malformed': () => [
    show('stopped inside the arguments', {
      before: exchange(call('tooluse_1', '{"path":'), result()),
      after: exchange(call('tooluse_1', { INVALID_JSON: '{"path":' }), result()),
    }),
    show('arguments without a name', {
      before: exchange(call('tooluse_1', { '': 1, _: [{ '': 'a' }] }), result()),
      after: exchange(call('tooluse_1', { __: 1, _: [{ _: 'a' }] }), result()),
    }),
  ],
  'result-content-refused': () => [
    show('a text that is not in a list', {
      before: exchange(call(), { toolResult: { toolUseId: 'tooluse_1', content: 'A' } }),
      after: exchange(call(), result()),
    }),
    show('an error that says nothing', {
      before: exchange(call(), { toolResult: { toolUseId: 'tooluse_1', content: [], status: 'error' } }),
      after: exchange(call(), result('tooluse_1', TEXTS.separator, { status: 'error' })),
    }),
    show('an error that says an empty text', {
      before: exchange(call(), { toolResult: { toolUseId: 'tooluse_1', content: [{ text: '' }], status: 'error' } }),
      after: exchange(call(), result('tooluse_1', TEXTS.separator, { status: 'error' })),
    }),
    show('blank texts, a call, and no list', {
      model: LLAMA,
      before: exchange(call(), {
        toolResult: { toolUseId: 'tooluse_1', content: [{ text: ' ' }, { json: { a: 1 } }, call('t'), null, {}] },
      }),
      after: exchange(call(), {
        toolResult: {
          toolUseId: 'tooluse_1',
          content: [{ json: { a: 1 } }, { text: '{"toolUse":{"toolUseId":"t","name":"read","input":{}}}' }],
        },
      }),
    }),
    show('a picture of what failed', {
      model: CLAUDE,
      before: exchange(call(), {
        toolResult: {
          toolUseId: 'tooluse_1',
          content: [{ text: 'no' }, { image: { format: 'png' } }],
          status: 'error',
        },
      }),
      after: exchange(call(), result('tooluse_1', 'no', { status: 'error' }), { image: { format: 'png' } }),
    }),
  ],
  'duplicate-call-id': () => [
    show('a model that counts its calls from zero', {
      before: [user(said('read')), answer(call('c0'), call('c0')), user(result('c0', 'A'), result('c0', 'B'))],
      after: [user(said('read')), answer(call('c0'), call('c0_2')), user(result('c0', 'A'), result('c0_2', 'B'))],
    }),
  ],
  'content-after-call': () => [
    show('text after a call', {
      before: [user(said('read a')), answer(call(), said('Done soon.')), user(result())],
      after: [user(said('read a')), answer(said('Done soon.'), call()), user(result())],
    }),
    show('a family that takes it', {
      model: LLAMA,
      clean: [user(said('read a')), answer(call(), said('Done soon.')), user(result())],
    }),
  ],
  'late-result': () => [
    show('the tool answered after all', {
      model: CLAUDE,
      before: [user(said('read a')), answer(call()), user(failed()), answer(said('Hm.')), user(result())],
      after: [user(said('read a')), answer(call()), user(result()), answer(said('Hm.'))],
    }),
  ],
  'duplicate-result': () => [
    show('a result stored twice', {
      before: exchange(call(), result(), result()),
      after: exchange(call(), result()),
    }),
  ],
  'result-misnamed': () => [
    show('ids rewritten on one side', {
      before: exchange(call(), result('call_1')),
      after: exchange(call(), result()),
    }),
  ],
  'result-without-call': () => [
    show('front of the history cut away', {
      before: [user(result('tooluse_9')), answer(said('One file.'))],
      after: [user(said(`${TEXTS.orphan} A`)), answer(said('One file.'))],
    }),
  ],
  'result-displaced': () => [
    show('text before the result', {
      model: CLAUDE,
      before: exchange(call(), said('quickly'), result()),
      after: exchange(call(), result(), said('quickly')),
    }),
  ],
  'call-without-result': () => [
    show('killed between call and result, then the user wrote again', {
      before: exchange(call(), said('well?')),
      after: [...exchange(call(), failed()), answer(said(TEXTS.separator)), user(said('well?'))],
    }),
    show('killed before the result', { before: exchange(call()).slice(0, 2), after: exchange(call(), failed()) }),
  ],
  'reasoning-not-first': () => [
    show('reasoning after an answer', {
      model: 'us.anthropic.claude-3-7-sonnet-20250219-v1:0',
      before: [user(said('hi')), answer(said('Well.'), thought('A greeting.'), said('Hello'))],
      after: [user(said('hi')), answer(thought('A greeting.'), said('Well.'), said('Hello'))],
    }),
  ],
  'reasoning-last': () => [
    show('stopped after the reasoning', {
      before: [user(said('hi')), answer(thought('A greeting.'))],
      after: [user(said('hi')), answer(said(`${TEXTS.reasoning}\nA greeting.`))],
    }),
  ],
  'reasoning-after-edit': () => [
    show('a call before the reasoning had to be closed', {
      before: [
        user(said('read a')),
        answer(call()),
        user(said('well?')),
        answer(thought('No result.'), said('Sorry.')),
      ],
      after: [
        ...exchange(call(), failed()),
        answer(said(TEXTS.separator)),
        user(said('well?')),
        answer(said('Sorry.')),
      ],
    }),
  ],
  'reasoning-missing': () => [
    show('reasoning stripped in the middle of a step', {
      before: {
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 }, top_k: 5 },
        toolConfig: TOOLS,
        messages: exchange(call(), result()),
      },
      after: {
        additionalModelRequestFields: { thinking: { type: 'disabled' }, top_k: 5 },
        toolConfig: TOOLS,
        messages: exchange(call(), result()),
      },
    }),
  ],
  'system-first': () => [
    show('a history in the shape of another provider', {
      before: {
        system: [said('Be kind.')],
        messages: [{ role: 'system', content: [said('Be brief.')] }, user(said('hi'))],
      },
      after: { system: [said('Be kind.'), said('Be brief.')], messages: [user(said('hi'))] },
    }),
    show('a bare list has no place for it', {
      before: [{ role: 'system', content: [said('Be brief.')] }, user(said('hi'))],
      after: [user(said('hi'))],
      lifted: [{ role: 'system', content: [said('Be brief.')] }],
    }),
  ],
  'system-in-conversation': () => [
    show('a reminder', {
      before: [user(said('hi')), answer(said('Hello')), { role: 'system', content: [said('Be brief.')] }],
      after: [user(said('hi')), answer(said('Hello')), user(said(`${TEXTS.system} Be brief.`))],
    }),
  ],
  'first-message-not-user': () => [
    show('the agent greets first', {
      before: [answer(said('Hello!')), user(said('hi'))],
      after: [user(said(TEXTS.resumed)), answer(said('Hello!')), user(said('hi'))],
    }),
    show('a family that takes it', { model: CLAUDE, clean: [answer(said('Hello!')), user(said('hi'))] }),
  ],
  'same-role-run': () => [
    show('the user wrote twice', {
      before: [user(said('one')), user(said('two'))],
      after: [user(said('one'), said('two'))],
    }),
    show('discard: the user wrote twice', {
      options: { policy: 'discard' },
      before: [user(said('one')), user(said('two')), user(said('three')), answer(said('Three.'))],
      after: [user(said('three')), answer(said('Three.'))],
    }),
  ],
  'trailing-request': () => [
    show('stopped before the answer, about to write again', {
      options: { policy: 'discard', next: 'user' },
      before: [user(said('one')), answer(said('One.')), user(said('two'))],
      after: [user(said('one')), answer(said('One.'))],
    }),
  ],
  'trailing-whitespace': () => [
    show('stopped after a line break', {
      model: CLAUDE,
      before: { messages: [user(said('hi')), answer(said('Hello, \n'))] },
      after: { messages: [user(said('hi')), answer(said('Hello,'))] },
    }),
  ],
  'ends-with-assistant': () => [
    show('resumed in the middle of an answer', {
      before: { messages: [user(said('hi')), answer(said('Hello, I'))] },
      after: { messages: [user(said('hi')), answer(said('Hello, I')), user(said(TEXTS.proceed))] },
    }),
  ],
  'no-messages': () => [
    show('an empty request', { before: { messages: [] }, after: { messages: [user(said(TEXTS.resumed))] } }),
  ],
  'tools-undeclared': () => [
    show('a history sent to be summarised', {
      model: CLAUDE,
      before: { messages: exchange(call(), result(), said('Summarise.')) },
      after: { messages: exchange(call(), result(), said('Summarise.')), toolConfig: TOOLS },
    }),
  ],
  'too-many-cache-markers': () => [
    show('a place to cache behind each part', {
      before: [user(said('a'), point, said('b'), point, said('c'), point, said('d'), point, said('e'), point)],
      after: [user(said('a'), said('b'), point, said('c'), point, said('d'), point, said('e'), point)],
    }),
    show('too many around the list', {
      before: {
        toolConfig: { tools: [...TOOLS.tools, point, point, point] },
        system: [said('Be brief.'), point, point],
        messages: [user(said('hi'), point)],
      },
      after: {
        toolConfig: { tools: [...TOOLS.tools, point, point] },
        system: [said('Be brief.'), point, point],
        messages: [user(said('hi'))],
      },
    }),
  ],
};

/** The examples of one rule. */
export function converseExamples(rule: string): readonly Example[] {
  const made = EXAMPLES[rule] as () => readonly Example[];
  return made();
}
