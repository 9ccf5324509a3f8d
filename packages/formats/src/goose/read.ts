import type { Dialect } from '@rethread/core';

import { dateFrom, inMilliseconds } from '../date.ts';
import { isObject, listAt, numberAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import { linePieces, rowPieces, valuePieces, type Piece, type Pieces } from '../pieces/piece.ts';
import { readPieces, type Meaning, type Notes } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading, RuleId } from '../session.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { isExport, isHead, isMessage, promptTitle } from './detect.ts';

/** What the program mends before each request: pairs, empty messages, the first one and the last one. */
const COPES: readonly RuleId[] = [
  'call-without-result',
  'result-without-call',
  'empty-message',
  'blank-text',
  'same-role-run',
  'first-message-not-user',
  'ends-with-assistant',
];

/** The newest schema of the database that is known here. */
const SCHEMA = 15;

export async function read(source: Source): Promise<Reading> {
  const { pieces, about } = open(source);
  const { provider } = about;
  return readPieces<undefined>(
    {
      pieces,
      follow: () => meaningOf,
      dialect: () => dialectOf(provider, about.model),
      copes: COPES,
      about,
    },
    source.faults,
  );
}

type Opened = { readonly pieces: Pieces; readonly about: Notes };

function open(source: Source): Opened {
  const { path, sample } = source;
  if (sample.database !== undefined) return openDatabase(source);
  const document = sample.document();
  const pieces = isExport(document)
    ? valuePieces({ file: path, pointer: '/conversation', list: listAt(document, 'conversation') })
    : linePieces(path, (value) => isMessage(value) || isHead(value), {
        typeOf: (value) => textAt(value, 'role') ?? 'session',
      });
  return { pieces, about: isExport(document) ? notesOf(document) : {} };
}

function openDatabase({ path, sample, session, faults }: Source): Opened {
  const { database, bytes } = sample;
  if (database !== undefined) reportDamage(database, bytes, faults);
  const rows = (sql: string, ...values: string[]) => database?.rows(sql, ...values) ?? [];
  const [version] = rows('SELECT max(version) AS version FROM schema_version');
  const schema = numberAt(version, 'version') ?? 0;
  if (schema > SCHEMA) {
    faults.add('newer-version', wholeFile(path), `Schema ${schema} is newer than what is known here (${SCHEMA}).`);
  }
  const [row] =
    session === undefined
      ? rows('SELECT * FROM sessions ORDER BY updated_at DESC LIMIT 1')
      : rows('SELECT * FROM sessions WHERE id = ?', session);
  if (row === undefined) faults.add('missing-head', wholeFile(path), 'There is no such session in here.');
  const pieces = rowPieces({
    path,
    table: 'messages',
    key: 'id',
    sql: `SELECT id, role, content_json AS content, created_timestamp AS created, metadata_json FROM messages
      WHERE session_id = ? ORDER BY created_timestamp, id`,
    values: [textAt(row, 'id') ?? ''],
    unpack: 'content',
  });
  return { pieces, about: { ...notesOf(row), version: schema === 0 ? undefined : String(schema) } };
}

function notesOf(session: JsonObject | undefined): Notes {
  const config = parseJson(textAt(session, 'model_config_json') ?? '');
  return {
    id: textAt(session, 'id'),
    title: textAt(session, 'description') || textAt(session, 'name') || undefined,
    cwd: textAt(session, 'working_dir'),
    provider: textAt(session, 'provider_name'),
    model:
      textAt(config, 'model_name') ??
      textAt(session === undefined ? undefined : objectAt(session, 'model_config'), 'model_name'),
  };
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  'claude-code': 'anthropic-messages',
  google: 'gemini',
  gemini_oauth: 'gemini',
  gcp_vertex_ai: 'gemini',
  aws_bedrock: 'bedrock-converse',
};

/** Providers that are not known by name speak Chat Completions. Bedrock is shown in the words of Anthropic. */
const dialectOf = (provider: string | undefined, model: string | undefined): Dialect => {
  const known = provider !== undefined && Object.hasOwn(DIALECTS, provider) ? DIALECTS[provider] : undefined;
  if (known === 'bedrock-converse' || (known === 'gemini' && /claude/.test(model ?? ''))) return 'anthropic-messages';
  return known ?? 'openai-chat';
};

function meaningOf({ value }: Piece): Meaning<undefined> {
  if (isHead(value)) return { notes: { ...notesOf(value) } };
  if (!Array.isArray(value['content'])) return { unknown: 'This is no message.' };
  const metadata = objectAt(value, 'metadata') ?? parseJson(textAt(value, 'metadata_json') ?? '');
  const isSent = !isObject(metadata) || metadata['agentVisible'] !== false;
  const content = listAt(value, 'content').filter(isObject);
  const time = dateFrom(inMilliseconds(numberAt(value, 'created')));
  return {
    turns: [{ role: value['role'] === 'assistant' ? 'assistant' : 'user', parts: content.flatMap(partOf) }],
    // A compaction hides what it stands for from the agent.
    absent: isSent ? undefined : 'compacted',
    notes: { time, ...optional('prompt', promptTitle([value])) },
  };
}

function partOf(part: JsonObject): Part[] {
  switch (part['type']) {
    case 'text':
      return textPart(textAt(part, 'text'));
    case 'thinking': {
      const seal = textAt(part, 'signature') || undefined;
      return [{ kind: 'reasoning', text: textAt(part, 'thinking') ?? '', ...optional('seal', seal) }];
    }
    case 'image':
      return [{ kind: 'media', type: textAt(part, 'mimeType') ?? '', data: textAt(part, 'data') ?? '' }];
    case 'toolRequest':
    case 'frontendToolRequest':
      return [callOf(part)];
    case 'toolResponse':
      return [resultOf(part)];
    default:
      return [];
  }
}

/** A call that did not parse has an error where its name and its arguments would be. */
function callOf(part: JsonObject): Part {
  const call = objectAt(objectAt(part, 'toolCall'), 'value');
  const name = textAt(call, 'name') ?? 'unreadable';
  return { kind: 'call', id: textAt(part, 'id') ?? '', name, input: objectAt(call, 'arguments') ?? {} };
}

function resultOf(part: JsonObject): Part {
  const result = objectAt(part, 'toolResult');
  const value = result?.['value'];
  const content = (Array.isArray(value) ? value : listAt(value, 'content')).filter(isObject);
  const error = textAt(result, 'error');
  const isError = error !== undefined || (isObject(value) && value['isError'] === true);
  const text =
    error ??
    content
      .map((each) => textAt(each, 'text') ?? '')
      .filter((said) => said !== '')
      .join('\n');
  return { kind: 'result', id: textAt(part, 'id') ?? '', name: '', text, ...(isError ? { isError } : {}) };
}
