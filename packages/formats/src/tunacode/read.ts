import { isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from '../json.ts';
import { valuePieces } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import { isExchange } from '../pydantic-ai/detect.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { isSession, titleOf } from './detect.ts';

/** The version of the document, which did not change with the form of its messages. */
const VERSION = 1;

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const session = isSession(document) ? document : undefined;
  if (session === undefined) faults.add('torn', wholeFile(path), 'This document was cut off.');
  const version = numberAt(session, 'version');
  if (version !== undefined && version > VERSION) {
    faults.add('newer-version', wholeFile(path), `Version ${version} is newer than what is known here (${VERSION}).`);
  }
  const messages = listAt(session, 'messages').filter(isObject);
  const isOld = messages.some(isExchange);
  if (isOld) {
    const note = 'These messages are of Pydantic AI: tunacode refuses them since February 2026.';
    faults.add('stale-index', wholeFile(path), note);
  }
  return readPieces<undefined>(
    {
      pieces: valuePieces({
        file: path,
        pointer: '/messages',
        list: listAt(session, 'messages'),
        typeOf: (value) => textAt(value, 'kind') ?? textAt(value, 'role') ?? 'thought',
      }),
      follow:
        () =>
        ({ value }) =>
          isOld ? exchangeMeaning(value) : messageMeaning(value),
      dialect: () => (isOld ? 'pydantic-ai' : 'openai-chat'),
      copes: ['call-without-result', 'consecutive-requests'],
      about: {
        id: textAt(session, 'session_id'),
        title: titleOf(messages),
        cwd: textAt(session, 'working_directory'),
        model: textAt(session, 'current_model'),
        created: textAt(session, 'created_at'),
        time: textAt(session, 'last_modified'),
      },
    },
    faults,
  );
}

/** Thoughts stand between messages, and are shown only. */
function exchangeMeaning(value: JsonObject): Meaning<undefined> {
  if (Object.hasOwn(value, 'thought')) return { wire: [value], absent: 'hidden' };
  return isExchange(value) ? { wire: [value] } : { unknown: 'This is no message of Pydantic AI.' };
}

function messageMeaning(value: JsonObject): Meaning<undefined> {
  if (Object.hasOwn(value, 'thought')) return { wire: [value], absent: 'hidden' };
  const { role, content } = value;
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(value, 'content').filter(isObject);
  if (role === 'user' || role === 'assistant') return { turns: [{ role, parts: blocks.flatMap(partOf) }] };
  if (role === 'system') return { wire: [{ role, content: textOf(blocks) }] };
  if (role !== 'tool_result' && role !== 'tool') return { unknown: 'This is no message.' };
  const isError = value['is_error'] === true;
  const id = textAt(value, 'tool_call_id') ?? '';
  const result: Part = {
    kind: 'result',
    id,
    name: textAt(value, 'tool_name') ?? '',
    text: textOf(blocks),
    ...(isError ? { isError } : {}),
  };
  return { turns: [{ role: 'user', parts: [result] }] };
}

const textOf = (blocks: readonly JsonObject[]): string => blocks.map((block) => textAt(block, 'text') ?? '').join('');

function partOf(block: JsonObject): Part[] {
  switch (block['type']) {
    case 'text':
      return textPart(textAt(block, 'text'));
    case 'thinking':
      return [{ kind: 'reasoning', text: textAt(block, 'thinking') ?? textAt(block, 'text') ?? '' }];
    case 'tool_call': {
      const id = textAt(block, 'id') ?? textAt(block, 'tool_call_id') ?? '';
      return [{ kind: 'call', id, name: textAt(block, 'name') ?? '', input: objectAt(block, 'arguments') ?? {} }];
    }
    default:
      return [];
  }
}
