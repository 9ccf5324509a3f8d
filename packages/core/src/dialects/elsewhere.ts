import type { Message, Part } from '../model/part.ts';
import { charactersOf, isBlank, isRaw, isRecord, isWhole } from '../model/value.ts';

type Wire = Record<string, unknown>;

/** Keys of a message that say who speaks, when, and what it has cost, but never what is said. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'role kind type id name model model_name usage object created created_at createdAt timestamp status index phase ' +
    'metadata response_metadata usage_metadata finish_reason stop_reason stop_sequence system_fingerprint run_id ' +
    'cache_control annotations providerOptions providerMetadata provider_name tool_call_id tool_use_id toolCallId ' +
    'call_id callId output_config lc lc_namespace lc_kwargs'
  ).split(' '),
);
/** Keys inside of a value that only say what it is. */
const NAMING: ReadonlySet<string> = new Set('type id role kind part_kind partKind state status'.split(' '));

/** Keys under which programs keep what a model has thought. */
export const THOUGHT_KEYS: ReadonlySet<string> = new Set(
  'reasoning_content reasoning reasoning_details thinking thinking_blocks thoughts'.split(' '),
);

/** How much of a value is searched for a word before it is taken to hold one. */
const BUDGET = 10_000;

/** The keys of a message, other than the one that the dialect reads, under which there is something to read. */
export function keysElsewhere(wire: Wire, own: string): readonly string[] {
  return Object.keys(wire).filter((key) => key !== own && !ABOUT.has(key) && holdsText(wire[key], { left: BUDGET }));
}

/** True where a message whose content says nothing says something under another key. */
export function saysElsewhere(wire: Wire, own: string): boolean {
  return keysElsewhere(wire, own).length > 0;
}

/** True where a message holds what a model has thought beside what it said. */
export function holdsThought(wire: unknown): boolean {
  return isRecord(wire) && keysElsewhere(wire, '').some((key) => THOUGHT_KEYS.has(key));
}

export function charactersElsewhere(wire: Wire, own: string): number {
  return keysElsewhere(wire, own).reduce((sum, key) => sum + charactersOf(wire[key]), 0);
}

/** A message of which the dialect can read nothing, though it says something. */
export function unreadMessage(wire: Wire, index: number, characters: number): Message {
  const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
  return { role: 'unreadable', parts: [all], wire, at: index };
}

function holdsText(value: unknown, budget: { left: number }): boolean {
  if (typeof value === 'string') return !isBlank(value);
  if (typeof value !== 'object' || value === null || isRaw(value)) return false;
  if (isWhole(value)) return true;
  budget.left -= 1;
  if (budget.left < 0) return true;
  if (Array.isArray(value)) return value.some((each) => holdsText(each, budget));
  const record = value as Wire;
  return Object.keys(record).some((key) => !NAMING.has(key) && holdsText(record[key], budget));
}
