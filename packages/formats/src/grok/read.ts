import { dirname, join } from 'node:path';

import { dateFrom, inMilliseconds } from '../date.ts';
import { isFile } from '../files/file-stat.ts';
import { readDocument } from '../files/read-document.ts';
import { isObject, listAt, numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { linePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import type { Reading, Related } from '../session.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';
import type { WireMessage } from '../wire/wire-message.ts';
import { rowMeaning } from './chat-row.ts';
import { idOf, promptTitle } from './detect.ts';
import { isChatRow, isRecord, updateIn } from './records.ts';

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const file = join(dirname(path), 'summary.json');
  const summary = (await isFile(file)) ? await readDocument(file, faults) : undefined;
  const about = isObject(summary) ? summary : undefined;
  const related: Related[] = about === undefined ? [] : [{ kind: 'index', path: file, isThere: true }];
  return readPieces<undefined>(
    {
      pieces: linePieces(path, isRecord, {
        typeOf: (value) => textAt(updateIn(value) ?? value, 'sessionUpdate') ?? textAt(value, 'type') ?? '',
      }),
      follow: () => (piece) => (updateIn(piece.value) === undefined ? rowMeaning(piece.value) : updateMeaning(piece)),
      dialect: () => 'openai-responses',
      copes: [],
      about: {
        id: idOf(path, sample.head),
        title: textAt(about, 'generated_title') ?? textAt(about, 'session_summary'),
        cwd: textAt(objectAt(about, 'info'), 'cwd'),
        created: textAt(about, 'created_at'),
        model: textAt(about, 'current_model_id'),
      },
      related,
      ...(sample.head.some(isChatRow) ? {} : { finish: joinChunks }),
    },
    faults,
  );
}

/** Kinds of updates that are notes. */
const NOTES: ReadonlySet<string> = new Set(
  `plan hook_execution retry_state turn_completed available_commands_update current_mode_update usage_update
  task_backgrounded task_completed session_recap`.split(/\s+/),
);

function updateMeaning({ value }: Piece): Meaning<undefined> {
  const update = updateIn(value) ?? {};
  const kind = textAt(update, 'sessionUpdate') ?? '';
  const text = textAt(objectAt(update, 'content'), 'text') ?? '';
  const time = dateFrom(inMilliseconds(numberAt(value, 'timestamp')));
  const model = textAt(objectAt(update, '_meta'), 'modelId');
  const notes = { time, model, ...optional('prompt', promptTitle(value)) };
  switch (kind) {
    case 'user_message_chunk':
      return { turns: [{ role: 'user', parts: textPart(text) }], notes };
    case 'agent_message_chunk':
      return { turns: [{ role: 'assistant', parts: textPart(text) }], notes };
    case 'agent_thought_chunk':
      return { wire: [{ text }], absent: 'hidden', notes };
    case 'tool_call':
      return { turns: [{ role: 'assistant', parts: [callOf(update)] }], notes };
    case 'tool_call_update':
      return { ...resultOf(update), notes };
    default:
      return { notes, ...(NOTES.has(kind) ? {} : { unknown: `Updates of the kind ${kind} are not known here.` }) };
  }
}

const callOf = (update: JsonObject): Part => ({
  kind: 'call',
  id: textAt(update, 'toolCallId') ?? '',
  name: textAt(objectAt(objectAt(update, '_meta'), 'x.ai/tool'), 'name') ?? textAt(update, 'title') ?? 'tool',
  input: objectAt(update, 'rawInput') ?? {},
});

/** Updates of a call follow each other until one says how it ended. */
function resultOf(update: JsonObject): Meaning<undefined> {
  const status = textAt(update, 'status');
  if (status !== 'completed' && status !== 'failed') return {};
  const shown = listAt(update, 'content').map(
    (each) => textAt(isObject(each) ? objectAt(each, 'content') : undefined, 'text') ?? '',
  );
  const raw = update['rawOutput'];
  const text = shown.join('') || (raw === undefined ? '' : JSON.stringify(raw));
  const id = textAt(update, 'toolCallId') ?? '';
  const isError = status === 'failed';
  return {
    turns: [{ role: 'user', parts: [{ kind: 'result', id, name: '', text, ...(isError ? { isError } : {}) }] }],
  };
}

/** What is said comes in chunks: those that follow each other are one message. */
function joinChunks(wire: WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = [];
  for (const each of wire) {
    const last = joined.at(-1);
    const [before, now] = [textIn(last), textIn(each)];
    if (
      last === undefined ||
      before === undefined ||
      now === undefined ||
      last.message['role'] !== each.message['role']
    ) {
      joined.push(each);
      continue;
    }
    const type = each.message['role'] === 'assistant' ? 'output_text' : 'input_text';
    const message = { ...last.message, content: [{ type, text: before + now }] };
    joined[joined.length - 1] = { message, places: [...last.places, ...each.places] };
  }
  return joined;
}

/** The text of a message that holds nothing else. */
function textIn(wire: WireMessage | undefined): string | undefined {
  const content = listAt(wire?.message, 'content');
  return content.length === 1 ? textAt(content[0], 'text') : undefined;
}
