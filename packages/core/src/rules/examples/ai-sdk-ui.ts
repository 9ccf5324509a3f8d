import { fingerprint } from '../../model/call-id.ts';
import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { partsOf, type Said } from './content.ts';

export const text = (words: string): object => ({ type: 'text', text: words });
export const user = (...said: Said[]): object => ({ id: 'm1', role: 'user', parts: partsOf(said, text) });
export const say = (...said: Said[]): object => ({ id: 'm2', role: 'assistant', parts: partsOf(said, text) });
export const system = (...said: Said[]): object => ({ id: 'm0', role: 'system', parts: partsOf(said, text) });
/** A user message that a repair inserts. Its id is made from what it says and where; -1 is the end of the list. */
export const added = (words: string, at = -1): object => {
  const parts = [text(words)];
  return { id: `msg_${fingerprint(`${String(at)} ${JSON.stringify(parts)}`)}`, role: 'user', parts };
};

/** Begins the next request of the same answer. */
export const step: object = { type: 'step-start' };
/** A call in the state that says how far it came. */
export const call = (id: string, state: string, tool = 'read'): object => ({
  type: `tool-${tool}`,
  toolCallId: id,
  state,
  input: { path: 'a' },
});
/** A call with what it returned, in one part. */
export const done = (id: string, output = 'A'): object => ({ ...call(id, 'output-available'), output });
/** A call that failed, or that a repair closed. */
export const failed = (id: string, errorText: string = RESULT_TEXTS.unknown): object => ({
  ...call(id, 'output-error'),
  errorText,
});
export const thought = (words: string): object => ({
  type: 'reasoning',
  text: words,
  providerMetadata: { anthropic: { signature: 'c2ln' } },
});
export const request = (...messages: unknown[]): object => ({ messages });
