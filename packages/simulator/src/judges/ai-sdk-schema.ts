import { isObject, type JsonObject } from './docket.ts';

/** The parts each role may hold, as the schema of the AI SDK's model messages lists them. */
const PARTS: Readonly<Record<string, ReadonlySet<unknown>>> = {
  user: new Set(['text', 'image', 'file']),
  assistant: new Set([
    'text',
    'custom',
    'file',
    'reasoning',
    'reasoning-file',
    'tool-call',
    'tool-result',
    'tool-approval-request',
  ]),
  tool: new Set(['tool-result', 'tool-approval-response']),
};

/** The string fields a part cannot do without. */
const STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: [],
  file: ['mediaType'],
  custom: ['kind'],
  reasoning: ['text'],
  'reasoning-file': ['mediaType'],
  'tool-call': ['toolCallId', 'toolName'],
  'tool-result': ['toolCallId', 'toolName'],
  'tool-approval-request': ['approvalId', 'toolCallId'],
  'tool-approval-response': ['approvalId'],
};

const PIECES: ReadonlySet<unknown> = new Set([
  'text',
  'file',
  'file-data',
  'file-url',
  'file-id',
  'file-reference',
  'image-data',
  'image-url',
  'image-file-id',
  'image-file-reference',
  'custom',
]);

/** Whether a part is one that a message of this role may hold, with the fields it needs. */
export function fitsSchema(part: unknown, role: string): part is JsonObject {
  if (!isObject(part) || PARTS[role]?.has(part.type) !== true) return false;
  const type = String(part.type);
  if (!(STRINGS[type] ?? []).every((key) => typeof part[key] === 'string')) return false;
  if (part.providerOptions !== undefined && !isOptions(part.providerOptions)) return false;
  if (type === 'tool-result') return isOutput(part.output);
  if (type === 'tool-call') return part.providerExecuted === undefined || typeof part.providerExecuted === 'boolean';
  if (type === 'tool-approval-response') return typeof part.approved === 'boolean';
  if (type === 'image') return isData(part.image);
  return type === 'file' || type === 'reasoning-file' ? isData(part.data) : true;
}

/** Options are kept by provider, and each provider's are an object. */
export function isOptions(options: unknown): boolean {
  return isObject(options) && Object.values(options).every(isObject);
}

function isData(data: unknown): boolean {
  return typeof data === 'string' || (typeof data === 'object' && data !== null && !Array.isArray(data));
}

function isOutput(output: unknown): boolean {
  if (!isObject(output)) return false;
  const { type, value } = output;
  if (type === 'text' || type === 'error-text') return typeof value === 'string';
  if (type === 'json' || type === 'error-json') return value !== undefined;
  if (type === 'execution-denied') return output.reason === undefined || typeof output.reason === 'string';
  return type === 'content' && Array.isArray(value) && value.every(isPieceOfOutput);
}

function isPieceOfOutput(piece: unknown): boolean {
  if (!isObject(piece) || !PIECES.has(piece.type)) return false;
  return piece.type !== 'text' || typeof piece.text === 'string';
}
