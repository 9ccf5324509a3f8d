import type { Ask, Piece } from './events.ts';

/** Logs outlive the programs that wrote them, so their data is validated. */
type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The valid items of a list; empty if it is not a list. */
function those<T>(value: unknown, has: (each: unknown) => each is T): readonly T[] {
  return Array.isArray(value) ? value.filter((each: unknown) => has(each)) : [];
}

function isAsk(value: unknown): value is Ask {
  if (!isFields(value) || !isText(value['callId']) || !isText(value['tool'])) return false;
  const { child } = value;
  if (child === undefined) return true;
  return isFields(child) && isText(child['session']) && Array.isArray(child['asks']) && child['asks'].every(isAsk);
}

function isPiece(value: unknown): value is Piece {
  if (!isFields(value)) return false;
  const { kind, text, callId, tool, fragment } = value;
  return kind === 'call'
    ? [callId, tool, fragment].every(isText)
    : ['text', 'reasoning'].includes(String(kind)) && isText(text);
}

export const asksIn = (value: unknown): readonly Ask[] => those(value, isAsk);
export const piecesIn = (value: unknown): readonly Piece[] => those(value, isPiece);
export const textsIn = (value: unknown): readonly string[] => those(value, isText);
