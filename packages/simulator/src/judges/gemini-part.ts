import { isObject, type JsonObject } from './docket.ts';

/** A part of Gemini content, whichever of the two spellings of its fields was used. */
export interface GeminiPart {
  /** The data field in camel case; a field nobody knows yet keeps its name, and no field at all is undefined. */
  readonly kind: string | undefined;
  /** The data field as it was written. */
  readonly key: string;
  readonly value: unknown;
  /** Another data field beside the first, as it was written. */
  readonly surplus: string | undefined;
  /** Fields that no part has, where one of them is the mark of another API. */
  readonly foreign: readonly string[];
  readonly seal: unknown;
  /** The signature's field as it was written. */
  readonly sealKey: string;
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const bothSpellings = (names: readonly string[]): [string, string][] =>
  names.flatMap((name): [string, string][] => [
    [name, name],
    [snake(name), name],
  ]);

const DATA: ReadonlyMap<string, string> = new Map(
  bothSpellings([
    'text',
    'inlineData',
    'fileData',
    'functionCall',
    'functionResponse',
    'executableCode',
    'codeExecutionResult',
    'toolCall',
    'toolResponse',
  ]),
);
const BESIDE: ReadonlyMap<string, string> = new Map(
  bothSpellings(['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata']),
);

/** Where parts of other APIs say what they are, and the members by which those of a union do. */
const NAMING: ReadonlySet<string> = new Set(['type', 'part_kind', 'partKind']);
const MEMBERS: ReadonlySet<string> = new Set(['toolUse', 'toolResult', 'reasoningContent']);
const NONE: readonly string[] = [];

/** Protobuf JSON takes null for a field that is not set. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

export function readPart(part: JsonObject): GeminiPart {
  let kind: string | undefined;
  let key = '';
  let surplus: string | undefined;
  let unknown: string[] | undefined;
  let sealKey = '';
  for (const name in part) {
    if (!isSet(part[name])) continue;
    const data = DATA.get(name);
    if (data !== undefined) {
      if (kind === undefined) {
        kind = data;
        key = name;
      } else surplus ??= name;
    } else {
      const beside = BESIDE.get(name);
      if (beside === undefined) (unknown ??= []).push(name);
      else if (beside === 'thoughtSignature' && part[name] !== '') sealKey = name;
    }
  }
  const named = kind !== undefined;
  const foreign = unknown?.some((name) => isMark(name, part[name], named)) === true ? unknown : NONE;
  if (kind === undefined && unknown !== undefined) kind = key = unknown[0] ?? '';
  const seal = sealKey === '' ? undefined : part[sealKey];
  return {
    kind,
    key,
    value: kind === undefined ? undefined : part[key],
    surplus,
    foreign,
    seal,
    sealKey,
  };
}

/** A member of another union is no mark beside data, which may have got such a field of its own by now. */
const isMark = (name: string, value: unknown, beside: boolean): boolean =>
  (NAMING.has(name) && typeof value === 'string') || (!beside && MEMBERS.has(name) && isObject(value));

/** The same field in the spelling of the API's error texts. */
export const spelled = (kind: string): string => snake(kind);

/** Whether this is a data field whose value we know the form of. */
export const isKnownKind = (kind: string): boolean => DATA.has(kind);

/**
 * What a signature covers: the data of its part in one spelling, without the id of a call, since clients that do not
 * know ids drop it.
 */
export function sealedContent(part: JsonObject): unknown {
  const { kind, value } = readPart(part);
  if (kind === undefined) return {};
  if (kind !== 'functionCall' || !isObject(value)) return { [kind]: value };
  return { functionCall: { name: value.name, args: value.args ?? {} } };
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const EQUALS = 0x3d;

/** Bytes are written in base64 of either alphabet, with or without padding. */
export function isBase64(text: unknown): text is string {
  return typeof text === 'string' && BASE64.test(text) && bareLength(text) % 4 !== 1;
}

function bareLength(text: string): number {
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === EQUALS) length--;
  return length;
}

/** Documented stand-ins for a signature that was never given out; they are not validated, as text or in base64. */
const STAND_INS: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=',
  'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I',
  'context_engineering_is_the_way_to_go',
  'Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv',
]);

export const isStandIn = (seal: string): boolean => STAND_INS.has(seal);

/** The same bytes in the standard alphabet and padded, since clients write them in either. */
export function standardBase64(seal: string): string {
  const bare = seal.slice(0, bareLength(seal)).replaceAll('-', '+').replaceAll('_', '/');
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
}
