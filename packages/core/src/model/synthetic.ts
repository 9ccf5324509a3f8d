import { isRecord } from './value.ts';

/** What the caller knows about calls without a result, by call id. Nothing known means unknown. */
export type Evidence = Readonly<Record<string, EvidenceKind>>;

export type EvidenceKind = 'aborted' | 'not-started' | 'started' | 'timed-out' | 'denied';

const MAYBE = 'It may have run fully, partly or not at all.';

/** Every result text we invent. Recognised again by exact text, so that a late result can take its place. */
export const RESULT_TEXTS: Readonly<Record<EvidenceKind | 'unknown', string>> = {
  unknown: `[interrupted: no result was recorded for this call. ${MAYBE}]`,
  aborted: `[aborted: this call was stopped by the user. ${MAYBE}]`,
  started: `[interrupted: this call was started and no result was recorded. ${MAYBE}]`,
  'timed-out': `[timed out: no result arrived in time. ${MAYBE}]`,
  'not-started': '[not started: this call was never started, so it has had no effect.]',
  denied: '[denied: permission for this call was refused, so it was not run.]',
};

const PLACEHOLDERS: ReadonlySet<string> = new Set(Object.values(RESULT_TEXTS));

export function resultText(callId: string, evidence: Evidence | undefined): string {
  const known = isRecord(evidence) && Object.hasOwn(evidence, callId) ? evidence[callId] : undefined;
  return (known && RESULT_TEXTS[known]) ?? RESULT_TEXTS.unknown;
}

/** All of them begin with a bracket, which tells nearly every other text apart before it is looked up. */
const BRACKET = 0x5b;

/** True for a result text that we invented earlier. */
export function isPlaceholder(text: string): boolean {
  return text.charCodeAt(0) === BRACKET && text.length < 160 && PLACEHOLDERS.has(text);
}

/** How a call ended where its result says so by its text alone: one that we invented is no success. */
export function outcomeOfText(text: string): 'ok' | 'error' {
  return isPlaceholder(text) ? 'error' : 'ok';
}

/** Stands where a provider needs a message and there is none. */
export const TEXTS = {
  resumed: '[conversation resumed]',
  proceed: 'Continue.',
  separator: '(no content)',
  orphan: '[tool output]',
  preliminary:
    '[interrupted: only a preliminary output was recorded for this call. It may have run fully, partly or not at all.]',
  reasoning: '[interrupted reasoning]',
  thought: '[reasoning]',
  system: '[system]',
  unreadable: '[unreadable message]',
  transcript: '[The earlier conversation could not be sent as it was. What could be read of it:]',
} as const;
