import type { RequestFacts } from '../../model/codec.ts';
import type { Abilities, Choice, Conversion, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { Noting } from '../../model/noting.ts';
import { isRecord } from '../../model/value.ts';
import { bodyFaults } from '../body-faults.ts';
import { ONLY_OK } from '../conversion/adapt.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { arrangeChat, withThoughtField } from './arrange.ts';
import { writeMedia } from './media.ts';
import { calleeKey } from './shape.ts';

type Wire = Record<string, unknown>;

const NO_TOOLS: ReadonlySet<string> = new Set();

/** What the fields around the list say that rules ask for. */
export function request(body: Readonly<Wire>): RequestFacts {
  const tools = Array.isArray(body['tools']) ? (body['tools'] as unknown[]) : [];
  return {
    tools: tools.length === 0 ? undefined : new Set(tools.map(toolName)),
    toolCount: tools.length,
    serverTools: NO_TOOLS,
    reasoningRequired: false,
    reasoningOn: !isRecord(body['thinking']) || body['thinking']['type'] !== 'disabled',
    markers: 0,
    faults: bodyFaults(body, 'messages'),
  };
}

function toolName(tool: unknown): string {
  const callee = isRecord(tool) ? tool[calleeKey(tool)] : undefined;
  return isRecord(callee) ? String(callee['name']) : '';
}

const TOOL: ReadonlySet<string> = new Set(['type', 'function', 'custom']);
const FUNCTION: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict', 'format']);

/** What crosses between the OpenAI Chat Completions API and others. */
export const conversion: Conversion = {
  settings: {
    maxTokens: [['max_completion_tokens'], ['max_tokens']],
    temperature: [['temperature']],
    topP: [['top_p']],
    stop: [['stop']],
    stream: [['stream']],
    seed: [['seed']],
    parallel: [['parallel_tool_calls']],
  },
  fields: new Set(['messages', 'model', 'tools', 'tool_choice']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, max: 64 },
  choicePath: '/tool_choice',
  freeTools: true,
  modelKey: 'model',
  can,
  beside: 'reasoning',
  arrange: (message, how) => arrangeChat(withThoughtField(message), how, { writeMedia }),
  media: (media, { role }) =>
    role === 'user' ? (writeMedia(media) ?? 'the target takes no such media') : 'only users show media there',
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: writeChoice,
};

function can({ profile }: Packing): Abilities {
  return {
    seals: ({ maker }, on) => maker === 'google' && on === 'call' && profile.unknownKeys === 'carry',
    thoughts: profile.reasoningField === 'back',
    server: () => false,
    outcomes: ONLY_OK,
    refusals: true,
    names: true,
    developers: true,
    free: true,
    input: 'text',
  };
}

export function readTools(body: Readonly<Wire>, lose: Lose): readonly ToolSpec[] {
  return listIn(body, 'tools').flatMap((tool, i): ToolSpec[] => {
    const noting = Noting.around(lose).inside('tools', i);
    const wire: Wire = isRecord(tool) ? tool : {};
    const free = wire['type'] === 'custom';
    const key = free ? 'custom' : 'function';
    const callee = wire[key];
    if (!isRecord(callee) || typeof callee['name'] !== 'string') {
      const what = textOf(wire['type']) ?? 'a tool';
      noting.lose({ kind: 'tool', what, why: 'the provider of this dialect runs it itself' });
      return [];
    }
    noting.loseKeys(tool, TOOL);
    noting.inside(key).loseKeys(callee, FUNCTION);
    const { name, parameters, strict } = callee;
    const description = maybe('description', textOf(callee['description']));
    const schema = maybe('schema', free ? undefined : parameters);
    return [
      {
        name,
        ...description,
        ...schema,
        ...(strict === true ? { strictAt: noting.inside(key, 'strict').path } : {}),
        ...(free ? { free } : {}),
        path: noting.path,
      },
    ];
  });
}

export function writeTool({ name, description, schema, strictAt, free }: ToolSpec): Wire {
  const about = { name, ...maybe('description', description) };
  if (free === true) return { type: 'custom', custom: about };
  return {
    type: 'function',
    function: { ...about, ...maybe('parameters', schema), ...(strictAt === undefined ? {} : { strict: true }) },
  };
}

export function readChoice(choice: unknown): Choice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'any') return { mode: choice };
  if (choice === 'required') return { mode: 'any' };
  const callee = isRecord(choice) ? (choice['function'] ?? choice['custom'] ?? choice) : undefined;
  const name = isRecord(callee) ? textOf(callee['name']) : undefined;
  if (name !== undefined) return { mode: 'any', names: [name] };
  const allowed = isRecord(choice) && isRecord(choice['allowed_tools']) ? choice['allowed_tools'] : choice;
  const names = listIn(allowed, 'tools').flatMap((tool) => readChoice(tool)?.names ?? []);
  if (!isRecord(allowed) || names.length === 0) return undefined;
  return { mode: allowed['mode'] === 'auto' ? 'auto' : 'any', names };
}

function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [name, ...more] = names;
  if (name === undefined) return { tool_choice: mode === 'any' ? 'required' : mode };
  if (mode === 'any' && more.length === 0) return { tool_choice: { type: 'function', function: { name } } };
  if (mode === 'none') return undefined;
  const tools = names.map((each) => ({ type: 'function', function: { name: each } }));
  return { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: mode === 'any' ? 'required' : mode, tools } } };
}
