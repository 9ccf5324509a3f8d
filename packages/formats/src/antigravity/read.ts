import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { linePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { idOf, isStep, promptOf, promptTitle } from './detect.ts';

/** Reads a transcript: it tells what was said and done, in other words than those that are sent. */
export const read = async ({ path, faults }: Source): Promise<Reading> =>
  readPieces<undefined>(
    {
      pieces: linePieces(path, isStep),
      follow: followSteps,
      dialect: () => 'gemini',
      copes: [],
      about: { id: idOf(path) },
    },
    faults,
  );

/** Calls have no ids: what the steps after an answer gave are the results of its calls, in their order. */
function followSteps(): (piece: Piece) => Meaning<undefined> {
  let open: { readonly id: string; readonly name: string }[] = [];
  let count = 0;
  return ({ value }) => {
    if (!isStep(value)) return { unknown: 'This is no step.' };
    const content = textAt(value, 'content') ?? '';
    const notes = { time: textAt(value, 'created_at'), ...optional('prompt', promptTitle(value)) };
    if (value['type'] === 'USER_INPUT') {
      return { turns: [{ role: 'user', parts: textPart(promptOf(content)) }], notes };
    }
    if (value['source'] !== 'MODEL') return { ...aside(content), notes };
    if (value['type'] === 'PLANNER_RESPONSE') {
      const calls = listAt(value, 'tool_calls').filter(isObject);
      open = calls.map((call) => ({ id: `call_${(count += 1)}`, name: textAt(call, 'name') ?? '' }));
      const made = calls.map((call, index): Part => ({
        ...(open[index] ?? { id: '', name: '' }),
        kind: 'call',
        input: argsOf(call),
      }));
      return { turns: [{ role: 'assistant', parts: [...textPart(content), ...made] }], notes };
    }
    const call = open.shift();
    if (call === undefined) return { ...aside(content), notes };
    return { turns: [{ role: 'user', parts: [{ kind: 'result', ...call, text: content }] }], notes };
  };
}

const aside = (content: string): Meaning<undefined> =>
  content === '' ? {} : { wire: [{ text: content }], absent: 'hidden' };

const argsOf = (call: JsonObject): JsonObject => objectAt(call, 'args') ?? {};
