import { type Draft, type Fields, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly string[] = ['openai/gpt-5', 'anthropic/claude-sonnet-4.5', 'google/gemini-3-flash', 'o3'];

export const text = (draft: Draft, word: string): Fields => ({ type: 'text', text: freshText(draft, word) });

export const message = (draft: Draft, role: string, parts: unknown[]): Fields => ({
  id: freshId(draft, 'msg_'),
  role,
  parts,
});

/** A call in a state, with nothing yet of what came of it. */
export function tool(draft: Draft, random: Random, state: string): Fields {
  const named = random.chance(4) ? { type: 'dynamic-tool', toolName: 'read_file' } : { type: 'tool-read_file' };
  return { ...named, toolCallId: freshId(draft, 'call_'), state, input: { path: freshText(draft, 'path') } };
}

export const approval = (draft: Draft, more: Fields = {}): Fields => ({ id: freshId(draft, 'ask_'), ...more });

/** A call with its outcome. */
export function settled(draft: Draft, random: Random): Fields {
  const shape = random.below(6);
  if (shape === 0) {
    return { ...tool(draft, random, 'output-error'), errorText: freshText(draft, 'failed') };
  }
  if (shape === 1) return { ...tool(draft, random, 'output-denied'), approval: approval(draft, { approved: false }) };
  if (shape === 2) {
    const denied = approval(draft, { approved: false, reason: freshText(draft, 'because') });
    return { ...tool(draft, random, 'approval-responded'), approval: denied };
  }
  const output = random.pick<unknown>([freshText(draft, 'output'), { rows: [freshText(draft, 'row')] }, '', null]);
  const granted = random.chance(4) ? { approval: approval(draft, { approved: true }) } : {};
  return { ...tool(draft, random, 'output-available'), output, ...granted };
}

export const searched = (draft: Draft, state = 'output-available'): Fields => ({
  type: 'tool-web_search',
  toolCallId: freshId(draft, 'srvtoolu_'),
  state,
  input: {},
  providerExecuted: true,
  ...(state === 'output-available'
    ? {
        output: [
          {
            type: 'web_search_result',
            url: 'https://example.org',
            pageAge: null,
            encryptedContent: 'AA',
            title: freshText(draft, 'found'),
          },
        ],
      }
    : {}),
});

export function user(draft: Draft, random: Random): Fields {
  const parts: Fields[] = [text(draft, 'question')];
  if (random.chance(4)) parts.push({ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' });
  if (random.chance(8)) parts.unshift({ type: 'data-place', data: freshText(draft, 'future') });
  if (random.chance(8)) parts.push({ type: 'text', text: '' });
  return message(draft, 'user', parts);
}

function opening(draft: Draft, random: Random): Fields[] {
  const parts: Fields[] = random.chance(2) ? [{ type: 'step-start' }] : [];
  if (random.chance(4)) {
    const providerMetadata = { anthropic: { signature: 'sig' } };
    parts.push({ type: 'reasoning', text: freshText(draft, 'why'), ...(random.chance(2) ? { providerMetadata } : {}) });
  }
  if (random.chance(6)) parts.push({ type: 'source-url', sourceId: 's', url: 'https://example.org' });
  if (random.chance(8)) parts.push({ type: 'data-note', data: freshText(draft, 'future') });
  if (random.chance(8)) parts.push(searched(draft));
  return parts;
}

/** An answer of one or more steps. */
export function answer(draft: Draft, random: Random, steps: number): Fields {
  const parts: unknown[] = [];
  for (let step = 0; step < steps; step += 1) {
    if (step > 0) parts.push({ type: 'step-start' });
    parts.push(...opening(draft, random));
    if (random.chance(3)) parts.push(text(draft, 'let me look'));
    for (let calls = random.pick([1, 1, 2, 3]); calls > 0; calls -= 1) parts.push(settled(draft, random));
  }
  return message(draft, 'assistant', parts);
}

/** A healthy history for every model, as a list or as a whole request. */
export function draftAiSdkUi(random: Random): Draft {
  const draft = startDraft('ai-sdk-ui');
  if (random.chance(2)) draft.model = random.pick(models);
  const asRequest = random.chance(2);
  const turns = random.between(asRequest ? 1 : 0, 4);
  for (let turn = 0; turn < turns; turn += 1) {
    draft.messages.push(user(draft, random));
    const last = turn === turns - 1;
    const steps = random.pick([0, 1, 1, 2]);
    const spoken = answer(draft, random, steps);
    const more = [{ type: 'step-start' }, ...opening(draft, random), text(draft, 'answer')];
    if (!last || !asRequest) (spoken['parts'] as unknown[]).push(...more);
    if (!last || (asRequest ? steps > 0 : random.chance(2))) draft.messages.push(spoken);
  }
  if (asRequest) draft.body = { ...(draft.model ? { model: draft.model } : {}), tools: { read_file: {} } };
  return draft;
}
