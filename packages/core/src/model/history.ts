import type { Message } from './part.ts';

/** An immutable list of messages in one dialect, readable in the words of every dialect. */
export type History<D extends string = string> = { readonly dialect: D; readonly messages: readonly Message[] };
