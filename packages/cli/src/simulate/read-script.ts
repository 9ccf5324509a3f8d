import type { Failure, Reply, ReplyPart } from '@rethread/simulator';

import { readJson } from '../files/read-json.ts';
import { Unreadable } from '../unreadable.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isStatus: Check = (value) => isCount(value) && Number(value) >= 400 && Number(value) <= 599;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a thing, each with what it may hold; a question mark leaves the key open. */
type Shape = Readonly<Record<string, Check>>;

const partShapes: Readonly<Record<string, Shape>> = {
  text: { text: isText },
  reasoning: { text: isText, 'redacted?': isFlag, 'seal?': isText },
  call: { tool: isText, 'input?': (value) => isObject(value) || isText(value), 'id?': isText },
  refusal: { text: isText },
  opaque: { value: isObject },
};
const usageShape: Shape = { 'input?': isCount, 'output?': isCount, 'cached?': isCount, 'reasoning?': isCount };
const stops = ['end', 'calls', 'length', 'pause', 'refusal'];
const replyShape: Shape = {
  parts: Array.isArray,
  'stop?': (value) => isText(value) && stops.includes(String(value)),
  'usage?': (value) => isObject(value) && faultIn(value, usageShape) === undefined,
};
const failureShape: Shape = { failure: isText, 'status?': isStatus };

/** What is wrong with the keys of an object, in words. */
function faultIn(fields: Fields, shape: Shape): string | undefined {
  const names = Object.keys(shape).map((name) => name.replace('?', ''));
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) return `has the key ${unknown}; it may have ${names.join(', ')}`;
  for (const [key, check] of Object.entries(shape)) {
    const name = key.replace('?', '');
    const value = fields[name];
    if (value === undefined && key !== name) continue;
    if (!check(value)) return value === undefined ? `lacks the key ${name}` : `cannot have this value as ${name}`;
  }
  return undefined;
}

function readPart(value: unknown, place: string): ReplyPart {
  if (typeof value === 'string') return { kind: 'text', text: value };
  const { kind, ...fields } = isObject(value) ? value : { kind: undefined };
  const shape = typeof kind === 'string' && Object.hasOwn(partShapes, kind) ? partShapes[kind] : undefined;
  if (shape === undefined) {
    throw new Unreadable(
      `${place} needs to be a text, or an object whose kind is ${Object.keys(partShapes).join(', ')}`,
    );
  }
  const fault = faultIn(fields, shape);
  if (fault !== undefined) throw new Unreadable(`${place} ${fault}`);
  return (kind === 'call' ? { input: {}, ...fields, kind } : { ...fields, kind }) as unknown as ReplyPart;
}

function readReply(value: unknown, index: number): Reply | Failure | string {
  const place = `is no script: reply ${index + 1}`;
  if (typeof value === 'string') return value;
  if (!isObject(value)) throw new Unreadable(`${place} needs to be a text or an object`);
  const failed = 'failure' in value;
  const fault = faultIn(value, failed ? failureShape : replyShape);
  if (fault !== undefined) throw new Unreadable(`${place} ${fault}`);
  if (failed) return value as unknown as Failure;
  const parts = (value['parts'] as readonly unknown[]).map((part, at) => readPart(part, `${place}, part ${at + 1}`));
  return { ...value, parts };
}

/** The replies of a script: a list of texts, of `{ parts, stop, usage }` and of `{ failure, status }`. */
export async function readScript(path: string): Promise<(Reply | Failure | string)[]> {
  const value = await readJson(path);
  if (!Array.isArray(value)) throw new Unreadable('is no script: it needs to be a list of replies');
  return value.map(readReply);
}
