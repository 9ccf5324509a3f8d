import { fingerprint } from '../../model/call-id.ts';
import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';

const dialect = 'mistral-chat';
const ID = 'aB3dE6gH9';
const OTHER = 'bB3dE6gH9';
const FOREIGN = 'call_1';
const RENAMED = fingerprint(FOREIGN).slice(-9);

const user = (content: unknown): object => ({ role: 'user', content });
const answer = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, ...more });
const call = (id = ID, input: unknown = '{}', name = 'read'): object => ({
  id,
  type: 'function',
  function: { name, arguments: input },
});
const calls = (...tool_calls: unknown[]): object => answer('', { tool_calls });
const result = (id: unknown = ID, content: unknown = 'A', more: object = {}): object => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...more,
});
const exchange = (asked: unknown, ...answered: object[]): unknown[] => [user('read a'), calls(asked), ...answered];
const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'A greeting.' }] };
const image = { type: 'image_url', image_url: 'https://example.com/1.png' };

type Shown = { [K in keyof Example]?: Example[K] } & {
  readonly clean?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
};

const show = (name: string, shown: Shown): Example => ({ name, dialect, ...shown }) as Example;

/** One history, or a few, for every rule that this dialect shares with others. */
const EXAMPLES: Readonly<Record<string, () => readonly Example[]>> = {
  'value-unserialisable': () => [
    show('a big integer in a part', {
      before: [user([{ type: 'file', file_id: 10n }])],
      after: [user([{ type: 'file', file_id: '10' }])],
    }),
  ],
  'message-unreadable': () => [
    show('a note without a role', {
      before: [user('hi'), { note: 'the build is red' }],
      after: [user('hi'), user(`${TEXTS.unreadable} {"note":"the build is red"}`)],
    }),
  ],
  'role-foreign': () => [
    show('instructions under the name of another provider', {
      before: [{ role: 'developer', content: 'Be brief.' }, user('hi')],
      after: [{ role: 'system', content: 'Be brief.' }, user('hi')],
    }),
    show('a list of parts in a role nobody knows', {
      before: [{ role: 'model', content: [{ type: 'text', text: 'Hello' }] }, user('hi')],
      after: [answer([{ type: 'text', text: 'Hello' }]), user('hi')],
    }),
  ],
  'content-unreadable': () => [
    show('content that is an object', { before: [user({ text: 'hi' })], after: [user('hi')] }),
    show('a result that is a number, and one with a bare text in it', {
      before: [...exchange(call(), result(ID, 7)), answer('Seven.'), calls(call()), result(ID, ['A'])],
      after: [
        ...exchange(call(), result(ID, '7')),
        answer('Seven.'),
        calls(call()),
        result(ID, [{ type: 'text', text: 'A' }]),
      ],
    }),
  ],
  'part-unreadable': () => [
    show('a part that lost its type', {
      before: [user([{ text: 'hi' }])],
      after: [user([{ type: 'text', text: 'hi' }])],
    }),
  ],
  'lone-surrogate': () => [
    show('a text cut inside an emoji', { before: [user('ok \ud83d')], after: [user('ok \ufffd')] }),
  ],
  'calls-empty': () => [
    show('an empty list of calls is fine', { clean: [user('hi'), answer('Hello', { tool_calls: [] })] }),
    show('a call that was stored without the list around it', {
      before: [user('hi'), answer('Well.', { tool_calls: 'ls' })],
      after: [
        user('hi'),
        answer([
          { type: 'text', text: 'Well.' },
          { type: 'text', text: `${TEXTS.unreadable} ls` },
        ]),
      ],
    }),
  ],
  'empty-message': () => [
    show('an answer of nothing', { before: [user('hi'), answer('')], after: [user('hi')] }),
    show('a question of nothing', { before: [user('hi'), user(null), user([])], after: [user('hi')] }),
    show('calls need no content', { clean: [user('read a'), answer([], { tool_calls: [call()] }), result()] }),
  ],
  'null-content': () => [
    show('a tool that returned nothing', {
      before: [...exchange(call(), result(ID, null)), calls(call(OTHER)), result(OTHER, [])],
      after: [...exchange(call(), result(ID, '')), calls(call(OTHER)), result(OTHER, '')],
    }),
  ],
  'part-refused': () => [
    show('a tool that returned a picture', {
      before: exchange(call(), result(ID, [{ type: 'text', text: 'Screen' }, image])),
      after: [
        ...exchange(call(), result(ID, [{ type: 'text', text: 'Screen' }])),
        answer(TEXTS.separator),
        user([{ type: 'text', text: TEXTS.orphan }, image]),
      ],
    }),
    show('a refusal in the words of another provider, and nothing else', {
      before: [user('hi'), answer(null, { refusal: 'No.' })],
      after: [user('hi'), answer('No.')],
    }),
    show('a call in the form that came before the present one', {
      before: [user('hi'), answer(null, { function_call: { name: 'ls', arguments: '{}' } }), user('well?')],
      after: [user('hi'), answer('[function_call] {"name":"ls","arguments":"{}"}'), user('well?')],
    }),
    show('a model that takes its reasoning back', {
      model: 'magistral-medium-latest',
      clean: [user('hi'), answer([thought, { type: 'text', text: 'Hello' }])],
    }),
    show('one that does not', {
      before: [user('hi'), answer([thought, { type: 'thinking' }, { type: 'text', text: 'Hello' }])],
      after: [
        user('hi'),
        answer([
          { type: 'text', text: `${TEXTS.thought}\nA greeting.` },
          { type: 'text', text: 'Hello' },
        ]),
      ],
    }),
    show('a thought that was cut off, to one that does not', {
      before: [user('hi'), answer([{ ...thought, closed: false }])],
      after: [user('hi'), answer([{ type: 'text', text: `${TEXTS.reasoning}\nA greeting.` }])],
    }),
  ],
  'call-id-malformed': () => [
    show('an id that is not nine characters long', {
      before: exchange(call(FOREIGN), result(FOREIGN)),
      after: exchange(call(RENAMED), result(RENAMED)),
    }),
    show('a model that takes any id', {
      model: 'mistral-small-2603',
      clean: exchange(call(FOREIGN), result(FOREIGN)),
    }),
  ],
  'call-name-malformed': () => [
    show('a name with a dot', {
      before: exchange(call(ID, '{}', 'fs.read'), result()),
      after: exchange(call(ID, '{}', 'fs_read'), result()),
    }),
  ],
  'call-input-malformed': () => [
    show('arguments that are an object', { clean: exchange(call(ID, { path: 'a' }), result()) }),
    show('arguments that are a list', {
      before: exchange(call(ID, ['a']), result()),
      after: exchange(call(ID, '["a"]'), result()),
    }),
    show('a call in the form of another provider', {
      before: exchange({ id: ID, type: 'custom', custom: { name: 'read', input: 'a' } }, result()),
      after: exchange({ id: ID, type: 'function', function: { name: 'read', arguments: 'a' } }, result()),
    }),
  ],
  'duplicate-call-id': () => [
    show('one id for two calls', {
      before: [user('read'), calls(call(), call()), result(ID, 'A'), result(ID, 'B')],
      after: [
        user('read'),
        calls(call(), call(fingerprint(`${ID}_2#1`).slice(-9))),
        result(ID, 'A'),
        result(fingerprint(`${ID}_2#1`).slice(-9), 'B'),
      ],
    }),
  ],
  'late-result': () => [
    show('the tool answered after all', {
      before: [...exchange(call(), result(ID, RESULT_TEXTS.unknown)), answer('Hm.'), result()],
      after: [...exchange(call(), result()), answer('Hm.')],
    }),
  ],
  'duplicate-result': () => [
    show('a result stored twice', { before: exchange(call(), result(), result()), after: exchange(call(), result()) }),
    show('a result stored again after the answer', {
      before: [...exchange(call(), result()), answer('Read.'), result()],
      after: [...exchange(call(), result()), answer('Read.')],
    }),
  ],
  'result-misnamed': () => [
    show('ids rewritten on one side', {
      before: exchange(call(), result(OTHER)),
      after: exchange(call(), result()),
    }),
  ],
  'result-without-call': () => [
    show('front of the history cut away', {
      before: [result(), answer('One file.')],
      after: [user(`${TEXTS.orphan} A`), answer('One file.')],
    }),
    show('a result without an id', {
      before: [user('hi'), answer('Hello'), { role: 'tool', content: 'A' }],
      after: [user('hi'), answer('Hello'), user(`${TEXTS.orphan} A`)],
    }),
  ],
  'result-displaced': () => [
    show('the user wrote while the tool was running', {
      before: [user('build it'), calls(call()), user('how long?'), result()],
      after: [user('build it'), calls(call()), result(), answer(TEXTS.separator), user('how long?')],
    }),
  ],
  'call-without-result': () => [
    show('killed between call and result', {
      before: exchange(call()),
      after: exchange(call(), result(ID, RESULT_TEXTS.unknown)),
    }),
  ],
  'trailing-request': () => [
    show('stopped before the answer, about to write again', {
      options: { policy: 'discard', next: 'user' },
      before: [user('one'), answer('One.'), user('two')],
      after: [user('one'), answer('One.')],
    }),
  ],
  'ends-with-assistant': () => [
    show('an answer to be continued', { clean: { messages: [user('hi'), answer('Hello, I', { prefix: true })] } }),
    show('resumed in the middle of an answer', {
      before: { messages: [user('hi'), answer('Hello, I')] },
      after: { messages: [user('hi'), answer('Hello, I'), user(TEXTS.proceed)] },
    }),
    show('an answer to be continued and nothing before it', {
      before: { messages: [answer('Hello', { prefix: true })] },
      after: { messages: [answer('Hello', { prefix: false }), user(TEXTS.proceed)] },
    }),
  ],
  'no-messages': () => [
    show('an empty request', { before: { messages: [] }, after: { messages: [user(TEXTS.resumed)] } }),
  ],
};

/** The examples of one rule. */
export function mistralExamples(rule: string): readonly Example[] {
  const made = EXAMPLES[rule] as () => readonly Example[];
  return made();
}
