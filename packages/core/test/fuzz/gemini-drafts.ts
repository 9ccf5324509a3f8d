import { type Draft, type Fields, addTurns, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly (string | undefined)[] = [
  undefined,
  undefined,
  'gemini-2.5-flash',
  'models/gemini-2.0-flash',
  'gemini-3-flash-preview',
  'gemini-3-pro-image-preview',
  'models/gemini-4-pro',
  'gemini-flash-latest',
];

export const text = (draft: Draft, word = 'text'): Fields => ({ text: freshText(draft, word) });
export const asks = (...parts: unknown[]): Fields => ({ role: 'user', parts });
export const says = (...parts: unknown[]): Fields => ({ role: 'model', parts });
export const signature = (draft: Draft): string => Buffer.from(freshText(draft, 'sig')).toString('base64');
export const image = (): Fields => ({ inlineData: { mimeType: 'image/png', data: 'aGk=' } });

export interface Habits {
  /** Ids came with newer models, and some programs leave them out. */
  readonly ids: boolean;
  readonly snake: boolean;
  readonly thinks: boolean;
}

export function call(draft: Draft, { ids, snake }: Habits, name = 'read_file'): Fields {
  const args = { path: freshText(draft, 'path') };
  const inner = ids ? { id: freshId(draft, 'call_'), name, args } : { name, args };
  return snake ? { function_call: inner } : { functionCall: inner };
}

export const sign = (draft: Draft, part: Fields): Fields => ({
  ...part,
  ['function_call' in part ? 'thought_signature' : 'thoughtSignature']: signature(draft),
});

/** The object that holds a call or a result. */
export const innerOf = (part: Fields): Fields =>
  (part['functionCall'] ??
    part['function_call'] ??
    part['functionResponse'] ??
    part['function_response'] ??
    {}) as Fields;

export function result(draft: Draft, called: Fields, random: Random): Fields {
  const { id, name } = innerOf(called);
  const shape = random.below(6);
  const response: Fields = {};
  if (shape === 1) response['error'] = freshText(draft, 'failure');
  else if (shape === 2) response['files'] = [freshText(draft, 'output'), { deep: freshText(draft, 'output') }];
  else if (shape > 2) response['result'] = freshText(draft, 'output');
  const inner: Fields = id === undefined ? { name, response } : { id, name, response };
  if (shape === 3 && random.chance(3)) inner['parts'] = [image()];
  return 'function_call' in called ? { function_response: inner } : { functionResponse: inner };
}

const opaque = (draft: Draft): Fields => ({ hologram: { value: freshText(draft, 'future') } });

/** A user's own words, in each of the shapes the API takes them. */
export function userMessage(draft: Draft, random: Random): Fields {
  const shape = random.below(9);
  const message = asks(text(draft, 'question'));
  const parts = message['parts'] as unknown[];
  if (shape === 1) parts.push(image());
  if (shape === 2) parts.push({ fileData: { fileUri: 'gs://bucket/paper' }, videoMetadata: { fps: 1 } });
  if (shape === 3) parts.unshift(opaque(draft));
  if (shape === 4) parts.push({ text: '' });
  if (shape === 5) delete message['role'];
  if (shape === 6) message['parts'] = parts[0];
  return message;
}

function openingParts(draft: Draft, random: Random, { thinks }: Habits): Fields[] {
  const parts: Fields[] = [];
  if (thinks) parts.push({ text: freshText(draft, 'thought'), thought: true });
  if (random.chance(2)) parts.push(text(draft, 'answer'));
  if (random.chance(8)) {
    parts.push({
      executableCode: { language: 'PYTHON', code: freshText(draft, 'code') },
      thoughtSignature: signature(draft),
    });
    parts.push({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: freshText(draft, 'output') } });
  }
  if (random.chance(10)) parts.push(opaque(draft));
  return parts;
}

/** One step: a batch of calls and the contents that answer all of it. */
function pushStep(draft: Draft, random: Random, habits: Habits): void {
  const count = random.pick([1, 1, 2, 2, 3]);
  const calls = Array.from({ length: count }, (_, i) => {
    const made = call(draft, habits, random.chance(4) ? 'list_files' : 'read_file');
    return i === 0 || random.chance(4) ? sign(draft, made) : made;
  });
  const results = calls.map((part) => result(draft, part, random));
  const opening = openingParts(draft, random, habits);
  if (calls.length > 1 && random.chance(5)) {
    draft.messages.push(says(...opening, ...calls.slice(0, 1)), says(...calls.slice(1)));
  } else draft.messages.push(says(...opening, ...calls, ...(random.chance(10) ? [text(draft, 'trailing')] : [])));
  if (random.chance(4)) results.reverse();
  if (results.length > 1 && random.chance(6)) draft.messages.push(asks(...results.splice(0, 1)));
  const aside = random.below(8);
  if (aside === 0) results.push(text(draft, 'aside'));
  if (aside === 1) results.unshift(text(draft, 'aside'));
  draft.messages.push(asks(...results));
  if (aside === 2) draft.messages.push(asks(image()));
}

/** A healthy history under the strict reading of the contract, as a list or as a whole request. */
export function draftGemini(random: Random): Draft {
  const draft = startDraft('gemini', random.pick(models));
  const habits = { ids: random.chance(2), snake: random.chance(4), thinks: random.chance(4) };
  const asRequest = random.chance(2);
  const step = (): void => pushStep(draft, random, habits);
  const answer = (): Fields => says(...openingParts(draft, random, habits), text(draft, 'answer'));
  addTurns(draft, random, { user: userMessage, step, answer, asRequest });
  if (!asRequest) return draft;
  draft.body = {
    generationConfig: { maxOutputTokens: 64 },
    tools: [{ functionDeclarations: [{ name: 'read_file' }] }],
  };
  if (random.chance(2)) draft.body['systemInstruction'] = { parts: [text(draft, 'system')] };
  return draft;
}
