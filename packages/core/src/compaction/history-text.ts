import type { Message, Part, ResultPart } from '../model/part.ts';
import { isBlank, readableJson } from '../model/value.ts';

/** How many characters of one piece the reader of a rendered history is shown. */
export type Widths = { readonly said: number; readonly input: number; readonly result: number };

export const WIDTHS: Widths = { said: 8_000, input: 1_000, result: 2_000 };

/** The beginning and the end of a text that is too long, and how much is left out between them. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most >> 2;
  const head = text.slice(0, most - end);
  const tail = end === 0 ? '' : text.slice(-end);
  const gone = text.length - most;
  return `${head}[… ${String(gone)} characters left out …]${tail}`.toWellFormed();
}

/** The same in one line, with nothing after the end. */
export function clipLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().toWellFormed();
  return line.length <= most
    ? line
    : `${line
        .slice(0, Math.max(0, most - 1))
        .trimEnd()
        .toWellFormed()}…`;
}

/**
 * A message as plain text. Calls and results are told in words, because a provider takes them as parts only from a
 * request that declares the tools.
 */
export function messageText(message: Message, widths: Widths = WIDTHS): string {
  const lines = message.parts.map((part) => partText(part, widths)).filter((text) => !isBlank(text));
  return lines.length === 0 ? '' : `[${String(message.at)}] ${message.role}:\n${lines.join('\n')}`;
}

function partText(part: Part, widths: Widths): string {
  switch (part.kind) {
    case 'text':
      return clip(part.text, widths.said).toWellFormed();
    case 'reasoning':
      return '';
    case 'call':
      return `called the tool ${part.tool} with ${clip(readableJson(part.input), widths.input)}`;
    case 'result':
      return resultText(part, widths);
    case 'media':
      return `(media, ${String(part.characters)} characters)`;
    case 'opaque':
      return `(something that cannot be told as text, ${String(part.characters)} characters)`;
  }
}

function resultText({ tool, outcome, text }: ResultPart, { result }: Widths): string {
  const name = tool === undefined ? 'a tool' : `the tool ${tool}`;
  const ending = outcome === 'ok' ? 'returned' : `ended as ${outcome} with`;
  return `${name} ${ending}: ${clip(text, result).toWellFormed()}`;
}

/**
 * Messages in runs that may be told apart from one another: a call stands in one run with its result, and so do the
 * calls of one batch.
 */
export function closedRuns(messages: readonly Message[]): readonly (readonly Message[])[] {
  const runs: Message[][] = [];
  const open = new Map<string, number>();
  let run: Message[] = [];
  for (const message of messages) {
    run.push(message);
    for (const part of message.parts) settle(part, open);
    if (open.size > 0) continue;
    runs.push(run);
    run = [];
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

function settle(part: Part, open: Map<string, number>): void {
  if (part.kind === 'call') open.set(part.callId, (open.get(part.callId) ?? 0) + 1);
  if (part.kind !== 'result') return;
  const left = (open.get(part.callId) ?? 0) - 1;
  if (left > 0) open.set(part.callId, left);
  else open.delete(part.callId);
}
