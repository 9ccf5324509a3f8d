import { isObject, listAt, textAt, type JsonObject } from '../../src/json.ts';

/** Messages of a request or of a session, as plain values. */
export type List = readonly unknown[];

/** A way in which a request may differ from the session that it was made of, and why. */
export type Difference = {
  readonly reason: string;
  /** Whether it is taken out of the request, or out of the session. */
  readonly in: 'request' | 'session';
  readonly without: (list: List) => List;
};

const keepBlocks = (list: List, keep: (block: JsonObject) => boolean): List =>
  list.flatMap((message) => {
    if (!isObject(message)) return [message];
    const key = Array.isArray(message['content']) ? 'content' : Array.isArray(message['parts']) ? 'parts' : undefined;
    if (key === undefined) return [message];
    const blocks = listAt(message, key);
    const kept = blocks.filter((block) => !isObject(block) || keep(block));
    if (kept.length === blocks.length) return [message];
    return kept.length === 0 ? [] : [{ ...message, [key]: kept }];
  });

const drop =
  (isOut: (message: JsonObject) => boolean) =>
  (list: List): List =>
    list.filter((message) => !isObject(message) || !isOut(message));

const unmarked = (list: List): List =>
  list.map((message) => {
    if (!isObject(message) || !Array.isArray(message['content'])) return message;
    const content = listAt(message, 'content').map((block) =>
      isObject(block) ? Object.fromEntries(Object.entries(block).filter(([key]) => key !== 'cache_control')) : block,
    );
    return { ...message, content };
  });

const callIds = (list: List): Set<string> =>
  new Set(list.flatMap((item) => (textAt(item, 'type')?.endsWith('_call') ? (textAt(item, 'call_id') ?? []) : [])));

const isOutput = (item: JsonObject): boolean => textAt(item, 'type')?.endsWith('_output') === true;

const withoutStrayOutputs = (list: List): List => {
  const calls = callIds(list);
  return drop((item) => isOutput(item) && !calls.has(textAt(item, 'call_id') ?? ''))(list);
};

const startsWith = (item: unknown, text: string): boolean =>
  textAt(item, 'role') === 'developer' && textAt(listAt(item, 'content')[0], 'text')?.startsWith(text) === true;

const begins = (value: unknown, text: string): boolean => typeof value === 'string' && value.startsWith(text);

const says = (value: unknown, text: string): boolean =>
  begins(value, text) || (isObject(value) && Object.values(value).some((held) => says(held, text)));

const saysOnly = (content: unknown, text: string): boolean =>
  Array.isArray(content) && content.length === 1 && textAt(content[0], 'text') === text;

/** Takes out results that are nothing but a text, in every API. */
const withoutAnswers =
  (text: string) =>
  (list: List): List =>
    drop(({ content, output }) => begins(content, text) || begins(output, text))(
      keepBlocks(list, (block) => {
        const response = isObject(block['functionResponse']) ? block['functionResponse']['response'] : undefined;
        return !begins(block['content'], text) && !says(response, text) && !saysOnly(block['content'], text);
      }),
    );

const INTERRUPTED = '[The previous response was interrupted';

const withoutPlaceholderSeals = (list: List): List =>
  list.map((content) => {
    if (!isObject(content) || !Array.isArray(content['parts'])) return content;
    const parts = listAt(content, 'parts').map((part) =>
      isObject(part) && part['thoughtSignature'] === 'skip_thought_signature_validator'
        ? Object.fromEntries(Object.entries(part).filter(([key]) => key !== 'thoughtSignature'))
        : part,
    );
    return { ...content, parts };
  });

/** Some tools tell the model of the day, the folder and the mode in texts of their own. */
const isReminder = ({ text, content }: JsonObject): boolean =>
  [text, content].some((each) => typeof each === 'string' && each.startsWith('<system-reminder>'));

/** The last message of a request ends with a reminder, or is one, where the prompt stands before it. */
function withoutLastReminder(list: List): List {
  const last = list.at(-1);
  if (!isObject(last)) return list;
  if (isReminder(last)) return list.slice(0, -1);
  const blocks = listAt(last, 'content');
  const end = blocks.at(-1);
  return isObject(end) && isReminder(end) ? [...list.slice(0, -1), { ...last, content: blocks.slice(0, -1) }] : list;
}

/** A prompt that stands alone is sent as a bare text. */
const listTexts = (list: List): List =>
  list.map((item) =>
    isObject(item) && item['role'] === 'user' && typeof item['content'] === 'string'
      ? { ...item, content: [{ type: 'input_text', text: item['content'] }] }
      : item,
  );

/** Kilo is made of opencode. */
const OPENCODE: readonly Difference[] = [
  { reason: 'it marks what to cache', in: 'request', without: unmarked },
  {
    reason: 'it answers open calls with "[Tool execution was interrupted]"',
    in: 'request',
    without: withoutAnswers('[Tool execution was interrupted]'),
  },
];

