import { isObject, objectAt, textAt } from '../json.ts';
import { linePieces, valuePieces, type Piece, type Pieces } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import type { Reading, Related } from '../session.ts';
import type { Source } from '../tool.ts';
import type { WireMessage } from '../wire/wire-message.ts';
import { choose, type Mark } from './choose.ts';
import { eventsIn, idOf } from './detect.ts';
import { eventFolder, folderPieces, isNewEvent, isOldEvent, isState, typeOf } from './events.ts';
import { newMeaning } from './new-events.ts';
import { oldMeaning } from './old-events.ts';

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const document = sample.document();
  const state = isState(document) ? document : undefined;
  const folder = eventFolder(path, document);
  const related: Related[] =
    folder === undefined || state === undefined ? [] : [{ kind: 'base', path: folder, isThere: true }];
  return readPieces<Mark>(
    {
      pieces: folder === undefined ? documentPieces(path, document) : folderPieces(folder),
      follow: () => meaningOf,
      choose: (kept) => choose(kept, textAt(state, 'leaf_event_id')),
      dialect: () => 'openai-chat',
      copes: ['call-without-result', 'result-without-call', 'same-role-run'],
      about: {
        id: textAt(state, 'id') ?? idOf(path),
        cwd: textAt(state === undefined ? undefined : objectAt(state, 'workspace'), 'working_dir'),
        model: textAt(objectAt(state === undefined ? undefined : objectAt(state, 'agent'), 'llm'), 'model'),
      },
      related,
      finish: joinActions,
    },
    faults,
  );
}

function documentPieces(path: string, document: unknown): Pieces {
  const events = eventsIn(document);
  if (events !== undefined) return valuePieces({ file: path, ...events, typeOf });
  if (isObject(document)) return valuePieces({ file: path, pointer: '', list: [document], typeOf });
  return linePieces(path, (value) => isOldEvent(value) || isNewEvent(value), { typeOf });
}

function meaningOf({ value }: Piece): Meaning<Mark> {
  if (isNewEvent(value)) return newMeaning(value);
  return isOldEvent(value) ? oldMeaning(value) : { unknown: 'This is no event.' };
}

/** Actions that follow each other without a result between them came in one answer: their calls are parallel. */
function joinActions(wire: WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = [];
  for (const each of wire) {
    const last = joined.at(-1);
    const [before, now] = [last?.message['tool_calls'], each.message['tool_calls']];
    const isParallel = Array.isArray(before) && Array.isArray(now) && each.message['content'] === null;
    if (last === undefined || !isParallel) {
      joined.push(each);
      continue;
    }
    const message = { ...last.message, tool_calls: [...(before as unknown[]), ...(now as unknown[])] };
    joined[joined.length - 1] = { message, places: [...last.places, ...each.places] };
  }
  return joined;
}
