import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import { valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { messagesIn, taskOf } from './detect.ts';

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const messages = messagesIn(document);
  if (messages === undefined) faults.add('torn', wholeFile(path), 'This document was cut off.');
  const info = isObject(document) ? objectAt(document, 'info') : undefined;
  const isResponses = (messages ?? []).some((each) => isObject(each) && isItem(each));
  const model = objectAt(objectAt(info, 'config'), 'model');
  return readPieces<undefined>(
    {
      pieces: valuePieces({ file: path, pointer: Array.isArray(document) ? '' : '/messages', list: messages ?? [] }),
      follow: () => meaningOf,
      dialect: () => (isResponses ? 'openai-responses' : 'openai-chat'),
      copes: [],
      about: {
        title: taskOf(messages ?? []),
        version: textAt(info, 'mini_version') ?? textAt(document, 'trajectory_format'),
        model: textAt(model, 'model_name'),
      },
    },
    faults,
  );
}

/** Models of the Responses API leave their whole answer, and results as items. */
const isItem = (value: JsonObject): boolean =>
  Array.isArray(value['output']) || value['type'] === 'function_call_output';

function meaningOf({ value }: Piece): Meaning<undefined> {
  // How a run ended is noted as a message that nobody is sent.
  if (value['role'] === 'exit') return { wire: [plain(value)], absent: 'hidden' };
  if (Array.isArray(value['output'])) return { wire: listAt(value, 'output').filter(isObject) };
  return { wire: [plain(value)] };
}

const plain = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'extra' && key !== 'timestamp'));
