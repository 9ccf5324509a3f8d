import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS } from '../../model/synthetic.ts';

/** Says the same in the dialect of a framework, so that one example shows a rule in all of them. */
export type Tongue = {
  readonly dialect: string;
  readonly user: (text: string) => readonly unknown[];
  /** An answer: text unless it is empty, and calls to `read` by their ids. */
  readonly say: (text: string, ...calls: readonly string[]) => readonly unknown[];
  /** What `read` returned, by the id of the call. */
  readonly result: (id: string, text: string) => readonly unknown[];
  /** The result that stands in where none was recorded. */
  readonly closed: (id: string, text?: string) => readonly unknown[];
};

const sdkCall = (toolCallId: string): object => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} });

const sdkResult = (toolCallId: string, type: string, value: string): object => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type, value } }],
});

const modelMessages: Tongue = {
  dialect: 'ai-sdk-model',
  user: (text) => [{ role: 'user', content: [{ type: 'text', text }] }],
  say: (text, ...calls) => [
    { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls.map(sdkCall)] },
  ],
  result: (id, text) => [sdkResult(id, 'text', text)],
  closed: (id, text = RESULT_TEXTS.unknown) => [sdkResult(id, 'error-text', text)],
};

const chainCall = (id: string): object => ({ name: 'read', args: {}, id, type: 'tool_call' });

const chainMessages: Tongue = {
  dialect: 'langchain',
  user: (text) => [{ type: 'human', content: text }],
  say: (text, ...calls) => [{ type: 'ai', content: text, tool_calls: calls.map(chainCall) }],
  result: (id, text) => [{ type: 'tool', content: text, tool_call_id: id, name: 'read' }],
  closed: (id, text = RESULT_TEXTS.unknown) => [
    { type: 'tool', content: text, tool_call_id: id, name: 'read', status: 'error' },
  ],
};

const TONGUES: readonly Tongue[] = [modelMessages, chainMessages];

type Told = { readonly name: string; readonly options?: NonNullable<Example['options']> } & (
  | { readonly clean: unknown }
  | { readonly before: unknown; readonly after: unknown }
);

/** One example in the dialect of every framework whose calls and results are messages of their own. */
export function inTongues(tell: (tongue: Tongue) => Told): Example[] {
  return TONGUES.map((tongue) => ({ dialect: tongue.dialect, ...tell(tongue) }));
}
