import { objectAt, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import { modelOf, seal } from './records.ts';
import type { WireMessage } from '../wire/wire-message.ts';
import type { Message, Part } from './stores.ts';

/** A stretch of the conversation in the form that opencode hands to its provider library. */
export type Turn =
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | { readonly role: 'assistant'; readonly parts: readonly Part[] }
  | { readonly role: 'tool'; readonly parts: readonly Part[] };

export type { WireMessage };

export type Sent = { readonly provider: string | undefined; readonly model: string | undefined };

/** What a message is sent as: an answer becomes a turn for each of its steps, and one for the results of each. */
export function turnsOf(message: Message, sent: Sent): Turn[] {
  if (message.info['role'] !== 'assistant') return userTurn(message);
  const { provider, id } = modelOf(message.info);
  const isOwn = provider === sent.provider && id === sent.model;
  const parts = message.parts.map((part) => ({ ...part, value: isOwn ? part.value : asText(part.value) }));
  const isSigned = message.parts.some(({ value }) => seal(value, 'anthropic')['signature'] !== undefined);
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part.value['type'] === 'step-start') steps.push([]);
    else if (isSpoken(part.value)) steps.at(-1)?.push(isSigned ? { ...part, value: separated(part.value) } : part);
  }
  return steps.flatMap((step): Turn[] => {
    const results = step.filter(({ value }) => value['type'] === 'tool' && resultOf(value) !== undefined);
    return [
      ...(step.length === 0 ? [] : [{ role: 'assistant' as const, parts: step }]),
      ...(results.length === 0 ? [] : [{ role: 'tool' as const, parts: results }]),
    ];
  });
}

const isSpoken = ({ type }: JsonObject): boolean => type === 'text' || type === 'reasoning' || type === 'tool';

/** Between signed reasoning an empty text is sent as a blank, so that the seals keep their places. */
const separated = (part: JsonObject): JsonObject =>
  part['type'] === 'text' && part['text'] === '' ? { ...part, text: ' ' } : part;

/** For another model reasoning is text, and seals go. */
function asText(part: JsonObject): JsonObject {
  const { metadata: _, ...rest } = part;
  return part['type'] === 'reasoning' ? { ...rest, type: 'text' } : rest;
}

function userTurn({ parts }: Message): Turn[] {
  const spoken = parts.filter(({ value }) => {
    if (value['type'] === 'text') return value['ignored'] !== true && value['text'] !== '';
    return value['type'] === 'file' && !/^(text\/plain|application\/x-directory)$/.test(textAt(value, 'mime') ?? '');
  });
  return spoken.length === 0 ? [] : [{ role: 'user', parts: spoken }];
}

/** The result of a call; undefined while there is none. */
export function resultOf(part: JsonObject): { readonly text: string; readonly isError: boolean } | undefined {
  const state = objectAt(part, 'state');
  const status = textAt(state, 'status');
  if (status === 'completed') {
    const isPruned = objectAt(state, 'time')?.['compacted'] !== undefined;
    return { text: isPruned ? '[Old tool result content cleared]' : (textAt(state, 'output') ?? ''), isError: false };
  }
  if (status !== 'error') return undefined;
  const metadata = objectAt(state, 'metadata');
  const partial = metadata?.['interrupted'] === true ? textAt(metadata, 'output') : undefined;
  return { text: partial ?? textAt(state, 'error') ?? '', isError: partial === undefined };
}

export const inputOf = (part: JsonObject): JsonObject => objectAt(objectAt(part, 'state'), 'input') ?? {};

export const placesOf = (parts: readonly Part[]): readonly Place[] => parts.map(({ place }) => place);

/** The media type and the data of a file that is sent along. */
export function mediaOf(part: JsonObject): { readonly type: string; readonly url: string; readonly data: string } {
  const url = textAt(part, 'url') ?? '';
  return { type: textAt(part, 'mime') ?? '', url, data: url.slice(url.indexOf(',') + 1) };
}
