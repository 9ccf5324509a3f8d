import { ask } from '../model/read-safely.ts';
import { isBlank, isRecord } from '../model/value.ts';
import { readSections, SECTIONS } from './sections.ts';
import { readSummary } from './summary.ts';

/** Why there is no summary. */
export type SummaryFault =
  | 'empty'
  | 'error-text'
  | 'refusal'
  | 'tool-call'
  | 'not-shorter'
  | 'overflow'
  | 'model-failed'
  | 'too-many-calls'
  | 'nothing-to-summarise';

const brand = Symbol.for('@rethread/core SummaryError');

/** A summary that could not be made; the history it was to stand for is as it was. */
export class SummaryError extends Error {
  override readonly name = 'SummaryError';
  readonly code: SummaryFault;
  /** How often the model was asked. */
  readonly calls: number;

  constructor(code: SummaryFault, message: string, { calls, cause }: { calls: number; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
    this.calls = calls;
  }

  /** Whether an error is one of these, also of another copy of this package, which `instanceof` does not see. */
  static is(error: unknown): error is SummaryError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}

const WORDS: Readonly<Record<'empty' | 'error-text' | 'refusal' | 'tool-call', string>> = {
  empty: 'the model answered with nothing',
  'error-text': 'the model answered with the text of an error',
  refusal: 'the model refused to write a summary',
  'tool-call': 'the model called a tool where a summary was asked for',
};

/** What is wrong with an answer that was to be a summary, in a word and in a sentence. */
export type Complaint = { readonly code: keyof typeof WORDS; readonly words: string };

/** Something between us and the model may answer for it, with a page. */
const PAGE = /^<(?:!doctype\s+html|html|head|body)\b/i;
const ERROR = /^(?:(?:\w+ )?error\b|\w*exception\b|traceback\b|[45]\d\d\b|rate limit|overloaded|service unavailable)/i;
const REFUSAL =
  /^(?:i\W?m sorry|i am sorry|sorry\b|i (?:can\W?t|cannot|won\W?t|am unable|am not able)\b|unfortunately, i\b)/i;
const CALL = /^(?:<\/?(?:tool_call|function_calls?|tool_use|invoke)\b|\[TOOL_CALLS?\]|```tool)/i;
const CALL_KEYS = ['tool_calls', 'tool_use', 'function_call', 'functionCall', 'toolUse', 'tool'];
const CALL_TYPES: ReadonlySet<unknown> = new Set(['tool_use', 'function_call', 'function', 'tool-call', 'tool_call']);

/** Says why an answer cannot be a summary; undefined for one that can. */
export function complaintOf(answer: string): Complaint | undefined {
  const code = codeOf(bareSummary(answer));
  return code === undefined ? undefined : { code, words: WORDS[code] };
}

function codeOf(text: string): Complaint['code'] | undefined {
  if (isBlank(text)) return 'empty';
  // Under the headings of a summary any words may stand, also those of an error.
  if (SECTIONS.some((name) => text.includes(`## ${name}`))) {
    return Object.values(readSections(text)).every((lines) => lines.length === 0) ? 'empty' : undefined;
  }
  if (CALL.test(text)) return 'tool-call';
  const value = jsonOf(text);
  const first = Array.isArray(value) ? (value[0] as unknown) : value;
  if (isRecord(first)) {
    if ('error' in first || first['type'] === 'error') return 'error-text';
    if (isCall(first)) return 'tool-call';
  }
  if (ERROR.test(text) || PAGE.test(text)) return 'error-text';
  return REFUSAL.test(text) ? 'refusal' : undefined;
}

function isCall(value: Readonly<Record<string, unknown>>): boolean {
  if (CALL_KEYS.some((key) => key in value) || CALL_TYPES.has(value['type'])) return true;
  return 'name' in value && ('arguments' in value || 'input' in value || 'parameters' in value);
}

function jsonOf(text: string): unknown {
  const opened = text.replace(/^```(?:json)?\s*/, '');
  // A regular expression for blanks before an end tries every blank anew.
  const bare = opened.endsWith('```') ? opened.slice(0, -3).trimEnd() : opened;
  if (!bare.startsWith('{') && !bare.startsWith('[')) return undefined;
  try {
    return JSON.parse(bare) as unknown;
  } catch {
    return undefined;
  }
}

/** An answer without what models put around it: their thoughts, a fence, tags, our own heading. */
export function bareSummary(answer: string): string {
  const text = answer
    .toWellFormed()
    .trim()
    .replace(/^<(think|thinking)>[^]*?<\/\1>\s*/i, '')
    .replace(/^```(?:markdown|md|text)?\n([^]*)\n```$/, '$1')
    .replace(/^<summary>([^]*)<\/summary>$/, '$1')
    .trim();
  return readSummary(text)?.content ?? text;
}

const OVERFLOW = new RegExp(
  [
    'too (?:long|large|many tokens)',
    'context[ _-]?(?:length|window|size|limit)',
    'maximum context',
    'token (?:count|limit)',
    'exceed\\w{0,3} (?:the )?(?:context|maximum|limit|model)',
  ].join('|'),
  'i',
);

/** True for an error that says that the prompt did not fit: by a mark of the caller's, a status, or its words. */
export function isOverflow(error: unknown): boolean {
  return ask(saysOverflow, error) ?? false;
}

function saysOverflow(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return typeof error === 'string' && OVERFLOW.test(error);
  const { overflow, status, message } = error as { overflow?: unknown; status?: unknown; message?: unknown };
  if (typeof overflow === 'boolean') return overflow;
  if (status === 413) return true;
  // A rate limit speaks of tokens as well, and asking for less does not help against it.
  return status !== 429 && typeof message === 'string' && OVERFLOW.test(message);
}
