import { dateFrom } from '../date.ts';
import { isObject, listAt, numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { blocksIn, joinMessages, plainMessage } from '../wire/plain-blocks.ts';
import { folderOf, isThread, promptTitle } from './detect.ts';

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const thread = isThread(document) ? document : undefined;
  if (thread === undefined) faults.add('torn', wholeFile(path), 'This document was cut off.');
  if (thread !== undefined && listAt(thread, 'messages').length === 0) {
    faults.add('missing-file', wholeFile(path), 'This is a stub: the messages of the thread are on a server of Amp.');
  }
  return readPieces<undefined>(
    {
      pieces: valuePieces({ file: path, pointer: '/messages', list: listAt(thread, 'messages') }),
      follow: () => meaningOf,
      dialect: () => 'anthropic-messages',
      copes: [],
      about: {
        id: textAt(thread, 'id'),
        title: textAt(thread, 'title'),
        version: numberAt(thread, 'v')?.toString(),
        cwd: folderOf(thread),
        created: dateFrom(numberAt(thread, 'created')),
      },
      finish: joinMessages,
    },
    faults,
  );
}

function meaningOf({ value }: Piece): Meaning<undefined> {
  const usage = objectAt(value, 'usage');
  const time = textAt(usage, 'timestamp') ?? dateFrom(numberAt(objectAt(value, 'meta'), 'sentAt'));
  const notes = { model: textAt(usage, 'model'), time, ...optional('prompt', promptTitle([value])) };
  const content = blocksIn(value['content']).flatMap(blockOf);
  const isFailed = textAt(objectAt(value, 'state'), 'type') === 'cancelled' && content.length === 0;
  return { wire: plainMessage({ role: value['role'], content }), notes, absent: isFailed ? 'failed' : undefined };
}

/** A block as the API takes it: the program keeps notes in some, and results in a form of its own. */
function blockOf(block: JsonObject): JsonObject[] {
  switch (block['type']) {
    case 'text':
      return textAt(block, 'text') ? [{ type: 'text', text: block['text'] }] : [];
    case 'thinking':
      if (textAt(block, 'signature') === undefined) return [];
      return [{ type: 'thinking', thinking: textAt(block, 'thinking') ?? '', signature: block['signature'] }];
    case 'tool_use':
      return [{ type: 'tool_use', id: block['id'], name: block['name'], input: objectAt(block, 'input') ?? {} }];
    case 'tool_result':
      return resultOf(block);
    default:
      return Object.hasOwn(block, 'source') ? [block] : [];
  }
}

/** What a tool gave is in `run`, with how it ended. A run that goes on has no result yet. */
function resultOf(block: JsonObject): JsonObject[] {
  const run = objectAt(block, 'run');
  const id = textAt(block, 'toolUseID') ?? textAt(block, 'tool_use_id') ?? '';
  const status = textAt(run, 'status') ?? 'done';
  if (run === undefined) return [{ ...block, tool_use_id: id }];
  if (status === 'in-progress' || status === 'queued') return [];
  const { result } = run;
  const error = objectAt(run, 'error');
  const text =
    typeof result === 'string' ? result : isObject(result) || Array.isArray(result) ? shown(result) : undefined;
  const content = text ?? textAt(error, 'message') ?? textAt(run, 'reason') ?? status;
  return [{ type: 'tool_result', tool_use_id: id, content, ...(status === 'done' ? {} : { is_error: true }) }];
}

/** Tools give their output under one of some keys; anything else is shown as it is. */
function shown(result: unknown): string {
  const found = ['output', 'content', 'diff'].map((key) => textAt(result, key)).find((text) => text !== undefined);
  return found ?? JSON.stringify(result);
}
