import { detectDialect } from './dialects/detect.ts';
import { CODECS } from './dialects/dialects.ts';
import { PROFILES } from './dialects/profiles.ts';
import { rulesOf, type Envelope, type Purpose, type Target } from './engine/target.ts';
import type { Codec } from './model/codec.ts';
import { isDialect, type Dialect } from './model/dialect.ts';
import type { Profile } from './model/profile.ts';
import type { Contract } from './model/rule.ts';
import { isRecord } from './model/value.ts';
import { rulesIn } from './rules/order.ts';

/** Where a history is to be sent; anything left out is detected, or read strictly. */
export type TargetInput<D extends Dialect = Dialect> =
  | D
  | {
      /** The format of the messages (default: detected). */
      readonly dialect?: D;
      /** The model that the history goes to (default: the one in the request; else the strictest reading). */
      readonly model?: string;
      /** Flags that differ from those of the model (default: none). */
      readonly profile?: Partial<Profile>;
      /** Whether a stored history or a request is judged (default: a list is a history, a body a request). */
      readonly purpose?: Purpose;
    };

/** A target, and the list that is to go there. */
export type Resolved = { readonly target: Target; readonly envelope: Envelope };

/** Everything needed to judge an input; undefined when its dialect cannot be told or it holds no list. */
export function resolveTarget(input: unknown, wanted: TargetInput | undefined, next?: 'user'): Resolved | undefined {
  const choice = typeof wanted === 'string' ? { dialect: wanted } : (wanted ?? {});
  const dialect = choice.dialect ?? detectDialect(input, choice.model);
  if (!isDialect(dialect)) return undefined;
  const codec: Codec = CODECS[dialect];
  const envelope = openEnvelope(input, codec);
  if (envelope === undefined) return undefined;
  const contract = contractOf(dialect);
  // Where the model is part of the address, clients hold it in the body under another name.
  const named = choice.model ?? envelope.body?.['model'] ?? envelope.body?.['modelId'];
  const base = contract.profile(typeof named === 'string' ? named : undefined);
  const profile = choice.profile === undefined ? base : { ...base, ...choice.profile };
  const purpose = choice.purpose ?? (envelope.body === undefined ? 'history' : 'request');
  return { target: { codec, profile, purpose, rules: rulesOf(contract, profile), next }, envelope };
}

function openEnvelope(input: unknown, codec: Codec): Envelope | undefined {
  if (Array.isArray(input)) return { list: input, body: undefined };
  if (!isRecord(input)) return undefined;
  const field = input[codec.listKey];
  const list = Array.isArray(field) ? (field as unknown[]) : codec.listOf?.(field);
  return list === undefined ? undefined : { list, body: input };
}

/** What the provider or framework behind a dialect enforces. */
export function contractOf(dialect: Dialect): Contract {
  return { dialect, rules: rulesIn(dialect), profile: PROFILES[dialect] };
}
