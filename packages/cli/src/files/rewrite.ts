import type { Piece } from './pieces.ts';
import type { Session } from './read-session.ts';
import { renderJson } from './render-json.ts';
import { renderJsonl } from './render-jsonl.ts';

/** What a session is written as when its value has become another: what is the same keeps its bytes. */
export function piecesOf(session: Session, output: unknown): readonly Piece[] {
  return session.form === 'json'
    ? renderJson(session, output).pieces
    : renderJsonl(session, output as readonly unknown[]);
}

/** Compares piece by piece, because the text of a whole session can be longer than a string may be. */
export function isSameJson(one: unknown, two: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(two)) {
    return one.length === two.length && one.every((each, index) => JSON.stringify(each) === JSON.stringify(two[index]));
  }
  const [first, second] = [Object.entries(one as object), Object.entries(two as object)];
  return (
    first.length === second.length &&
    first.every(([key, value], index) => {
      const [otherKey, other] = second[index] ?? [];
      const isList = Array.isArray(value) && Array.isArray(other);
      return key === otherKey && (isList ? isSameJson(value, other) : JSON.stringify(value) === JSON.stringify(other));
    })
  );
}
