import type { ToolSpec } from '../apis/reading.ts';
import { isObject, type JsonObject } from '../judges/docket.ts';
import { chance, pick, type Chance } from './chance.ts';
import type { Model, ModelRequest } from './model.ts';
import { plausibleInput } from './plausible.ts';
import { call, reasoning, text, type Reply, type ReplyPart } from './reply.ts';

export interface SeededOptions {
  /** The most steps with calls in one turn. */
  readonly maxSteps?: number | undefined;
  /** The most calls in one step. */
  readonly maxCalls?: number | undefined;
}

const THOUGHTS = [
  'The user wants the newest state, so it is read before anything is said.',
  'Two sources may disagree; both are worth a look.',
  'Vielleicht genügt schon die erste Datei. 🤔',
] as const;
const PLANS = [
  'Let me look.',
  'Ich sehe nach …',
  'One moment: checking 日本語 notes too.',
  'Looking into it 🔍',
] as const;
const ANSWERS = [
  'Done: everything is in its place.',
  'It is finished. Two things stood out, and neither needs action.',
  'Fertig. Alles läuft – ohne Fehler ✅',
  'Here is the short answer: yes.\n\n- first\n- second\n',
] as const;

/**
 * A model whose whole conversation follows from the seed: it calls the declared tools for some steps, several at once
 * now and then, and then answers. The same request gets the same reply.
 */
export function seeded(seed: number, options: SeededOptions = {}): Model {
  const { maxSteps = 4, maxCalls = 3 } = options;
  return (request) => {
    const { step, tools, turn } = request;
    const steps = Math.floor(chance(seed, 'turn', turn)() * (maxSteps + 1));
    const next = chance(seed, turn, step);
    const forced = forcedTools(request);
    const callable = forced ?? tools;
    const thought = request.thinks ? thoughts(next) : [];
    const calls = callable.length > 0 && (forced === undefined ? step < steps : step === 0);
    const most = isOneAtATime(request.body) ? 1 : maxCalls;
    return calls ? callStep({ callable, thought, maxCalls: most }, next) : answer(thought, next);
  };
}

interface CallStep {
  readonly callable: readonly ToolSpec[];
  readonly thought: readonly ReplyPart[];
  readonly maxCalls: number;
}

function callStep({ callable, thought, maxCalls }: CallStep, next: Chance): Reply {
  const parts: ReplyPart[] = [...thought];
  if (next() < 0.5) parts.push(text(pick(PLANS, next)));
  const count = 1 + (next() < 0.4 ? Math.floor(next() * maxCalls) : 0);
  for (let i = 0; i < count; i++) {
    const tool = pick(callable as [ToolSpec, ...ToolSpec[]], next);
    parts.push(call(tool.name, plausibleInput(tool.schema, next)));
  }
  return { parts };
}

function thoughts(next: Chance): ReplyPart[] {
  if (next() < 0.15) return [];
  return [reasoning(pick(THOUGHTS, next), next() < 0.15 ? { redacted: true } : {})];
}

const answer = (thought: readonly ReplyPart[], next: Chance): Reply => ({
  parts: [...thought, text(pick(ANSWERS, next))],
});

/** Whether a request forbids several calls in one step. */
function isOneAtATime({ tool_choice: choice, parallel_tool_calls: parallel }: JsonObject): boolean {
  return parallel === false || (isObject(choice) && choice.disable_parallel_tool_use === true);
}

/** The tools among which a request demands a call; nothing where it demands none. */
function forcedTools({ body, tools }: ModelRequest): readonly ToolSpec[] | undefined {
  const choice = body.tool_choice;
  if (choice === 'required') return tools;
  if (!isObject(choice)) return isObject(body.toolConfig) ? geminiForced(body.toolConfig, tools) : undefined;
  if (choice.type === 'any') return tools;
  const named = isObject(choice.function) ? choice.function.name : choice.name;
  const found = tools.filter(({ name }) => name === named);
  return found.length > 0 ? found : undefined;
}

function geminiForced(config: JsonObject, tools: readonly ToolSpec[]): readonly ToolSpec[] | undefined {
  const calling = config.functionCallingConfig;
  if (!isObject(calling) || calling.mode !== 'ANY') return undefined;
  const allowed: unknown = calling.allowedFunctionNames;
  return Array.isArray(allowed) ? tools.filter(({ name }) => allowed.includes(name)) : tools;
}
