import { replacePart, type Proposal } from '../../model/edit.ts';
import type { ResultPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { placeOf, wireOf, spokenOf } from './place.ts';
import { retagged } from './response-items.ts';
import { quoteOrRemove } from './quote.ts';

type Wire = Readonly<Record<string, unknown>>;

/** A piece of content in the types of the OpenAI Agents SDK; `tag` is the type that texts have there. */
export function agentPiece(piece: unknown, tag: string): Wire {
  const wire = wireOf({ wire: piece });
  const { type, image, file } = wire;
  if (tag === 'output_text') return retagged(piece, tag);
  if (type === 'image' && typeof image === 'string') return { ...wire, type: 'input_image' };
  if (type === 'input_file' && typeof file === 'string') return { ...wire, file: whereIs(file) };
  if (type === 'input_text' && typeof wire['text'] === 'string') return wire;
  const given = type === 'input_image' || type === 'input_file' ? wire : retagged(piece, tag);
  return inOwnKeys(given) ?? retagged(piece, tag);
}

/** A file that is neither data nor a whole address is one that the provider keeps, or stands at a bare address. */
function whereIs(file: string): Wire {
  return /^file[-_]/.test(file) ? { id: file } : { url: file };
}

/** The API gives pictures and files under keys that the framework does not look at; undefined where there is none. */
function inOwnKeys(piece: Wire): Wire | undefined {
  const { type, image_url: image, file_id: id, file_data: data, file_url: url, ...rest } = piece;
  if (type === 'input_text' || isGiven(piece)) return piece;
  const addressed = typeof url === 'string' ? { url } : undefined;
  const placed = typeof id === 'string' ? { id } : addressed;
  const held = [image, data].find((value) => typeof value === 'string') ?? placed;
  return held === undefined ? undefined : { ...rest, type, [type === 'input_image' ? 'image' : 'file']: held };
}

/** True where the framework finds the picture or the file of a piece. */
function isGiven({ type, image, file, imageUrl, fileData, fileUrl, fileId }: Wire): boolean {
  const media = type === 'input_image' ? image : file;
  const placed = isRecord(media) ? [media['id'], media['url']] : [media];
  const named = type === 'input_image' ? [imageUrl, fileId] : [fileData, fileUrl, fileId];
  return [...placed, ...named].some((at) => typeof at === 'string');
}

/** Puts what a tool returned into the form that its item has. */
export function mendAgentOutput(found: Case, result: ResultPart): Proposal {
  const wire = wireOf(result);
  if (wire['type'] === 'computer_call_result') return quoteOrRemove(found, 'it holds no picture');
  const changes = mended(wire);
  const lost = 'tools' in changes ? charactersOf(wire['tools']) : 0;
  const edited = { ...result, wire: withKeys(wire, changes), characters: result.characters - lost };
  return {
    edits: [replacePart(placeOf(found), edited)],
    action: 'rewrite',
    loss: lost > 0 ? 'lossy' : 'none',
    note: `put the output of ${spokenOf('call', result.callId)} into the form of the framework`,
  };
}

function mended({ type, output }: Wire): Wire {
  switch (type) {
    case 'shell_call_output':
      return { output: [{ stdout: asText(output), stderr: '', outcome: { type: 'exit', exitCode: null } }] };
    case 'tool_search_output':
      return { tools: [] };
    case 'apply_patch_call_output':
      return { output: asText(output) };
    default:
      return { output: asReturned(output) };
  }
}

function asText(output: unknown): string {
  if (output === undefined || output === null) return '';
  return typeof output === 'string' ? output : readableJson(output);
}

function asReturned(output: unknown): unknown {
  if (Array.isArray(output)) return Array.from(output as unknown[], (piece) => agentPiece(piece, 'input_text'));
  const typed = isRecord(output) && typeof output['type'] === 'string' && output['type'] !== 'text';
  return typed ? [agentPiece(output, 'input_text')] : asText(output);
}
