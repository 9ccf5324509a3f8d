import type { JsonObject } from '../judges/docket.ts';

/** One typed piece of a reply, in no provider's format. */
export type ReplyPart = TextPart | ReasoningPart | CallPart | RefusalPart | OpaquePart;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** Reasoning, which the API seals so that it knows it again; `seal` replaces the genuine seal. */
export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly redacted?: boolean;
  readonly seal?: string;
}

/** A tool call. Input given as a string is sent as it is, however broken. */
export interface CallPart {
  readonly kind: 'call';
  readonly tool: string;
  readonly input: JsonObject | string;
  readonly id?: string;
}

export interface RefusalPart {
  readonly kind: 'refusal';
  readonly text: string;
}

/** A piece in the provider's own format, passed on as it is; chat completions have no place for it. */
export interface OpaquePart {
  readonly kind: 'opaque';
  readonly value: JsonObject;
}

export type Stop = 'end' | 'calls' | 'length' | 'pause' | 'refusal';

/** Token figures; what is absent is estimated from the length of the texts. */
export interface ReplyUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** What the model says; without `stop` the parts decide. */
export interface Reply {
  readonly parts: readonly ReplyPart[];
  readonly stop?: Stop;
  readonly usage?: ReplyUsage;
}

/** What a model gives instead of a reply when it cannot give one. */
export interface Failure {
  readonly failure: string;
  readonly status?: number;
}

export const isFailure = (reply: Reply | Failure): reply is Failure => 'failure' in reply;

/** Why a reply cannot be sent, or nothing. */
export function faultIn({ parts, stop }: Reply): string | undefined {
  if (stop !== 'pause' || parts.at(-1)?.kind === 'opaque') return undefined;
  // An API accepts a paused turn back only where it sees that its own tool is at work.
  return 'a reply that pauses ends with a piece of a tool that the provider runs, of the kind `opaque`';
}

export function text(words: string): TextPart {
  return { kind: 'text', text: words };
}

export function reasoning(words: string, extra: { redacted?: boolean; seal?: string } = {}): ReasoningPart {
  return { kind: 'reasoning', text: words, ...extra };
}

export function call(tool: string, input: JsonObject | string = {}, id?: string): CallPart {
  return { kind: 'call', tool, input, ...(id !== undefined && { id }) };
}

/** A reply of these parts; a string is a text. */
export function reply(...parts: readonly (ReplyPart | string)[]): Reply {
  return { parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)) };
}

export function stopOf({ parts, stop }: Reply): Stop {
  if (stop !== undefined) return stop;
  if (parts.some(({ kind }) => kind === 'refusal')) return 'refusal';
  return parts.some(({ kind }) => kind === 'call') ? 'calls' : 'end';
}

/** The text of a call's input as providers stream it. */
export function inputText({ input }: CallPart): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** The input as an object, or nothing when it was given as text that is none. */
export function inputObject({ input }: CallPart): JsonObject | undefined {
  if (typeof input !== 'string') return input;
  try {
    const parsed: unknown = JSON.parse(input);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
