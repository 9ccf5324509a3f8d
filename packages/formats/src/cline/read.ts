import type { Dialect } from '@rethread/core';
import { dirname, join } from 'node:path';

import { dateFrom } from '../date.ts';
import type { FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { readDocument } from '../files/read-document.ts';
import { isObject, listAt, numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Choice, type Kept, type Meaning, type Notes } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading, Related, RuleId } from '../session.ts';
import { titleFrom } from '../title.ts';
import type { Source } from '../tool.ts';
import { applyCompaction, readCompaction, type Compaction } from './compaction.ts';
import { firstSaid, idOf } from './detect.ts';
import { applyEdits, deletedRange } from './edits.ts';
import { isHistory, isScreen, isSession, promptOf, turnOf } from './records.ts';
import { linkTextResults } from './text-results.ts';

/** What the program mends: it answers open calls with errors, and puts results where they belong. */
export const COPES: readonly RuleId[] = [
  'call-without-result',
  'result-displaced',
  'late-result',
  'same-role-run',
  'blank-text',
  'empty-message',
];

/** The newest version of the format that is known here. */
const VERSION = 1;

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  const document = sample.document();
  if (isSession(document)) return readSession(source, document);
  if (isHistory(document)) return readTask(source, document);
  if (isScreen(document)) return readScreen(source, document);
  faults.add(
    'torn',
    wholeFile(path),
    'This document was cut off. Cline starts with an empty history, and overwrites it.',
  );
  return readMessages(source, { messages: [], pointer: '' });
}

async function readSession(source: Source, document: JsonObject): Promise<Reading> {
  const { path, faults } = source;
  const version = numberAt(document, 'version');
  if (version !== undefined && version > VERSION) {
    faults.add('newer-version', wholeFile(path), `Version ${version} is newer than what is known here (${VERSION}).`);
  }
  const messages = listAt(document, 'messages').filter(isObject);
  const base = path.replace(/\.messages\.json$/, '');
  const index = base === path ? undefined : await documentAt(`${base}.json`, faults);
  if (index === undefined && base !== path) {
    const note = 'The file that says what this session is is missing. Cline overwrites the messages without it.';
    faults.add('missing-file', wholeFile(`${base}.json`), note);
  }
  const compaction = base === path ? undefined : await readCompaction(`${base}.compaction.json`, messages, faults);
  return readMessages(source, {
    messages,
    pointer: '/messages',
    compaction,
    related: index === undefined ? [] : [{ kind: 'index', path: `${base}.json`, isThere: true }],
    about: {
      id: textAt(document, 'sessionId'),
      version: textAt(objectAt(document, 'origin'), 'version'),
      cwd: textAt(index, 'cwd'),
      title: textAt(objectAt(index, 'metadata'), 'title'),
      parent: textAt(index, 'parent_session_id'),
      provider: textAt(index, 'provider'),
      model: textAt(index, 'model'),
      system: textAt(document, 'system_prompt'),
    },
  });
}

/** A folder of a task: what was sent, how it was edited since, and what the screen showed. */
async function readTask(source: Source, document: readonly JsonObject[]): Promise<Reading> {
  const { path, faults } = source;
  const beside = (name: string): Promise<unknown> => documentAt(join(dirname(path), name), faults);
  const edits = await beside('context_history.json');
  const range = deletedRange(await beside('ui_messages.json'));
  const edited = applyEdits(document, edits);
  return readMessages(source, {
    messages: linkTextResults(edited),
    pointer: '',
    range,
    about: { id: idOf(path, document) },
  });
}

