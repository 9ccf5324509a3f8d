import type { Abilities, Conversion, Packed, Packing } from '../../model/conversion.ts';
import type {
  CallPart,
  Media,
  Message,
  Outcome,
  Part,
  Piece,
  ReasoningPart,
  ResultPart,
  Seal,
} from '../../model/part.ts';
import { A_PROVIDER, adapt } from '../conversion/adapt.ts';
import { pieceText, piecesOf } from '../conversion/pieces.ts';
import { maybe, timeOf, type Wire } from '../conversion/keys.ts';
import { base64Of, mimeOf, shown } from '../conversion/media.ts';
import { unpack } from './crossing-read.ts';
import { systemTexts } from '../conversion/system-texts.ts';

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
export const pydanticAi: Conversion = {
  settings: {},
  fields: new Set(['messages', 'model']),
  names: { pattern: /^[^]+$/, max: Number.POSITIVE_INFINITY },
  can: () => CAN,
  unpack,
  pack,
};

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
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

function writeSystem(part: Part, { lose }: Packing): readonly Wire[] {
  return systemTexts([part], lose).map(({ text }) => ({ part_kind: 'system-prompt', content: text }));
}

function writeAsked(part: Part, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      if (part.cache === undefined) return [{ part_kind: 'user-prompt', content: part.text }];
      return [
        { part_kind: 'user-prompt', content: [part.text, { kind: 'cache-point', ttl: '5m', ...timeOf(part.cache) }] },
      ];
    case 'media': {
      const files = shown(part, part.media, {
        wire: part.media && writeMedia(part.media),
        why: NO_MEDIA,
        lose: how.lose,
      });
      return files.length === 0 ? [] : [{ part_kind: 'user-prompt', content: files }];
    }
    case 'result':
      return [writeResult(part, how)];
    default:
      return writeAnswer(part, how);
  }
}

const NO_MEDIA = 'the target takes no such media';

function writeAnswer(part: Part, how: Packing): readonly Wire[] {
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
      const files = shown(part, part.media, {
        wire: part.media && writeMedia(part.media),
        why: NO_MEDIA,
        lose: how.lose,
      });
      return files.map((content) => ({ part_kind: 'file', content }));
    }
    case 'opaque':
      return [];
  }
}

function providerName(maker: string): string {
  return PROVIDERS[maker] ?? maker;
}

function providerOf(runner: string | undefined): Wire {
  return runner === undefined || runner === A_PROVIDER ? {} : { provider_name: providerName(runner) };
}

function writeThought({ text, seal }: ReasoningPart): Wire {
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

function writeCall({ callId: id, tool, input, server, runner, item, seal }: CallPart): Wire {
  const kind = server ? 'builtin-tool-call' : 'tool-call';
  return {
    part_kind: kind,
    tool_name: tool,
    args: input ?? null,
    tool_call_id: id,
    ...maybe('id', item),
    ...signed(seal),
    ...providerOf(runner),
  };
}

function writeResult(part: ResultPart, how: Packing): Wire {
  const { callId: id, tool, outcome, server, runner } = part;
  const kind = server ? 'builtin-tool-return' : 'tool-return';
  const ended = WRITTEN[outcome];
  return {
    part_kind: kind,
    tool_name: tool ?? '',
    content: contentOf(part, how),
    tool_call_id: id,
    ...maybe('outcome', ended),
    ...providerOf(runner),
  };
}

function contentOf(part: ResultPart, how: Packing): unknown {
  const values = piecesOf(part).flatMap((piece) => valueOf(piece, part, how));
  return values.length > 1 ? values : (values[0] ?? '');
}

function valueOf(piece: Piece, part: ResultPart, how: Packing): readonly unknown[] {
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
