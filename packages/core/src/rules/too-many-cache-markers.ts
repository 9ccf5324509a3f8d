import { dropPart, replacePart, type Edit } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';

const MARKER = { cache_control: undefined };
const SAID = ['type', 'name', 'text', 'toolSpec'] as const;

/** A provider takes a few cache markers only, counted over the whole request. */
export const tooManyCacheMarkers: Rule = {
  id: 'too-many-cache-markers',
  title: 'more cache markers than the provider takes',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-cache-max4'], 'bedrock-converse': ['br-passthrough'] },
  trigger: 'cache-marker',
  summary:
    'A client that marks the end of every turn keeps the markers of earlier turns in its history. The ' +
    'newest are kept, because they cover the longest prefix; the older ones are removed. Markers on tools ' +
    'and on the system prompt count as well.',
  explain: ({ fact, profile }) =>
    `${String(fact.count)} cache markers where ${String(profile.maxCacheMarkers)} are allowed; this is one of ` +
    `the oldest`,
  providerError: {
    'anthropic-messages': ({ fact, profile }) =>
      `A maximum of ${String(profile.maxCacheMarkers)} blocks with cache_control may be provided. Found ` +
      `${String(fact.count)}.`,
  },
  repair: (found) => ({
    edits: found.fact.message < 0 ? [unmarkBody(found)] : [unmarkPart(found)],
    action: 'drop',
    loss: 'none',
    note: 'removed an old cache marker',
    // A model that binds its reasoning to what stands before it does not see where a cache ends.
    unseen: true,
  }),
};

/** In one dialect a marker is a part of its own, and goes. */
function unmarkPart(found: Case): Edit {
  const at = placeOf(found);
  const part = partOf(found);
  return part.characters === 0 && hasPoint(wireOf(part)) ? dropPart(at) : replacePart(at, unmark(found));
}

function hasPoint(wire: Readonly<Record<string, unknown>>): boolean {
  return (wire['cachePoint'] ?? undefined) !== undefined;
}

/** A point among tools or instructions, and not one of them that happens to have the key. */
function isPoint(value: unknown): boolean {
  return isRecord(value) && hasPoint(value) && SAID.every((key) => value[key] === undefined);
}

/** The part without the markers that the fact lists: an index for a piece inside a result, nothing for its own. */
function unmark(found: Case): Part {
  const part = partOf(found);
  const gone = new Set([found.fact.detail].flat());
  const wire = wireOf(part);
  const content = wire['content'];
  const pieces = Array.isArray(content)
    ? content.map((piece: unknown, index) => (gone.has(String(index)) ? withKeys(piece, MARKER) : piece))
    : content;
  return { ...part, wire: withKeys(wire, { content: pieces, ...(gone.has('') ? MARKER : {}) }) };
}

/** Markers on tools and on the system prompt alone are too many: the first of them go. */
function unmarkBody({ body = {}, profile }: Case): Edit {
  const { system } = body;
  const config = isRecord(body['toolConfig']) ? body['toolConfig'] : undefined;
  const tools = config === undefined ? body['tools'] : config['tools'];
  const counted = [tools, system].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  let excess = counted.filter(isMarked).length - profile.maxCacheMarkers;
  const without = (list: unknown): unknown => {
    if (!Array.isArray(list)) return list;
    return (list as unknown[]).flatMap((each) => {
      if (excess <= 0 || !isMarked(each)) return [each];
      excess -= 1;
      return isPoint(each) ? [] : [withKeys(each, MARKER)];
    });
  };
  const fewer = without(tools);
  const declared = config === undefined ? { tools: fewer } : { toolConfig: withKeys(config, { tools: fewer }) };
  return { kind: 'body', fields: { ...declared, system: without(system) } };
}

function isMarked(value: unknown): boolean {
  return isRecord(value) && (isRecord(value['cache_control']) || isPoint(value));
}
