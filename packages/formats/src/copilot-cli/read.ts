import type { Dialect } from '@rethread/core';

import type { FaultLog } from '../fault.ts';
import { isSplitByNode } from '../gemini/records.ts';
import { isObject, listAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import { linePieces, valuePieces, type Piece, type Pieces } from '../pieces/piece.ts';
import { readPieces, type Choice, type Kept, type Meaning, type Notes } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import { titleFrom } from '../title.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { folderName, promptTitle } from './detect.ts';
import { isDocument, isEvent, isSidechain, isStart } from './records.ts';

export async function read(source: Source): Promise<Reading> {
  const document = source.sample.document();
  return isDocument(document) ? readDocument(source, document) : readLog(source);
}

type Mark = { readonly isCompaction: boolean };

async function readLog({ path, sample, faults }: Source): Promise<Reading> {
  const isLog = sample.head.some(isEvent);
  if (!isLog) faults.add('torn', wholeFile(path), 'This document was cut off.');
  return readPieces<Mark>(
    {
      pieces: isLog ? hidden(linePieces(path, isEvent)) : valuePieces({ file: path, pointer: '', list: [] }),
      follow: () => meaningOf,
      choose,
      dialect: ({ model }) => dialectOf(model),
      copes: [],
      about: sample.head.some(isStart) ? {} : { id: folderName(path) },
    },
    faults,
  );
}

/** Reports what keeps the program from finding or reading a session, and skips none of it. */
const hidden = (pieces: Pieces): Pieces =>
  async function* reported(faults) {
    let isFirst = true;
    for await (const piece of pieces(noteZeros(faults))) {
      const { value, place, flaws = [] } = piece;
      if (isFirst && !isStart(value)) {
        faults.add(
          'missing-head',
          place,
          'A session begins with session.start. Copilot CLI does not open one without it.',
        );
      }
      isFirst = false;
      if (flaws.includes('glued') || isSplitByNode(value)) {
        faults.add('bad-record', place, 'Copilot CLI cannot read this line, and refuses the session.');
      }
      yield piece;
    }
  };

/** A power cut leaves zeros at the end of a log: the program then says that the session is not found. */
const noteZeros = (faults: FaultLog): FaultLog => ({
  ...faults,
  add(kind, place, note) {
    faults.add(kind, place, note);
    if (kind === 'nul') faults.add('bad-record', place, 'Copilot CLI does not find a session with zeros in its log.');
  },
});

/** A compaction leaves its summary and what came after. */
function choose(kept: readonly Kept<Mark>[]): Choice {
  const last = kept.findLastIndex(({ mark }) => mark?.isCompaction === true);
  return { absent: new Map(Array.from({ length: Math.max(0, last) }, (_, index) => [index, 'compacted' as const])) };
}

/** The program speaks to its own server, in the words of whoever made the model. */
const dialectOf = (model: string | undefined): Dialect => {
  if (/claude/i.test(model ?? '')) return 'anthropic-messages';
  return /^gpt-[5-9]/i.test(model ?? '') ? 'openai-responses' : 'openai-chat';
};

function meaningOf({ value }: Piece): Meaning<Mark> {
  if (!isEvent(value)) return { unknown: `Events of the type ${textAt(value, 'type') ?? ''} are not known here.` };
  const data = objectAt(value, 'data') ?? {};
  const said = partsOf(value, data);
  const notes = { time: textAt(value, 'timestamp'), ...notesOf(value, data) };
  const summary = value['type'] === 'session.compaction_complete' ? textAt(data, 'summaryContent') : undefined;
  const told = {
    notes,
    ...optional('absent', isSidechain(value) ? ('sidechain' as const) : undefined),
    ...optional('mark', summary === undefined ? undefined : { isCompaction: true }),
  };
  if (said === undefined) return told;
  return { ...told, turns: [{ role: value['type'] === 'assistant.message' ? 'assistant' : 'user', parts: said }] };
}

function notesOf(value: JsonObject, data: JsonObject): Notes {
  const version = textAt(data, 'copilotVersion');
  const cwd = textAt(objectAt(data, 'context'), 'cwd');
  const model = textAt(data, 'newModel') ?? textAt(data, 'selectedModel');
  const prompt = value['type'] === 'user.message' && !isSidechain(value) ? promptTitle(value) : undefined;
  const system = value['type'] === 'system.message' ? textAt(data, 'content') : undefined;
  const title = value['type'] === 'session.title_changed' ? textAt(data, 'title') : undefined;
  return { id: textAt(data, 'sessionId'), version, cwd, model, title, system, ...optional('prompt', prompt) };
}

/** What an event says in the conversation; undefined for notes. */
function partsOf(value: JsonObject, data: JsonObject): Part[] | undefined {
  switch (value['type']) {
    case 'user.message':
      return textPart(textAt(data, 'transformedContent') || textAt(data, 'content'));
    case 'assistant.message':
      return [...textPart(textAt(data, 'content')), ...listAt(data, 'toolRequests').filter(isObject).map(callOf)];
    case 'tool.execution_complete':
      return [resultOf(data)];
    case 'session.compaction_complete':
      return textPart(textAt(data, 'summaryContent'));
    default:
      return undefined;
  }
}

function callOf(request: JsonObject): Part {
  const held = request['arguments'];
  const input = typeof held === 'string' ? parseJson(held) : held;
  return {
    kind: 'call',
    id: textAt(request, 'toolCallId') ?? '',
    name: textAt(request, 'name') ?? '',
    input: isObject(input) ? input : {},
  };
}

function resultOf(data: JsonObject): Part {
  const error = objectAt(data, 'error');
  const text = textAt(objectAt(data, 'result'), 'content') ?? textAt(error, 'message') ?? '';
  const isError = data['success'] === false;
  return { kind: 'result', id: textAt(data, 'toolCallId') ?? '', name: '', text, ...(isError ? { isError } : {}) };
}

/** A session of 2025 has what was sent as it was, and tells everything again for the screen. */
async function readDocument({ path, faults }: Source, document: JsonObject): Promise<Reading> {
  const sent = listAt(document, 'chatMessages');
  const shown = listAt(document, 'timeline');
  if (sent.length === 0 && shown.length > 0) {
    faults.add('stale-index', wholeFile(path), 'Nothing of this session would be sent, although the screen shows it.');
  }
  const messages = valuePieces({ file: path, pointer: '/chatMessages', list: sent });
  const screen = valuePieces({ file: path, pointer: '/timeline', list: shown });
  return readPieces<Mark>(
    {
      async *pieces(log) {
        yield* messages(log);
        yield* screen(log);
      },
      follow: () => (piece) => documentMeaning(piece, sent.length > 0),
      dialect: () => 'openai-chat',
      copes: [],
      about: { id: textAt(document, 'sessionId'), created: textAt(document, 'startTime') },
    },
    faults,
  );
}

function documentMeaning({ value, place }: Piece, isSent: boolean): Meaning<Mark> {
  if (place.kind === 'value' && place.pointer.startsWith('/chatMessages')) {
    const prompt = value['role'] === 'user' ? titleFrom(textAt(value, 'content')) : undefined;
    return { wire: [value], ...optional('notes', prompt === undefined ? undefined : { prompt }) };
  }
  const time = textAt(value, 'timestamp');
  const text = textAt(value, 'text');
  if (isSent || text === undefined) return { notes: { time } };
  return { wire: [{ text }], absent: 'hidden', notes: { time } };
}
