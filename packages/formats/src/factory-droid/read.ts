import { dirname, join, basename } from 'node:path';

import { dateFrom } from '../date.ts';
import { isFile } from '../files/file-stat.ts';
import { readDocument } from '../files/read-document.ts';
import { numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { linePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning, type Notes } from '../pieces/read-pieces.ts';
import type { Reading, Related } from '../session.ts';
import type { Source } from '../tool.ts';
import { joinMessages, plainMessage } from '../wire/plain-blocks.ts';
import { textPart, type Turn } from '../wire/turn.ts';
import { isRecord, promptTitle } from './records.ts';

export async function read({ path, faults }: Source): Promise<Reading> {
  const file = join(dirname(path), `${basename(path, '.jsonl')}.settings.json`);
  const settings = (await isFile(file)) ? await readDocument(file, faults) : undefined;
  const related: Related[] = settings === undefined ? [] : [{ kind: 'side-file', path: file, isThere: true }];
  return readPieces<undefined>(
    {
      pieces: linePieces(path, isRecord),
      follow: () => meaningOf,
      dialect: () => 'anthropic-messages',
      copes: [],
      about: { model: textAt(settings, 'model') },
      related,
      finish: joinMessages,
    },
    faults,
  );
}

function meaningOf({ value }: Piece): Meaning<undefined> {
  const time = textAt(value, 'timestamp') ?? dateFrom(numberAt(value, 'timestamp'));
  const told: Notes = { time, id: textAt(value, 'session_id') ?? textAt(value, 'sessionId') };
  switch (value['type']) {
    case 'session_start':
      return { notes: startNotes(value) };
    case 'message': {
      const message = objectAt(value, 'message') ?? { role: value['role'], content: value['text'] };
      const notes = { ...told, model: textAt(message, 'model'), ...optional('prompt', promptTitle(message)) };
      return { wire: plainMessage(message), notes };
    }
    case 'tool_call':
    case 'tool_result':
      return { turns: [streamedTurn(value)], notes: told };
    case 'completion':
      return { turns: [{ role: 'assistant', parts: textPart(textAt(value, 'finalText')) }], notes: told };
    case 'system':
      return { notes: { ...told, model: textAt(value, 'model'), cwd: textAt(value, 'cwd') } };
    case 'todo_state':
    case 'session_end':
      return { notes: told };
    default:
      return { unknown: `Records of the type ${textAt(value, 'type') ?? ''} are not known here.` };
  }
}

const startNotes = (value: JsonObject): Notes => ({
  id: textAt(value, 'id'),
  title: textAt(value, 'sessionTitle') ?? textAt(value, 'title'),
  cwd: textAt(value, 'cwd'),
  version: textAt(value, 'version') ?? numberAt(value, 'version')?.toString(),
});

/** Calls and results that stand alone on their lines. */
function streamedTurn(value: JsonObject): Omit<Turn, 'places'> {
  const id = textAt(value, 'toolCallId') ?? textAt(value, 'id') ?? '';
  const name = textAt(value, 'toolName') ?? textAt(value, 'toolId') ?? '';
  if (value['type'] === 'tool_call') {
    return { role: 'assistant', parts: [{ kind: 'call', id, name, input: objectAt(value, 'parameters') ?? {} }] };
  }
  const { value: given } = value;
  const output = typeof given === 'string' ? given : (textAt(given, 'stdout') ?? JSON.stringify(given ?? ''));
  const isError = value['isError'] === true;
  return { role: 'user', parts: [{ kind: 'result', id, name, text: output, ...(isError ? { isError } : {}) }] };
}