/** What each tool is known to do between its file and its request. */
export const DIFFERENCES: Readonly<Record<string, readonly Difference[]>> = {
  codex: [
    {
      reason: 'it answers open calls with "aborted"',
      in: 'request',
      without: drop((item) => isOutput(item) && item['output'] === 'aborted'),
    },
    { reason: 'it removes outputs without a call', in: 'session', without: withoutStrayOutputs },
    {
      reason: 'its instructions come first, newly written for the model',
      in: 'request',
      without: ([first, ...rest]) => (startsWith(first, 'You are Codex, a coding agent') ? rest : [first, ...rest]),
    },
    {
      reason: 'it says which tools are gone',
      in: 'request',
      without: drop((item) => startsWith(item, '<tools>\nRemoved ')),
    },
  ],
  gemini: [
    {
      reason: 'it describes the folder anew',
      in: 'request',
      without: (list) =>
        keepBlocks(list, ({ text }) => typeof text !== 'string' || !text.startsWith('<session_context>')),
    },
    { reason: 'it seals calls that have no seal', in: 'request', without: withoutPlaceholderSeals },
    {
      reason: 'it fills in an answer that was interrupted',
      in: 'request',
      without: (list) => keepBlocks(list, ({ text }) => typeof text !== 'string' || !text.startsWith(INTERRUPTED)),
    },
  ],
  openclaw: [
    { reason: 'it marks what to cache', in: 'request', without: unmarked },
    {
      reason: 'it tells what it knows of the conversation after the new prompt',
      in: 'request',
      without: (list) =>
        keepBlocks(list, ({ text }) => typeof text !== 'string' || !text.startsWith('<<<BEGIN_OPENCLAW')),
    },
    {
      reason: 'it answers open calls with "No result provided"',
      in: 'request',
      without: withoutAnswers('No result provided'),
    },
    {
      reason: 'it puts the time before each prompt',
      in: 'request',
      without: (list) =>
        list.map((message) =>
          isObject(message) && typeof message['content'] === 'string'
            ? { ...message, content: message['content'].replace(/^\[\w{3} [\d-]+ [\d:]+ \w+\] /, '') }
            : message,
        ),
    },
    {
      reason: 'it sends a prompt as a bare text',
      in: 'request',
      without: (list) =>
        list.map((message) =>
          isObject(message) && typeof message['content'] === 'string'
            ? { ...message, content: [{ type: 'text', text: message['content'] }] }
            : message,
        ),
    },
  ],
  kilo: [
    ...OPENCODE,
    {
      reason: 'it describes the folder after each prompt',
      in: 'request',
      without: (list) =>
        keepBlocks(list, ({ text }) => typeof text !== 'string' || !text.startsWith('\n\n<environment_details>')),
    },
  ],
  opencode: OPENCODE,
  pi: [
    { reason: 'it marks what to cache', in: 'request', without: unmarked },
    {
      reason: 'it answers open calls with "No result provided"',
      in: 'request',
      without: withoutAnswers('No result provided'),
    },
  ],
  cline: [
    { reason: 'it marks what to cache', in: 'request', without: unmarked },
    {
      reason: 'it answers open calls with an error',
      in: 'request',
      without: withoutAnswers('[{"type":"text","text":"Tool execution was interrupted before a result was produced.'),
    },
  ],
  kimi: [
    { reason: 'it marks what to cache', in: 'request', without: unmarked },
    {
      reason: 'it answers open calls with an error',
      in: 'request',
      without: withoutAnswers(
        '<system>ERROR: Tool execution failed.</system>\nTool execution was interrupted before its result was recorded. Do not assume the tool completed successfully.',
      ),
    },
    {
      reason: 'it reminds the model of its mode before the new prompt',
      in: 'request',
      without: (list) => withoutLastReminder(list),
    },
    {
      reason: 'it adds reasoning without a word',
      in: 'request',
      without: (list) =>
        list.map((message) =>
          isObject(message) && message['reasoning_content'] === ''
            ? Object.fromEntries(Object.entries(message).filter(([key]) => key !== 'reasoning_content'))
            : message,
        ),
    },
  ],
  qwen: [
    { reason: 'it marks what to cache', in: 'request', without: unmarked },
    {
      reason: 'it describes the folder, the day and the tools anew',
      in: 'request',
      without: (list) => keepBlocks(list, (block) => !isReminder(block)),
    },
    { reason: 'it sends a prompt alone as a bare text', in: 'request', without: listTexts },
    { reason: 'it removes outputs without a call', in: 'session', without: withoutStrayOutputs },
    {
      reason: 'it answers open calls with an error',
      in: 'request',
      without: withoutAnswers(
        'Tool execution result was not recorded — likely interrupted by network failure, abort, or process exit. Treat as failure and retry if needed.',
      ),
    },
  ],
};

/** Cases in which a request has nothing to do with the session, and why. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'codex/dmg-empty': 'the file is empty',
  'codex/dmg-no-head': 'it starts a new session where the head is gone',
  'codex/dmg-torn-head': 'it starts a new session where the head is gone',
  'pi/anthropic-dmg-no-head': 'it starts a new session where the head is gone',
  'pi/anthropic-dmg-torn-head': 'it starts a new session where the head is gone',
};
