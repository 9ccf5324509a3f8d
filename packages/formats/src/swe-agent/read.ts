import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { valuePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { isTrajectory, taskOf } from './detect.ts';

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const run = isTrajectory(document) ? document : undefined;
  if (run === undefined) faults.add('torn', wholeFile(path), 'This document was cut off.');
  const history = listAt(run, 'history');
  const sent = valuePieces({ file: path, pointer: '/history', list: history });
  const done = valuePieces({
    file: path,
    pointer: '/trajectory',
    list: listAt(run, 'trajectory'),
    typeOf: () => 'step',
  });
  const info = objectAt(run, 'info');
  return readPieces<undefined>(
    {
      async *pieces(log) {
        yield* sent(log);
        yield* done(log);
      },
      follow: () => (piece) => (piece.type === 'step' ? stepMeaning(piece, history.length > 0) : messageMeaning(piece)),
      dialect: () => 'openai-chat',
      copes: [],
      about: { title: taskOf(run), version: textAt(info, 'swe_agent_version') },
    },
    faults,
  );
}

const KEYS = ['role', 'content', 'tool_calls', 'name'];

/** A message as it is sent: with notes on the agent taken off, and the id of the call that it answers. */
function messageMeaning({ value }: Piece): Meaning<undefined> {
  const message = Object.fromEntries(KEYS.flatMap((key) => (Object.hasOwn(value, key) ? [[key, value[key]]] : [])));
  const [id] = listAt(value, 'tool_call_ids');
  const calls = listAt(value, 'tool_calls');
  if (value['role'] === 'tool')
    return { wire: [{ ...message, tool_call_id: id ?? textAt(value, 'tool_call_id') ?? '' }] };
  return { wire: [{ ...message, content: contentOf(value), ...(calls.length > 0 ? {} : { tool_calls: undefined }) }] };
}

/** A message without a word has its action, or nothing at all. */
const contentOf = (value: JsonObject): unknown => value['content'] ?? textAt(value, 'action') ?? '';

/** Where the history was not kept, the steps tell it: what the model said, and what came of it. */
function stepMeaning({ value }: Piece, isTold: boolean): Meaning<undefined> {
  if (isTold) return {};
  const [response, observation] = [textAt(value, 'response'), textAt(value, 'observation')];
  return {
    wire: [
      ...(response === undefined ? [] : [{ role: 'assistant', content: response }]),
      ...(observation === undefined ? [] : [{ role: 'user', content: observation }]),
    ],
    ...optional('notes', isObject(value['state']) ? { cwd: textAt(value['state'], 'working_dir') } : undefined),
  };
}
