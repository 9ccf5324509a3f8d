import type {
  Carried,
  CarriedCall,
  CarriedMessage,
  CarriedReasoning,
  CarriedResult,
  Crossing,
  Media,
  Packed,
  Packing,
  Piece,
  Seal,
} from '../../model/crossing.ts';
import type { Outcome } from '../../model/part.ts';
import { A_PROVIDER, adapt, pieceText, type Abilities } from '../crossing/adapt.ts';
import { maybe, timeOf, type Wire } from '../crossing/keys.ts';
import { base64Of, mimeOf, shown } from '../crossing/media.ts';
import { unpack } from './crossing-read.ts';
import { systemTexts } from '../crossing/system-texts.ts';

const OUTCOMES: ReadonlySet<Outcome> = new Set(['ok', 'unknown', 'error', 'denied', 'interrupted']);
const WRITTEN: Readonly<Record<string, string>> = { error: 'failed', denied: 'denied', interrupted: 'interrupted' };
/** Providers under the names that the framework has for them. */
const PROVIDERS: Readonly<Record<string, string>> = { google: 'google-gla' };

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
export const pydanticAi: Crossing = {
  settings: {},
  fields: new Set(['messages', 'model']),
  names: { pattern: /^[^]+$/, max: Number.POSITIVE_INFINITY },
  unpack,
  pack,
};

function pack(messages: readonly CarriedMessage[], how: Packing): readonly Packed[] {
  return messages.flatMap((message): Packed[] => {
    // Instructions are texts and nothing else.
    const can = message.role === 'system' ? { ...CAN, caches: false } : CAN;
    const { parts: adapted, role } = adapt(message, can, how.lose);
    const writing = role === 'assistant' ? writeAnswer : role === 'system' ? writeSystem : writeAsked;
    const written = adapted.map((part) => ({ part, wires: writing(part, how) }));
    const parts = written.flatMap(({ wires }) => wires);
    if (parts.length === 0 && message.parts.length > 0) return [];
    const wire = { kind: role === 'assistant' ? 'response' : 'request', parts: grouped(parts) };
    return [{ wire, from: message, parts: written.flatMap(({ part, wires }) => wires.map(() => part)) }];
  });
}

/** What the user says and shows in one go is one prompt. */
function grouped(parts: readonly Wire[]): readonly Wire[] {
  const prompts: Wire[] = [];
  for (const part of parts) {
    const last = prompts.at(-1);
    const both = part['part_kind'] === 'user-prompt' && last?.['part_kind'] === 'user-prompt';
    const lists = [last?.['content'], part['content']];
    if (both && lists.some((each) => Array.isArray(each))) {
      prompts[prompts.length - 1] = { ...last, content: lists.flat() };
    } else prompts.push(part);
  }
  return prompts;
}

function writeSystem(part: Carried, { lose }: Packing): readonly Wire[] {
  return systemTexts([part], lose).map(({ text }) => ({ part_kind: 'system-prompt', content: text }));
}

function writeAsked(part: Carried, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      if (part.cache === undefined) return [{ part_kind: 'user-prompt', content: part.text }];
      return [
        { part_kind: 'user-prompt', content: [part.text, { kind: 'cache-point', ttl: '5m', ...timeOf(part.cache) }] },
      ];
    case 'media': {
      const files = shown(part, part.media, { wire: writeMedia(part.media), why: NO_MEDIA, lose: how.lose });
      return files.length === 0 ? [] : [{ part_kind: 'user-prompt', content: files }];
    }
    case 'result':
      return [writeResult(part, how)];
    default:
      return writeAnswer(part, how);
  }
}

const NO_MEDIA = 'the target takes no such media';

function writeAnswer(part: Carried, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      return [{ part_kind: 'text', content: part.text, ...maybe('id', part.item), ...signed(part.seal) }];
    case 'reasoning':
      return [writeThought(part)];
    case 'call':
      return [writeCall(part)];
    case 'result':
      return [writeResult(part, how)];
    case 'media': {
      const files = shown(part, part.media, { wire: writeMedia(part.media), why: NO_MEDIA, lose: how.lose });
      return files.map((content) => ({ part_kind: 'file', content }));
    }
    case 'aside':
      return [];
  }
}

function providerName(maker: string): string {
  return PROVIDERS[maker] ?? maker;
}

function providerOf(server: string | undefined): Wire {
  return server === undefined || server === A_PROVIDER ? {} : { provider_name: providerName(server) };
}

function writeThought({ text, seal }: CarriedReasoning): Wire {
  return { part_kind: 'thinking', content: text, ...(seal === undefined ? {} : writeSeal(seal)) };
}

function writeSeal({ maker, form, value, id }: Seal): Wire {
  const named = form === 'redacted' ? 'redacted_thinking' : id;
  const signature = form === 'reference' ? {} : { signature: value };
  return { ...maybe('id', named), ...signature, provider_name: providerName(maker) };
}

/** The signature that one provider puts on texts and calls. */
function signed(seal: Seal | undefined): Wire {
  if (seal === undefined) return {};
  return { provider_name: providerName(seal.maker), provider_details: { thought_signature: seal.value } };
}

function writeCall({ id, tool, input, server, item, seal }: CarriedCall): Wire {
  const kind = server === undefined ? 'tool-call' : 'builtin-tool-call';
  return {
    part_kind: kind,
    tool_name: tool,
    args: input ?? null,
    tool_call_id: id,
    ...maybe('id', item),
    ...signed(seal),
    ...providerOf(server),
  };
}

function writeResult(part: CarriedResult, how: Packing): Wire {
  const { id, tool, outcome, server } = part;
  const kind = server === undefined ? 'tool-return' : 'builtin-tool-return';
  const ended = WRITTEN[outcome];
  return {
    part_kind: kind,
    tool_name: tool ?? '',
    content: contentOf(part, how),
    tool_call_id: id,
    ...maybe('outcome', ended),
    ...providerOf(server),
  };
}

function contentOf(part: CarriedResult, how: Packing): unknown {
  const values = part.pieces.flatMap((piece) => valueOf(piece, part, how));
  return values.length > 1 ? values : (values[0] ?? '');
}

function valueOf(piece: Piece, part: CarriedResult, how: Packing): readonly unknown[] {
  if (piece.kind === 'json') return [piece.value];
  if (piece.kind === 'text') return [pieceText(piece)];
  return shown(part, piece.media, { wire: writeMedia(piece.media), why: NO_MEDIA, lose: how.lose });
}

function writeMedia(media: Media): Wire | undefined {
  const { type, url, name, mime } = media;
  const identifier = maybe('identifier', name);
  if (url !== undefined) return { kind: `${type}-url`, url, ...maybe('media_type', mime), ...identifier };
  const data = base64Of(media);
  return data === undefined ? undefined : { kind: 'binary', data, media_type: mimeOf(media), ...identifier };
}
