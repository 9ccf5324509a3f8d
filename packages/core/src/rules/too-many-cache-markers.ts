import { dropPart, replacePart, type Edit } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
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
  examples: () => [
    {
      name: 'a marker on every tool',
      dialect: 'anthropic-messages',
      before: {
        tools: ['a', 'b', 'c', 'd', 'e'].map(markedTool),
        system: [marked('Be brief.')],
        messages: [{ role: 'user', content: [marked('hi')] }],
      },
      after: {
        tools: [unmarkedTool('a'), unmarkedTool('b'), ...['c', 'd', 'e'].map(markedTool)],
        system: [marked('Be brief.')],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      },
    },
    {
      name: 'four markers',
      dialect: 'anthropic-messages',
      clean: [{ role: 'user', content: ['a', 'b', 'c', 'd'].map(marked) }],
    },
    {
      name: 'a marker on each part',
      dialect: 'anthropic-messages',
      before: [{ role: 'user', content: ['a', 'b', 'c', 'd', 'e'].map(marked) }],
      after: [{ role: 'user', content: [{ type: 'text', text: 'a' }, ...['b', 'c', 'd', 'e'].map(marked)] }],
    },
    {
      name: 'markers inside a result',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'read' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [marked('1'), marked('2')] },
            ...['a', 'b', 'c'].map(marked),
          ],
        },
      ],
      after: [
        { role: 'user', content: 'read' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '1' }, marked('2')] },
            ...['a', 'b', 'c'].map(marked),
          ],
        },
      ],
    },
    {
      name: 'markers inside and on a result',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'read' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [marked('1'), marked('2'), { type: 'text', text: '3' }],
              cache_control: { type: 'ephemeral' },
            },
            ...['a', 'b', 'c', 'd'].map(marked),
          ],
        },
      ],
      after: [
        { role: 'user', content: 'read' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                { type: 'text', text: '1' },
                { type: 'text', text: '2' },
                { type: 'text', text: '3' },
              ],
            },
            ...['a', 'b', 'c', 'd'].map(marked),
          ],
        },
      ],
    },
    {
      name: 'reasoning bound to what stands before it, which markers are no part of',
      dialect: 'anthropic-messages',
      profile: { reasoningBound: true },
      before: [{ role: 'user', content: ['a', 'b', 'c', 'd', 'e'].map(marked) }, THOUGHTFUL],
      after: [
        { role: 'user', content: [{ type: 'text', text: 'a' }, ...['b', 'c', 'd', 'e'].map(marked)] },
        THOUGHTFUL,
      ],
    },
    ...converseExamples('too-many-cache-markers'),
  ],
};

const THOUGHTFUL = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'Five letters.', signature: 'c2ln' },
    { type: 'text', text: 'Five.' },
  ],
};

function unmarkedTool(name: string): object {
  return { name, input_schema: { type: 'object' } };
}

function markedTool(name: string): object {
  return { ...unmarkedTool(name), cache_control: { type: 'ephemeral' } };
}

function marked(text: string): unknown {
  return { type: 'text', text, cache_control: { type: 'ephemeral' } };
}

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
