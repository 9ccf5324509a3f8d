import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { rowPieces, valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { messagesIn, promptIn, unpacked } from './detect.ts';

/** The newest format of a message that is known here. */
const FORMAT = 2;

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  if (sample.database !== undefined) return readDatabase(source);
  const document = sample.document();
  const { list = [], dialect = 'ai-sdk-ui' } = messagesIn(document) ?? {};
  return readPieces<undefined>(
    {
      pieces: valuePieces({ file: path, pointer: Array.isArray(document) ? '' : '/messages', list }),
      follow:
        () =>
        ({ value }) => ({ wire: [value], ...optional('notes', notesOf(value)) }),
      dialect: () => dialect,
      copes: [],
    },
    faults,
  );
}

const notesOf = (value: JsonObject) => {
  const prompt = promptIn(value);
  return prompt === undefined ? undefined : { prompt };
};

async function readDatabase({ path, sample, session, faults }: Source): Promise<Reading> {
  const { database, bytes } = sample;
  if (database !== undefined) reportDamage(database, bytes, faults);
  const [newest] = database?.rows('SELECT thread_id FROM mastra_messages ORDER BY createdAt DESC LIMIT 1') ?? [];
  const id = session ?? textAt(newest, 'thread_id');
  if (id === undefined) faults.add('missing-head', wholeFile(path), 'There is no thread in here.');
  return readPieces<undefined>(
    {
      pieces: rowPieces({
        path,
        table: 'mastra_messages',
        key: 'id',
        sql: 'SELECT * FROM mastra_messages WHERE thread_id = ? ORDER BY createdAt, rowid',
        values: [id ?? ''],
      }),
      follow: () => rowMeaning,
      dialect: () => 'ai-sdk-ui',
      copes: ['same-role-run', 'first-message-not-user'],
      about: { id },
    },
    faults,
  );
}

function rowMeaning({ value }: Piece): Meaning<undefined> {
  const message = unpacked(value);
  const format = message['format'];
  const parts = listAt(message, 'parts').filter(isObject).map(presentPart);
  const told = { id: message['id'], role: message['role'], parts };
  const notes = { time: textAt(value, 'createdAt'), model: modelIn(parts), ...optional('prompt', promptIn(message)) };
  const isNewer = typeof format === 'number' && format > FORMAT;
  return { wire: [told], notes, ...(isNewer ? { unknown: `Format ${format} of a message is not known here.` } : {}) };
}

/** States of a call in the fourth version of the AI SDK, and what the fifth calls them. */
const STATES: Readonly<Record<string, string>> = {
  'partial-call': 'input-streaming',
  call: 'input-available',
  result: 'output-available',
};

/** Mastra keeps the parts of the fourth version, and makes those of the fifth of them before it sends them. */
function presentPart(part: JsonObject): JsonObject {
  const call = objectAt(part, 'toolInvocation');
  if (part['type'] === 'reasoning' && !Object.hasOwn(part, 'text')) {
    const details = listAt(part, 'details').map((detail) => textAt(detail, 'text') ?? '');
    return { type: 'reasoning', text: textAt(part, 'reasoning') || details.join('') };
  }
  if (part['type'] !== 'tool-invocation' || call === undefined) return part;
  const state = STATES[textAt(call, 'state') ?? ''] ?? 'input-available';
  return {
    type: `tool-${textAt(call, 'toolName') ?? ''}`,
    toolCallId: call['toolCallId'],
    state,
    input: objectAt(call, 'args') ?? {},
    ...(state === 'output-available' ? { output: call['result'] } : {}),
  };
}

const modelIn = (parts: readonly JsonObject[]): string | undefined =>
  parts.map((part) => textAt(part, 'model')).findLast((model) => model !== undefined);
