import type { RequestFacts } from '../../model/codec.ts';
import type { Abilities, Choice, Conversion, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { Noting, placed } from '../../model/noting.ts';
import type { Message, Part } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { bodyFaults } from '../body-faults.ts';
import { OK_OR_ERROR } from '../conversion/adapt.ts';
import { fitSystem } from '../conversion/fit.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { MAKER, writeMedia } from './media.ts';
import { read, readPart } from './read.ts';
import { writePart } from './write.ts';

type Wire = Record<string, unknown>;

/** What the fields around the list say that rules ask for. */
export function request(body: Readonly<Wire>): RequestFacts {
  const declared = Array.isArray(body['tools']) ? (body['tools'] as unknown[]) : [];
  const tools = declared.filter(isRecord);
  const thinking = isRecord(body['thinking']) ? body['thinking']['type'] : undefined;
  const names = new Set(tools.map((tool) => String(tool['name'])));
  const server = tools.filter((tool) => typeof tool['type'] === 'string' && tool['type'] !== 'custom');
  const system = Array.isArray(body['system']) ? (body['system'] as unknown[]).filter(isRecord) : [];
  return {
    tools: declared.length === 0 ? undefined : names,
    toolCount: declared.length,
    serverTools: new Set(server.map((tool) => tool['name']).filter((name) => typeof name === 'string')),
    reasoningRequired: thinking === 'enabled',
    reasoningOn: thinking === 'enabled' || thinking === 'adaptive',
    markers: [...tools, ...system].filter((part) => isRecord(part['cache_control'])).length,
    faults: bodyFaults(body, 'messages'),
  };
}

/** The fields of a body that take up system text leaving the list. */
export function lift(body: Readonly<Wire>, wire: unknown): Wire {
  const parts = read(wire, -1).parts.map(
    (part) => part.wire ?? { type: 'text', text: (part as { text: string }).text },
  );
  const before = body['system'];
  if (before === undefined || before === '') return { system: parts };
  return {
    system: [...(Array.isArray(before) ? (before as unknown[]) : [{ type: 'text', text: before }]), ...parts],
  };
}

const TOOL: ReadonlySet<string> = new Set(['type', 'name', 'description', 'input_schema', 'strict']);

/** What crosses between the Anthropic Messages API and others. */
export const conversion: Conversion = {
  systemKey: 'system',
  settings: {
    maxTokens: [['max_tokens']],
    temperature: [['temperature']],
    topP: [['top_p']],
    topK: [['top_k']],
    stop: [['stop_sequences']],
    stream: [['stream']],
  },
  fields: new Set(['messages', 'model', 'system', 'tools', 'tool_choice']),
  // A call may name anything of 200 characters, but a tool is declared under a plain name.
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  needs: { max_tokens: 4096 },
  choicePath: '/tool_choice',
  modelKey: 'model',
  can,
  media: (media, { role, result }) => {
    if (result?.outcome === 'error') return 'an error holds only text there';
    if (result === undefined && role !== 'user') return 'only users show media there';
    return writeMedia(media) ?? 'the target takes no such media';
  },
  arrange: inOrder,
  system: readSystem,
  withSystem: (parts, how) => fitSystem(parts, conversion, how).map(writePart),
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: writeChoice,
};

/** The provider's own tools must be declared in a request, and no declaration of them crosses. */
function can({ request: whole }: Packing): Abilities {
  return {
    seals: ({ maker, form }) => maker === MAKER && (form === 'signature' || form === 'redacted'),
    thoughts: false,
    server: (maker) => maker === MAKER && !whole,
    serverNames: true,
    outcomes: OK_OR_ERROR,
    caches: true,
    input: 'object',
    blank: 'refused',
  };
}

/** Results come first and calls last; what was moved still says the same. */
export function inOrder(message: Message): readonly Message[] {
  const role = message.role === 'tool' ? 'user' : message.role;
  const rank = (part: Part): number => {
    if (part.kind === 'result' && role === 'user') return 0;
    return part.kind === 'call' && !part.server ? 2 : 1;
  };
  return [{ ...message, role, parts: message.parts.toSorted((a, b) => rank(a) - rank(b)) }];
}

function readSystem({ system }: Readonly<Wire>, lose: Lose): readonly Part[] {
  const noting = Noting.around(lose).inside('system');
  if (typeof system === 'string') {
    return system === '' ? [] : [placed({ kind: 'text', text: system, characters: 0 }, noting)];
  }
  const list = Array.isArray(system) ? (system as unknown[]) : [];
  return Array.from(list, (wire, i) => placed(readPart(wire, noting.at, noting.inside(i)), noting.inside(i)));
}

function readTools(body: Readonly<Wire>, lose: Lose): readonly ToolSpec[] {
  return listIn(body, 'tools').flatMap((tool, i): ToolSpec[] => {
    const noting = Noting.around(lose).inside('tools', i);
    const { name, description, strict, type } = isRecord(tool) ? tool : {};
    const own = type === undefined || type === null || type === 'custom';
    if (!isRecord(tool) || typeof name !== 'string' || !own) {
      noting.lose({ kind: 'tool', what: textOf(type) ?? 'a tool', why: 'the provider of this dialect runs it itself' });
      return [];
    }
    noting.loseKeys(tool, TOOL);
    const schema = tool['input_schema'];
    return [
      {
        name,
        schema,
        ...maybe('description', textOf(description)),
        ...(strict === true ? { strictAt: noting.inside('strict').path } : {}),
        path: noting.path,
      },
    ];
  });
}

function writeTool({ name, description, schema, strictAt }: ToolSpec): Wire {
  return {
    name,
    ...maybe('description', description),
    input_schema: schema ?? { type: 'object' },
    ...(strictAt === undefined ? {} : { strict: true }),
  };
}

function readChoice(choice: unknown): Choice | undefined {
  if (!isRecord(choice)) return undefined;
  const { type, name } = choice;
  if (type === 'tool' && typeof name === 'string') return { mode: 'any', names: [name] };
  return type === 'auto' || type === 'any' || type === 'none' ? { mode: type } : undefined;
}

function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [name, ...more] = names;
  if (name === undefined) return { tool_choice: { type: mode } };
  return mode === 'any' && more.length === 0 ? { tool_choice: { type: 'tool', name } } : undefined;
}
