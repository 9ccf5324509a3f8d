import { decode, type Message } from '../src/index.ts';
import { assistant, result, text, user } from './anthropic-wire.ts';

/** A call that reads a file. */
export const read = (id: string, path: string, name = 'read_file'): object => ({
  type: 'tool_use',
  id,
  name,
  input: { path },
});

/** A summary as it is read back. */
export const summary = {
  content: '## Goal\n- fix it',
  timestamp: '2026-01-21T16:15:00Z',
  sourceRange: { from: 0, to: 42 },
};

/** The messages of a list, read. */
export const messagesOf = (list: readonly unknown[]): readonly Message[] => decode(list)?.messages ?? [];

/** A counter whose figures are easy to foresee. */
export const count = (words: string): number => Math.ceil(words.length / 4);

/** A session with all that a summary tells: goals, files, failures and an open call. */
export const session = [
  user('Fix the parser. Never touch the lexer.'),
  assistant([text('I look.'), read('c1', 'src/parser.ts'), read('c2', 'src/lexer.ts')]),
  user([result('c1', 'export function parse() {}'), result('c2', 'export function lex() {}')]),
  assistant([
    { type: 'tool_use', id: 'c3', name: 'edit_file', input: { file_path: 'src/parser.ts', new_string: 'x' } },
  ]),
  user([{ type: 'tool_result', tool_use_id: 'c3', content: 'no such text', is_error: true }]),
  assistant('The edit failed; I try another way.'),
  user('Go on.'),
  assistant([read('c4', 'test/parser.test.ts')]),
];
