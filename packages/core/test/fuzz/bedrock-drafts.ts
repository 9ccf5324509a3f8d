import { type Draft, type Fields, addTurns, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly (string | undefined)[] = [
  undefined,
  undefined,
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'anthropic.claude-opus-5-5-v1:0',
  'us.anthropic.claude-3-7-sonnet-20250219-v1:0',
  'us.amazon.nova-pro-v1:0',
  'us.meta.llama4-maverick-17b-instruct-v1:0',
  'us.writer.palmyra-x4-v1:0',
  'moonshot.kimi-k2-thinking',
  'mistral.mistral-large-3-675b-instruct',
  'qwen.qwen3-32b-v1:0',
];

/** Models that take results and other content in one message. */
export const mixes = (draft: Draft): boolean => /claude|nova/.test(draft.model ?? '');

export const text = (draft: Draft, word = 'text'): Fields => ({ text: freshText(draft, word) });

/** Nine letters and digits are legal for every family. */
export const legalId = (draft: Draft): string => freshId(draft, 'id').padStart(9, 'x');

export const call = (draft: Draft, id: string = legalId(draft)): Fields => ({
  toolUse: { toolUseId: id, name: 'read_file', input: { path: freshText(draft, 'path') } },
});

export const thinking = (draft: Draft): Fields => ({
  reasoningContent: {
    reasoningText: { text: freshText(draft, 'thought'), signature: freshId(draft, 'sig') },
  },
});

export const image = (): Fields => ({ image: { format: 'png', source: { bytes: 'aGk=' } } });
const opaque = (draft: Draft): Fields => ({ futureBlock: { value: freshText(draft, 'future') } });

export function result(draft: Draft, id: unknown, random: Random): Fields {
  const shape = random.below(6);
  const content: Fields[] = shape === 0 ? [] : [text(draft, 'output')];
  if (shape === 1) content.push(image());
  if (shape === 2) content.push({ json: { value: freshText(draft, 'field') } });
  const inner: Fields = { toolUseId: id, content };
  if (shape > 2 && !draft.model?.includes('writer')) inner['status'] = shape === 3 ? 'error' : 'success';
  return { toolResult: inner };
}

/** A user's own words, in each of the shapes the API takes them. */
export function userMessage(draft: Draft, random: Random): Fields {
  const shape = random.below(6);
  const content = [text(draft, 'question')];
  if (shape === 1) content.push(image());
  if (shape === 2) content.push({ document: { name: 'paper', format: 'txt', source: { bytes: 'aGk=' } } });
  if (shape === 3) content.unshift(opaque(draft));
  if (shape === 4 && draft.messages.length < 6) content.push({ cachePoint: { type: 'default' } });
  return { role: 'user', content };
}

function openingParts(draft: Draft, random: Random, thinks: boolean): Fields[] {
  const content: Fields[] = thinks ? [thinking(draft)] : [];
  if (random.chance(2)) content.push(text(draft, 'answer'));
  if (random.chance(10)) content.push(opaque(draft));
  return content;
}

function pushStep(draft: Draft, random: Random, thinks: boolean): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => call(draft));
  draft.messages.push({ role: 'assistant', content: [...openingParts(draft, random, thinks), ...calls] });
  const results = calls.map((part) => result(draft, (part['toolUse'] as Fields)['toolUseId'], random));
  if (random.chance(4)) results.reverse();
  if (mixes(draft) && random.chance(6)) results.push(text(draft, 'aside'));
  draft.messages.push({ role: 'user', content: results });
}

/** A healthy history for its model, as a list or as a whole request. */
export function draftBedrock(random: Random): Draft {
  const draft = startDraft('bedrock-converse', random.pick(models));
  const thinks = random.chance(4);
  const asRequest = random.chance(2);
  const step = (): void => pushStep(draft, random, thinks);
  const answer = (): Fields => ({
    role: 'assistant',
    content: [...openingParts(draft, random, thinks), text(draft, 'answer')],
  });
  addTurns(draft, random, { user: userMessage, step, answer, asRequest });
  if (!asRequest) return draft;
  const tools = [{ toolSpec: { name: 'read_file', inputSchema: { json: { type: 'object' } } } }];
  draft.body = { toolConfig: { tools }, inferenceConfig: { maxTokens: 64 } };
  if (draft.model !== undefined) draft.body['modelId'] = draft.model;
  if (random.chance(2)) draft.body['system'] = [{ text: freshText(draft, 'system') }];
  if (thinks) draft.body['additionalModelRequestFields'] = { thinking: { type: 'enabled', budget_tokens: 1024 } };
  return draft;
}
