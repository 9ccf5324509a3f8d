import { dirname } from 'node:path';

import { textAt } from '../json.ts';
import type { Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import type { Reading, RuleId } from '../session.ts';
import { titleFrom } from '../title.ts';
import type { Source } from '../tool.ts';
import { blocksOf } from './blocks.ts';

/** What the program mends when it restores a chat: sides take turns. */
const COPES: readonly RuleId[] = ['same-role-run', 'ends-with-assistant', 'first-message-not-user'];

export const read = async ({ path, faults }: Source): Promise<Reading> =>
  readPieces<undefined>(
    {
      pieces: blocksOf(path),
      follow: () => meaningOf,
      dialect: () => 'openai-chat',
      copes: COPES,
      about: { id: path, cwd: dirname(path) },
    },
    faults,
  );

function meaningOf({ value }: Piece): Meaning<undefined> {
  const content = textAt(value, 'content') ?? '';
  if (content === '') return {};
  switch (value['role']) {
    case 'session':
      return { notes: { time: timeOf(content) } };
    case 'tool':
      return { wire: [{ content }], absent: 'hidden', notes: { model: modelIn(content) } };
    case 'user': {
      const prompt = /^[/!]/.test(content) ? undefined : titleFrom(content);
      return { wire: [{ role: 'user', content }], ...(prompt === undefined ? {} : { notes: { prompt } }) };
    }
    default:
      return { wire: [{ role: 'assistant', content }] };
  }
}

/** The program tells its models when it starts. */
const modelIn = (content: string): string | undefined => /^(?:Main model|Model): (\S+)/m.exec(content)?.[1];

const timeOf = (content: string): string | undefined => {
  const time = Date.parse(content.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};
