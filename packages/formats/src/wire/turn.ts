import type { JsonObject } from '../json.ts';
import type { Place } from '../place.ts';

/** A piece of what is said, in the words that all APIs share. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `seal` is what the provider gave to know its own reasoning by. */
  | { readonly kind: 'reasoning'; readonly text: string; readonly seal?: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly seal?: string;
    }
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly isError?: boolean;
      readonly media?: readonly Media[];
    }
  | Media;

/** An image or a file: its data in base64, or where it lies. */
export type Media = {
  readonly kind: 'media';
  readonly type: string;
  readonly data?: string;
  readonly url?: string;
};

/** What one side says, and where it stands. */
export type Turn = {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly Part[];
  readonly places: readonly Place[];
};

/** Divides the parts of a turn into results and everything else: most APIs want results apart. */
export function apart(parts: readonly Part[]): {
  readonly results: readonly (Part & { readonly kind: 'result' })[];
  readonly rest: readonly Part[];
} {
  const results = parts.filter((part) => part.kind === 'result');
  return { results, rest: parts.filter((part) => part.kind !== 'result') };
}

export const textPart = (text: string | undefined): Part[] => (text ? [{ kind: 'text', text }] : []);

/** The texts among some parts as one. */
export const textIn = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

export const reasoningIn = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'reasoning' ? part.text : '')).join('');

export const urlOf = ({ url, type, data }: Media): string => url ?? `data:${type};base64,${data ?? ''}`;
