import { dirname, join } from 'node:path';

import { isFile } from '../files/file-stat.ts';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import { valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading, Related } from '../session.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { isTrajectory, messageText, taskOf } from './detect.ts';

/** The newest version of the format that is known here. */
const VERSION = 1.7;

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const run = isTrajectory(document) ? document : undefined;
  if (run === undefined) faults.add('torn', wholeFile(path), 'This document was cut off.');
  const version = textAt(run, 'schema_version')?.replace(/^ATIF-v?/, '');
  if (Number(version) > VERSION) {
    faults.add('newer-version', wholeFile(path), `Version ${version} is newer than what is known here (${VERSION}).`);
  }
  const agent = run === undefined ? undefined : objectAt(run, 'agent');
  const steps = valuePieces({
    file: path,
    pointer: '/steps',
    list: listAt(run, 'steps'),
    typeOf: (step) => textAt(step, 'source') ?? '',
  });
  return readPieces<undefined>(
    {
      pieces: steps,
      follow: () => meaningOf,
      dialect: () => 'openai-chat',
      copes: [],
      about: {
        id: textAt(run, 'session_id') ?? textAt(run, 'trajectory_id'),
        title: taskOf(run),
        version,
        model: textAt(agent, 'model_name'),
      },
      related: await continuations(path, run),
    },
    faults,
  );
}

/** A run that was compacted goes on in another file. */
async function continuations(path: string, run: JsonObject | undefined): Promise<Related[]> {
  const name = textAt(run, 'continued_trajectory_ref');
  if (name === undefined || !/^[\w.-]+$/.test(name)) return [];
  const file = join(dirname(path), name);
  return [{ kind: 'base', path: file, isThere: await isFile(file) }];
}

function meaningOf({ value }: Piece): Meaning<undefined> {
  const notes = { time: textAt(value, 'timestamp'), model: textAt(value, 'model_name') };
  const text = messageText(value);
  const results = listAt(objectAt(value, 'observation'), 'results').filter(isObject);
  if (value['source'] === 'system') return { wire: [{ role: 'system', content: text }], notes };
  if (value['source'] !== 'agent') return { turns: [{ role: 'user', parts: textPart(text) }], notes };
  const calls = listAt(value, 'tool_calls').filter(isObject);
  const answers = results.map((result) => resultOf(result, calls));
  return {
    turns: [
      { role: 'assistant', parts: [...textPart(text), ...calls.map(callOf)] },
      ...(answers.length === 0 ? [] : [{ role: 'user' as const, parts: answers }]),
    ],
    notes,
  };
}

const callOf = (call: JsonObject): Part => ({
  kind: 'call',
  id: textAt(call, 'tool_call_id') ?? '',
  name: textAt(call, 'function_name') ?? '',
  input: objectAt(call, 'arguments') ?? {},
});

/** What came of a step without a call is told by the system. */
function resultOf(result: JsonObject, calls: readonly JsonObject[]): Part {
  const text =
    textAt(result, 'content') ??
    listAt(result, 'content')
      .map((part) => textAt(part, 'text') ?? '')
      .join('');
  const id = textAt(result, 'source_call_id');
  const call = calls.find(({ tool_call_id }) => tool_call_id === id);
  if (id === undefined || call === undefined) return { kind: 'text', text };
  return { kind: 'result', id, name: textAt(call, 'function_name') ?? '', text };
}
