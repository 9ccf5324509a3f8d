import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';

const dialect = 'openai-chat';
const GROQ = 'groq/llama-3.3-70b-versatile';
const GEMMA = 'gemma-2-9b-it';
const LLAMA = 'llama-2-13b-chat';

const user = (content: unknown): object => ({ role: 'user', content });
const answer = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, ...more });
const system = (content: unknown): object => ({ role: 'system', content });
const call = (input: unknown = '{}'): object => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'ls', arguments: input },
});
const output = { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' };
const texts = (...said: string[]): object[] => said.map((text) => ({ type: 'text', text }));
const TOOLS = [{ type: 'function', function: { name: 'ls' } }];

type Shown = { [K in keyof Example]?: Example[K] } & {
  readonly clean?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
};

const show = (name: string, shown: Shown): Example => ({ name, dialect, ...shown }) as Example;

/** Histories for those who serve other models in the chat dialect, and for local templates. */
const EXAMPLES: Readonly<Record<string, () => readonly Example[]>> = {
  'extra-key': () => [
    show('a provider that carries every key', { clean: [user('hi'), answer('Hello', { reasoning_content: 'Hm.' })] }),
    show('one that refuses those it does not know', {
      model: GROQ,
      before: [
        user('list'),
        answer('Sure.', { reasoning_content: null, tool_calls: [call()] }),
        { ...output, index: 0 },
        { role: 'developer', content: 'Be brief.', id: 'm1' },
      ],
      after: [
        user('list'),
        answer('Sure.', { tool_calls: [call()] }),
        output,
        { role: 'developer', content: 'Be brief.' },
      ],
    }),
  ],
  'part-refused': () => [
    show('what was said beside the content', { clean: [user('who?'), answer(null, { refusal: 'I cannot say.' })] }),
    show('what was said beside the content, to one who refuses keys that it does not know', {
      model: GROQ,
      before: [user('who?'), answer(null, { refusal: 'I cannot say.' }), answer('Hm.', { audio: { id: 'audio_1' } })],
      after: [user('who?'), answer('I cannot say.'), answer('Hm.\n[audio] {"id":"audio_1"}')],
    }),
  ],
  'content-not-text': () => [
    show('a list from the user', { model: GROQ, clean: [user(texts('one', 'two'))] }),
    show('lists from everybody else', {
      model: GROQ,
      before: [
        system(texts('Be kind.', 'Be brief.')),
        user('list'),
        answer([...texts('Sure.'), { type: 'refusal', refusal: 'No.' }], { tool_calls: [call()] }),
        { ...output, content: [...texts('a.txt'), { type: 'hologram' }] },
      ],
      after: [
        system('Be kind.\nBe brief.'),
        user('list'),
        answer('Sure.\nNo.', { tool_calls: [call()] }),
        { ...output, content: 'a.txt\n{"type":"hologram"}' },
      ],
    }),
  ],
  'empty-message': () => [
    show('an empty text to a provider that refuses it', {
      model: 'kimi-k2-0905-preview',
      before: [user('hi'), answer(''), user('well?')],
      after: [user('hi'), user('well?')],
    }),
  ],
  'null-content': () => [
    show('calls without content to a provider that wants some', {
      model: 'grok-4',
      before: [user('list'), answer(null, { tool_calls: [call()] }), output],
      after: [user('list'), answer('', { tool_calls: [call()] }), output],
    }),
    show('reasoning and no word to a provider that wants one', {
      model: 'moonshot-v1-8k',
      before: [user('why?'), answer('', { reasoning_content: 'Let me think.' })],
      after: [user('why?'), answer(TEXTS.separator, { reasoning_content: 'Let me think.' })],
    }),
  ],
  'reasoning-field-missing': () => [
    show('thinking is switched off, or there are no tools', {
      model: 'deepseek-v4',
      clean: { tools: TOOLS, thinking: { type: 'disabled' }, messages: [user('hi'), answer('Hello'), user('list')] },
    }),
    show('no tools are declared', {
      model: 'deepseek-v4',
      clean: { messages: [user('hi'), answer('Hello'), user('why?')] },
    }),
    show('an answer of another model', {
      model: 'deepseek-v4',
      before: { tools: TOOLS, messages: [user('hi'), answer('Hello'), user('list')] },
      after: { tools: TOOLS, messages: [user('hi'), answer('Hello', { reasoning_content: '' }), user('list')] },
    }),
  ],
  'reasoning-field-refused': () => [
    show('an answer with its reasoning', {
      model: 'deepseek-r1',
      before: [user('hi'), answer('Hello', { reasoning_content: 'A greeting.' })],
      after: [user('hi'), answer(texts(`${TEXTS.thought}\nA greeting.`, 'Hello'))],
    }),
    show('reasoning and no word', {
      model: 'deepseek-r1',
      before: [user('hi'), answer(null, { reasoning_content: 'A greeting.' })],
      after: [user('hi'), answer(`${TEXTS.thought}\nA greeting.`)],
    }),
    show('a field in which nothing is said', {
      model: 'deepseek-r1',
      before: [user('hi'), answer('Hello', { reasoning_content: '' })],
      after: [user('hi'), answer('Hello')],
    }),
    show('a provider that has another name for it', {
      model: GROQ,
      before: [user('list'), answer('Sure.', { reasoning_content: 'A list.', tool_calls: [call()] }), output],
      after: [user('list'), answer('Sure.', { tool_calls: [call()], reasoning: 'A list.' }), output],
    }),
    show('reasoning alone, to a provider that has another name for it', {
      model: GROQ,
      before: [user('why?'), answer(null, { reasoning_content: 'Let me think.' })],
      after: [user('why?'), answer('', { reasoning: 'Let me think.' })],
    }),
    show('reasoning under both names', {
      model: GROQ,
      before: [
        user('hi'),
        answer('Hello', { reasoning_content: 'A greeting.', reasoning: 'A greeting.' }),
        user('hi?'),
        answer('Hello', { reasoning_content: 'Again.', reasoning: 'A greeting.' }),
      ],
      after: [
        user('hi'),
        answer('Hello', { reasoning: 'A greeting.' }),
        user('hi?'),
        answer(`${TEXTS.thought}\nAgain.\nHello`, { reasoning: 'A greeting.' }),
      ],
    }),
    show('an answer alone', { model: 'deepseek-r1', clean: [user('hi'), answer('Hello')] }),
  ],
  'same-role-run': () => [
    show('a model that takes no successive messages of one role', {
      model: 'deepseek-r1',
      before: [user('one'), user('two')],
      after: [user(texts('one', 'two'))],
    }),
    show('the system between them', { model: 'deepseek-r1', clean: [user('one'), system('Be brief.'), user('two')] }),
    show('a template that takes one text', {
      model: GEMMA,
      before: [user('one'), user('two'), answer('Both.')],
      after: [user('one\n\ntwo'), answer('Both.')],
    }),
    show('texts and a picture', {
      model: GEMMA,
      before: [user('one'), user([{ type: 'image_url', image_url: { url: 'data:,' } }])],
      after: [user([...texts('one'), { type: 'image_url', image_url: { url: 'data:,' } }])],
    }),
    show('discard: what a tool returned is no request, also where it had to become text', {
      model: GEMMA,
      options: { policy: 'discard' },
      before: [user('list'), answer('Sure.', { tool_calls: [call({ all: true })] }), output, user('a'), user('b')],
      after: [user('list'), answer('Sure.\n[ls {"all":true}]'), user(`${TEXTS.orphan} a.txt\n\nb`)],
    }),
  ],
  'first-message-not-user': () => [
    show('a template that begins with the user', {
      model: LLAMA,
      before: [system('Be brief.'), answer('Hello!'), user('hi')],
      after: [system('Be brief.'), user(TEXTS.resumed), answer('Hello!'), user('hi')],
    }),
  ],
  'tools-unsupported': () => [
    show('a template without tools', {
      model: GEMMA,
      before: [user('list'), answer('Sure.', { tool_calls: [call({ all: true })] }), output, answer('One file.')],
      after: [user('list'), answer('Sure.\n[ls {"all":true}]'), user(`${TEXTS.orphan} a.txt`), answer('One file.')],
    }),
    show('a call without arguments', {
      model: GEMMA,
      before: [
        user('list'),
        answer(null, { tool_calls: [call()] }),
        output,
        answer(null, { tool_calls: [{ id: 'c' }] }),
      ],
      after: [
        user('list'),
        answer('[ls {}]'),
        user(`${TEXTS.orphan} a.txt`),
        answer('[ {}]'),
        user(`${TEXTS.orphan} ${RESULT_TEXTS.unknown}`),
      ],
    }),
  ],
  'system-role-refused': () => [
    show('a template without a place for the system', {
      model: 'google/gemma-2-9b-it',
      before: [system('Be brief.'), user('hi')],
      after: [user('Be brief.\n\nhi')],
    }),
  ],
  'system-not-alone': () => [
    show('one is fine', { model: 'qwen3.5-27b', clean: [system('Be kind.'), user('hi')] }),
    show('three at the start', {
      model: 'qwen3.5-27b',
      before: [system('Be kind.'), { role: 'developer', content: 'Be brief.' }, system(texts('Be quick.')), user('hi')],
      after: [system('Be kind.\n\nBe brief.\n\nBe quick.'), user('hi')],
    }),
    show('pieces that are no texts', {
      model: 'qwen3.5-27b',
      before: [system('Be kind.'), system([{ type: 'hologram' }])],
      after: [system('Be kind.\n\n{"type":"hologram"}')],
    }),
  ],
  'system-in-conversation': () => [
    show('a template that takes it at the beginning', {
      model: 'qwen3.6',
      before: [system('Be kind.'), user('hi'), system('Be brief.'), answer('Hi.')],
      after: [system('Be kind.'), user('hi'), user(`${TEXTS.system} Be brief.`), answer('Hi.')],
    }),
  ],
  'call-input-malformed': () => [
    show('a template that walks through the arguments', {
      model: 'template/qwen3-coder',
      before: [user('list'), answer(null, { tool_calls: [call('{"all":true}')] }), output],
      after: [user('list'), answer(null, { tool_calls: [call({ all: true })] }), output],
    }),
    show('arguments that are an object already', {
      model: 'template/qwen3-coder',
      clean: [user('list'), answer(null, { tool_calls: [call({ all: true })] }), output],
    }),
  ],
  'ends-with-assistant': () => [
    show('a server that would continue the answer, or refuse to', {
      model: 'llama.cpp/qwen3',
      before: { messages: [user('hi'), answer('Hello'), answer('I')] },
      after: { messages: [user('hi'), answer('Hello'), answer('I'), user(TEXTS.proceed)] },
    }),
    show('one answer at the end, which a template that thinks cannot continue', {
      model: 'llama.cpp/qwen3',
      before: { messages: [user('hi'), answer('Hello')] },
      after: { messages: [user('hi'), answer('Hello'), user(TEXTS.proceed)] },
    }),
  ],
};

/** The examples of one rule. */
export function chatHostExamples(rule: string): readonly Example[] {
  const made = EXAMPLES[rule] as () => readonly Example[];
  return made();
}
