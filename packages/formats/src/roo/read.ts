import { idOf } from '../cline/detect.ts';
import { isHistory, promptOf, turnOf } from '../cline/records.ts';
import { linkTextResults } from '../cline/text-results.ts';
import { dateFrom } from '../date.ts';
import { numberAt, optional } from '../json.ts';
import { valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading, RuleId } from '../session.ts';
import { titleFrom } from '../title.ts';
import type { Source } from '../tool.ts';
import { choose, tiesOf, type Ties } from './choose.ts';

/** What the program mends: it answers open calls, removes results without a call, and joins turns. */
const COPES: readonly RuleId[] = [
  'call-without-result',
  'result-without-call',
  'duplicate-result',
  'result-displaced',
  'late-result',
  'same-role-run',
  'empty-message',
];

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const messages = isHistory(document) ? linkTextResults(document) : [];
  if (!isHistory(document)) faults.add('torn', wholeFile(path), 'This document was cut off.');
  return readPieces<Ties>(
    {
      pieces: valuePieces({ file: path, pointer: '', list: messages }),
      follow: () => meaningOf,
      choose,
      dialect: () => 'anthropic-messages',
      copes: COPES,
      about: { id: idOf(path, document) },
    },
    faults,
  );
}

const meaningOf = ({ value }: Piece): Meaning<Ties> => ({
  turns: [turnOf(value)],
  notes: { time: dateFrom(numberAt(value, 'ts')), ...optional('prompt', titleFrom(promptOf(value))) },
  mark: tiesOf(value),
});
