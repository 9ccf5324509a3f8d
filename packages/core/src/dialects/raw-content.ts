import { idText } from '../model/call-id.ts';
import type { Message } from '../model/part.ts';
import { isRecord } from '../model/value.ts';
import { holdsThought } from './elsewhere.ts';

const KEYS = ['raw_content', 'rawContent'] as const;
const TOOL_KIND = /tool|function/;

/**
 * Some programs keep what the provider sent beside their own reading of it. It is carried as it is, but a call or a
 * result that was taken out of the message must not live on in there.
 */
export function prunedRawContent({ wire, parts }: Pick<Message, 'wire' | 'parts'>): Record<string, unknown> {
  if (!isRecord(wire)) return {};
  const changes: Record<string, unknown> = {};
  for (const key of KEYS) {
    const raw = wire[key];
    if (!Array.isArray(raw)) continue;
    const ids = idsOf(parts);
    const kept = (raw as unknown[]).filter((piece) => {
      const id = toolId(piece);
      return id === undefined || ids.has(id);
    });
    if (kept.length < raw.length) changes[key] = kept;
  }
  return changes;
}

/** True where a message without a word keeps more than calls and results: what the model has thought, for one. */
export function holdsAside(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  if (holdsThought(wire)) return true;
  return KEYS.some((key) => {
    const raw = wire[key];
    return Array.isArray(raw) && (raw as unknown[]).some((piece) => isRecord(piece) && toolId(piece) === undefined);
  });
}

/** Ids the parts have now, and those they came with: a call with a new id is still the same call. */
function idsOf(parts: Message['parts']): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const part of parts) {
    if (part.kind !== 'call' && part.kind !== 'result') continue;
    ids.add(part.callId);
    const came = toolId(part.wire);
    if (came !== undefined) ids.add(came);
  }
  return ids;
}

/** The call a piece in any provider's shape belongs to; undefined for a piece that is no call and no result. */
function toolId(piece: unknown): string | undefined {
  if (!isRecord(piece)) return undefined;
  const named = piece['tool_use_id'] ?? piece['tool_call_id'] ?? piece['toolCallId'] ?? piece['call_id'];
  const id = idText(named);
  if (id !== undefined) return id;
  const kind = piece['type'] ?? piece['part_kind'] ?? piece['partKind'];
  const isTool = typeof kind === 'string' && TOOL_KIND.test(kind);
  return isTool ? idText(piece['id']) : undefined;
}
