import type { Dialect } from '@rethread/core';
import { dirname } from 'node:path';

import { dateFrom, inMilliseconds } from '../date.ts';
import { isObject, listAt, numberAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import { rowPieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Choice, type Kept, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading, RuleId } from '../session.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import { titleFrom } from '../title.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';

/** What the program mends: it answers open calls with errors, and removes results without a call. */
const COPES: readonly RuleId[] = ['call-without-result', 'result-without-call', 'empty-message', 'blank-text'];

export async function read({ path, sample, session, faults }: Source): Promise<Reading> {
  const { database, bytes } = sample;
  if (database !== undefined) reportDamage(database, bytes, faults);
  const [row] =
    (session === undefined
      ? database?.rows('SELECT * FROM sessions WHERE parent_session_id IS NULL ORDER BY updated_at DESC LIMIT 1')
      : database?.rows('SELECT * FROM sessions WHERE id = ?', session)) ?? [];
  if (row === undefined) faults.add('missing-head', wholeFile(path), 'There is no such session in here.');
  const id = textAt(row, 'id') ?? '';
  return readPieces<string>(
    {
      pieces: rowPieces({
        path,
        table: 'messages',
        key: 'id',
        sql: 'SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid',
        values: [id],
        unpack: 'parts',
      }),
      follow: () => (piece) => meaningOf(piece, textAt(row, 'summary_message_id')),
      choose: (kept) => choose(kept, textAt(row, 'summary_message_id')),
      dialect: ({ provider }) => dialectOf(provider),
      copes: COPES,
      about: {
        id: id || undefined,
        title: textAt(row, 'title') || undefined,
        cwd: dirname(dirname(path)),
        parent: textAt(row, 'parent_session_id'),
        created: dateFrom(inMilliseconds(numberAt(row, 'created_at'))),
      },
    },
    faults,
  );
}

/** A summary begins the history, as a message of the user. */
function choose(kept: readonly Kept<string>[], summary: string | undefined): Choice {
  const first = summary === undefined ? -1 : kept.findIndex(({ mark }) => mark === summary);
  return { absent: new Map(Array.from({ length: Math.max(0, first) }, (_, index) => [index, 'compacted' as const])) };
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  gemini: 'gemini',
  google: 'gemini',
  vertexai: 'gemini',
};

const dialectOf = (provider: string | undefined): Dialect =>
  (provider !== undefined && Object.hasOwn(DIALECTS, provider) ? DIALECTS[provider] : undefined) ?? 'openai-chat';

function meaningOf({ value }: Piece, summary: string | undefined): Meaning<string> {
  const parts = listAt(value, 'parts').filter(isObject);
  const said = parts.flatMap(partOf);
  const id = textAt(value, 'id') ?? '';
  const role = value['role'] === 'assistant' && id !== summary ? 'assistant' : 'user';
  const prompt =
    value['role'] === 'user'
      ? titleFrom(said.map((part) => (part.kind === 'text' ? part.text : '')).join(''))
      : undefined;
  return {
    turns: [{ role, parts: inOrder(said) }],
    mark: id,
    notes: {
      model: textAt(value, 'model') || undefined,
      provider: textAt(value, 'provider') || undefined,
      time: dateFrom(inMilliseconds(numberAt(value, 'updated_at') ?? numberAt(value, 'created_at'))),
      ...optional('prompt', prompt),
    },
  };
}

/** Whatever order they were kept in, reasoning comes first and calls come last. */
const inOrder = (parts: readonly Part[]): Part[] => [
  ...parts.filter(({ kind }) => kind === 'reasoning'),
  ...parts.filter(({ kind }) => kind !== 'reasoning' && kind !== 'call'),
  ...parts.filter(({ kind }) => kind === 'call'),
];

function partOf(part: JsonObject): Part[] {
  const data = objectAt(part, 'data') ?? {};
  switch (part['type']) {
    case 'text':
      return textPart(textAt(data, 'text')?.trim());
    case 'reasoning': {
      const seal = textAt(data, 'signature') || textAt(data, 'thought_signature') || undefined;
      return [{ kind: 'reasoning', text: textAt(data, 'thinking') ?? '', ...optional('seal', seal) }];
    }
    case 'tool_call': {
      const input = parseJson(textAt(data, 'input') ?? '');
      const call = {
        id: textAt(data, 'id') ?? '',
        name: textAt(data, 'name') ?? '',
        input: isObject(input) ? input : {},
      };
      return [{ kind: 'call', ...call }];
    }
    case 'tool_result':
      return [resultOf(data)];
    case 'shell_command': {
      const { command = '', output = '' } = { command: textAt(data, 'command'), output: textAt(data, 'output') };
      return textPart(`$ ${command}\n${output}\n(exit code ${numberAt(data, 'exit_code') ?? 0})`);
    }
    case 'binary':
      return [
        {
          kind: 'media',
          type: textAt(data, 'MIMEType') ?? textAt(data, 'mime_type') ?? '',
          data: textAt(data, 'Data') ?? textAt(data, 'data') ?? '',
        },
      ];
    case 'image_url':
      return [{ kind: 'media', type: 'image/png', url: textAt(data, 'url') ?? '' }];
    default:
      return [];
  }
}

const resultOf = (data: JsonObject): Part => ({
  kind: 'result',
  id: textAt(data, 'tool_call_id') ?? '',
  name: textAt(data, 'name') ?? '',
  text: textAt(data, 'content') ?? '',
  ...(data['is_error'] === true ? { isError: true } : {}),
});
