import type { Dialect } from '@rethread/core';

import { isObject, optional, textAt, type JsonObject } from '../json.ts';
import { linePieces, valuePieces, type Pieces } from '../pieces/piece.ts';
import { readPieces } from '../pieces/read-pieces.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { dialectOfLines, findMessages, titleOf } from './detect.ts';

/** Messages as they are sent: nothing is taken off, and nobody mends them. */
export async function read({ path, sample, session, faults }: Source): Promise<Reading> {
  const found = findMessages(sample.document(), session);
  const isMessage = (value: JsonObject): boolean =>
    textAt(value, 'role') !== undefined || textAt(value, 'type') !== undefined;
  const pieces: Pieces =
    found === undefined
      ? linePieces(path, isMessage)
      : valuePieces({ file: path, pointer: found.pointer, list: found.list });
  const dialect: Dialect = found?.dialect ?? dialectOfLines(sample.head) ?? 'openai-chat';
  return readPieces<undefined>(
    {
      pieces,
      follow:
        () =>
        ({ value }) =>
          isMessage(value) || Object.hasOwn(value, 'parts') ? { wire: [value] } : { unknown: 'This is no message.' },
      dialect: () => dialect,
      copes: [],
      about: {
        id: session,
        title: titleOf(found?.list ?? sample.head),
        model: textAt(found?.body, 'model'),
        ...optional('system', systemOf(found?.body)),
      },
    },
    faults,
  );
}

/** The system prompt of a whole request, where it stands beside the messages. */
function systemOf(body: JsonObject | undefined): string | undefined {
  const held = body?.['system'] ?? body?.['instructions'];
  if (typeof held === 'string') return held;
  const texts = (Array.isArray(held) ? held : []).filter(isObject).map((block) => textAt(block, 'text') ?? '');
  return texts.join('\n') || undefined;
}
