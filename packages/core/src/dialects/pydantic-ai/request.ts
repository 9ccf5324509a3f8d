import type { RequestFacts } from '../../model/codec.ts';
import type { Abilities, Conversion } from '../../model/conversion.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type { Media, Message, Outcome, Part } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { maybe } from '../conversion/keys.ts';
import { base64Of, mimeOf } from '../conversion/media.ts';
import { systemTexts } from '../conversion/system-texts.ts';
import { isSystem, type Wire } from './shape.ts';

const NOTHING_DECLARED: RequestFacts = {
  tools: undefined,
  toolCount: 0,
  serverTools: new Set(),
  reasoningRequired: false,
  reasoningOn: false,
  markers: 0,
};

/** The messages are all there is. */
export const request = (): RequestFacts => NOTHING_DECLARED;

const OUTCOMES: ReadonlySet<Outcome> = new Set(['ok', 'unknown', 'error', 'denied', 'interrupted']);

const CAN: Abilities = {
  seals: ({ maker }) => maker !== 'unknown',
  thoughts: true,
  server: () => true,
  serverNames: true,
  outcomes: OUTCOMES,
  caches: true,
  items: true,
};

/** What crosses between the messages of pydantic-ai and others. */
export const conversion: Conversion = {
  settings: {},
  fields: new Set(['messages', 'model']),
  names: { pattern: /^[^]+$/, max: Infinity },
  // Instructions are texts and nothing else.
  can: (_how, role) => (role === 'system' ? { ...CAN, caches: false } : CAN),
  arrange: (message, { lose }) =>
    message.role === 'system' ? [{ ...message, parts: systemTexts(message.parts, lose) }] : [message],
  media: (media, { role, result }) => {
    const content = writeMedia(media);
    if (content === undefined) return 'the target takes no such media';
    if (result !== undefined) return content;
    return role === 'assistant' ? { part_kind: 'file', content } : { part_kind: 'user-prompt', content: [content] };
  },
  unfold,
};

/** What the system says is a message of its own, and instructions are told with every request. */
function unfold({ role, parts, at, wire }: Message, noting: Noting): readonly Message[] {
  const { path } = noting;
  const text = isRecord(wire) ? wire['instructions'] : undefined;
  const told = { kind: 'text', standing: true, characters: 0 } as const;
  const asked = typeof text === 'string' && text !== '' ? [{ ...told, text }] : [];
  const leading: readonly Part[] = [
    ...parts.filter((part) => isSystem(part.wire)),
    ...asked.map((part) => placed(part, noting.inside('instructions'))),
  ];
  const said = parts.filter((part) => !isSystem(part.wire));
  if (leading.length === 0) return [{ role, parts: said, at, path }];
  const system: Message = { role: 'system', parts: leading, at, path };
  return said.length === 0 ? [system] : [system, { role, parts: said, at, path }];
}

function writeMedia(media: Media): Wire | undefined {
  const { type, url, name, mime } = media;
  const identifier = maybe('identifier', name);
  if (url !== undefined) return { kind: `${type}-url`, url, ...maybe('media_type', mime), ...identifier };
  const data = base64Of(media);
  return data === undefined ? undefined : { kind: 'binary', data, media_type: mimeOf(media), ...identifier };
}