/** What the screen showed tells what happened; what is sent stands in the file beside it. */
async function readScreen(source: Source, screen: readonly JsonObject[]): Promise<Reading> {
  const { path, faults } = source;
  const file = join(dirname(path), 'api_conversation_history.json');
  const history = await documentAt(file, faults);
  const related: Related[] = [{ kind: 'base', path: file, isThere: history !== undefined }];
  const pieces = valuePieces({ file: path, pointer: '', list: screen, typeOf: (value) => kindOf(value) });
  const shown = await readPieces<undefined>(
    {
      pieces,
      follow:
        () =>
        ({ value }) =>
          meaningOnScreen(value),
      dialect: dialectOf,
      copes: COPES,
      about: { id: idOf(path, screen), title: titleFrom(firstSaid(screen)) },
      related,
    },
    faults,
  );
  if (!isHistory(history)) {
    faults.add('missing-file', wholeFile(file), 'What is sent stands in this file; the screen does not tell it.');
    return shown;
  }
  const task = await readTask({ ...source, path: file }, history);
  return { ...shown, active: task.active };
}

const kindOf = (value: JsonObject): string => textAt(value, 'say') ?? textAt(value, 'ask') ?? '';

function meaningOnScreen(value: JsonObject): Meaning<undefined> {
  const info = objectAt(value, 'modelInfo');
  const notes = { model: textAt(info, 'modelId'), provider: textAt(info, 'providerId'), time: timeOf(value) };
  return { wire: [{ text: textAt(value, 'text') ?? '' }], absent: 'hidden', notes };
}

async function documentAt(path: string, faults: FaultLog): Promise<unknown> {
  return (await isFile(path)) ? readDocument(path, faults) : undefined;
}

type History = {
  readonly messages: readonly JsonObject[];
  readonly pointer: string;
  readonly compaction?: Compaction | undefined;
  /** The first and the last message that were taken out to make room. */
  readonly range?: readonly [number, number] | undefined;
  readonly about?: Notes;
  readonly related?: readonly Related[];
};

async function readMessages({ path, faults }: Source, history: History): Promise<Reading> {
  const { messages, pointer, compaction, range, about = {}, related = [] } = history;
  const reading = await readPieces<undefined>(
    {
      pieces: valuePieces({ file: path, pointer, list: messages }),
      follow: () => meaningOf,
      choose: (kept) => choose(kept, compaction?.covers, range),
      dialect: dialectOf,
      copes: COPES,
      about,
      related: [...related, ...(compaction === undefined ? [] : [compaction.related])],
    },
    faults,
  );
  return compaction?.covers === undefined ? reading : applyCompaction(reading, compaction);
}

function meaningOf({ value }: Piece): Meaning<undefined> {
  const info = objectAt(value, 'modelInfo');
  const prompt = promptOf(value);
  const notes: Notes = {
    model: textAt(info, 'id') ?? textAt(info, 'modelId'),
    provider: textAt(info, 'provider') ?? textAt(info, 'providerId'),
    time: timeOf(value),
    ...optional('prompt', titleFrom(prompt)),
  };
  const isShown = objectAt(value, 'metadata')?.['displayOnly'] === true;
  return { turns: [turnOf(value)], absent: isShown ? 'hidden' : undefined, notes };
}

const timeOf = (value: JsonObject): string | undefined => dateFrom(numberAt(value, 'ts'));

function choose(
  kept: readonly Kept<undefined>[],
  covered: number | undefined,
  range: readonly [number, number] | undefined,
): Choice {
  const absent = new Map<number, 'compacted'>();
  const [first, last] = range ?? [0, -1];
  for (const index of kept.keys()) {
    if (index < (covered ?? 0) || (index >= first && index <= last)) absent.set(index, 'compacted');
  }
  return { absent };
}

/** The APIs of providers. Most of them speak Chat Completions. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  'claude-code': 'anthropic-messages',
  vertex: 'anthropic-messages',
  'openai-native': 'openai-responses',
  'openai-codex': 'openai-responses',
  gemini: 'gemini',
};

/** Tasks were kept in the words of Anthropic, whatever API they were sent to. */
export const dialectOf = ({ provider }: Notes): Dialect => {
  if (provider === undefined) return 'anthropic-messages';
  return (Object.hasOwn(DIALECTS, provider) ? DIALECTS[provider] : undefined) ?? 'openai-chat';
};
