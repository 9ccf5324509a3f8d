import type { Part, ResultPart } from '../../model/part.ts';
import { charactersOf, isBlank, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { wireOf } from './place.ts';

type Piece = Readonly<Record<string, unknown>>;

/** What becomes of the pieces of a result: kept inside, moved out as parts of their own, or dropped as blank. */
export type Sorted = {
  readonly kept: readonly Piece[];
  readonly moved: readonly Part[];
  /** Characters of blank texts that went. */
  readonly blank: number;
};

/** Parts that a user message may hold by themselves. */
const MOVABLE: ReadonlySet<unknown> = new Set(['image', 'document', 'search_result']);
const REFUSED: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
]);

/** The pieces of a result, as a list, whatever form the content has. */
export function piecesOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content as unknown[];
  return content === undefined ? [] : [content];
}

/** Sorts pieces by whether a result may hold them; `holds` says which types it may. */
export function sortPieces(pieces: readonly unknown[], holds: (type: string) => boolean): Sorted {
  const kept: Piece[] = [];
  const moved: Part[] = [];
  let blank = 0;
  for (const piece of pieces) {
    const type = isRecord(piece) ? piece['type'] : undefined;
    if (isRecord(piece) && MOVABLE.has(type) && !holds(String(type))) {
      moved.push({ kind: 'media', wire: piece, characters: charactersOf(piece) });
      continue;
    }
    const legal = isRecord(piece) && type !== 'text' && typeof type === 'string' && !REFUSED.has(type) && holds(type);
    const next = legal ? piece : asText(piece);
    if (next === undefined) blank += charactersOf(saidBy(piece));
    else kept.push(next);
  }
  return { kept, moved, blank };
}

/** The result with other pieces; a result without any says so by having no content. */
export function withPieces(result: ResultPart, { kept, moved, blank }: Sorted): ResultPart {
  const content = kept.length === 0 ? undefined : kept;
  const gone = moved.reduce((sum, part) => sum + part.characters, blank);
  return { ...result, wire: withKeys(wireOf(result), { content }), characters: result.characters - gone };
}

function asText(piece: unknown): Piece | undefined {
  if (isRecord(piece) && piece['type'] === 'text' && typeof piece['text'] === 'string') {
    return isBlank(piece['text']) ? undefined : piece;
  }
  const text = readable(piece);
  return isBlank(text) ? undefined : { type: 'text', text };
}

function readable(piece: unknown): string {
  const said = saidBy(piece);
  return said === undefined || said === null ? '' : readableJson(said);
}

/** What is read of a piece: its text, or all of it where it has none. */
function saidBy(piece: unknown): unknown {
  if (!isRecord(piece)) return piece;
  return piece['text'] ?? (piece['type'] === 'text' ? '' : piece);
}
