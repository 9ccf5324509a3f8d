import { AgentError } from './agent-error.ts';
import { DEADLINES } from './deadlines.ts';
import { CHOICES } from './effects.ts';
import { isFields } from './record-forms.ts';
import { RETRY } from './retry.ts';
import type { RunOptions } from './run.ts';
import type { AgentOptions } from './settings.ts';
import { EFFECTS } from './tool.ts';

/** Checks a named value. `undefined` means that it was left out and is always valid. */
type Check = (value: unknown, name: string) => void;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  return value === null || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : `a ${typeof value}`;
}

function refused(name: string, expected: string, value: unknown): AgentError {
  return new AgentError('unsupported', `${name} must be ${expected}, not ${shown(value)}`);
}

const must =
  (expected: string, holds: (value: unknown) => boolean): Check =>
  (value, name) => {
    if (value !== undefined && !holds(value)) throw refused(name, expected, value);
  };

const isFunction = (value: unknown): boolean => typeof value === 'function';
const has = (value: unknown, ...names: readonly string[]): boolean =>
  isFields(value) && names.every((name) => isFunction(value[name]));
const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isFields(value) && !Array.isArray(value);
const list = (words: readonly unknown[]): string => words.map((word) => JSON.stringify(word)).join(', ');

const functional = must('a function', isFunction);
const table = must('an object', isTable);
const flag = must('true or false', (value) => typeof value === 'boolean');
const text = must('a text', (value) => typeof value === 'string');
/** Accepts Infinity for no limit, but not NaN, which would silently be none either. */
const duration = must('a number of milliseconds from 0', (value) => typeof value === 'number' && value >= 0);
const countFrom = (least: number): Check =>
  must(`a whole number from ${least}`, (value) => {
    return value === Infinity || (Number.isSafeInteger(value) && Number(value) >= least);
  });
const oneOf = (words: readonly unknown[], more = ''): Check =>
  must(`one of ${list(words)}${more}`, (value) => words.includes(value) || (more !== '' && isFunction(value)));

/** An object with known keys only, so that a misspelt key is noticed. */
function checkKeys(
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
  of: string,
): void {
  for (const [key, each] of Object.entries(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    const named = of === '' ? key : `${of}.${key}`;
    if (check !== undefined) check(each, named);
    else if (each !== undefined) {
      const what = of === '' ? 'an option' : `one of the ${of}`;
      throw new AgentError('unsupported', `${key} is not ${what}; valid: ${Object.keys(checks).join(', ')}`);
    }
  }
}

const keyed =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, name) => {
    table(value, name);
    if (isTable(value)) checkKeys(value, checks, name);
  };

const each = (checks: readonly string[], check: Check): Readonly<Record<string, Check>> =>
  Object.fromEntries(checks.map((name) => [name, check]));

const TOOL: Readonly<Record<string, Check>> = {
  run: functional,
  effect: oneOf(EFFECTS),
  timeoutMs: duration,
  approval: must('true, false or a function', (value) => typeof value === 'boolean' || isFunction(value)),
  schema: must('a Standard Schema', (value) => {
    // Schemas of some libraries are functions.
    const standard: unknown = isFields(value) || isFunction(value) ? Object(value)['~standard'] : undefined;
    return has(standard, 'validate');
  }),
  parameters: table,
  description: text,
};

const tools: Check = (value, name) => {
  table(value, name);
  for (const [key, given] of Object.entries(isTable(value) ? value : {})) {
    if (!isTable(given) || !isFunction(given['run'])) {
      throw new AgentError('unsupported', `the tool ${key} needs a function run`);
    }
    for (const [part, check] of Object.entries(TOOL)) check(given[part], `${name}.${key}.${part}`);
  }
};

const unsettled = oneOf(['by-effect', ...CHOICES], ', or a function');

const isModel = (value: unknown): boolean => {
  const target = isFields(value) ? value['target'] : undefined;
  return has(value, 'call', 'renew') && isFields(target) && typeof target['dialect'] === 'string';
};

const CHECKS: Readonly<Record<keyof AgentOptions, Check>> = {
  store: must('a store from `open` of @rethread/store', (value) => has(value, 'session', 'create')),
  model: must('a model port, with a target, call and renew', isModel),
  tools,
  system: () => undefined,
  compaction: must('true, false or an object', (value) => typeof value === 'boolean' || isTable(value)),
  onEvent: functional,
  onApproval: functional,
  unsettled,
  deadlines: keyed(each(Object.keys(DEADLINES), duration)),
  retry: keyed({ ...each(Object.keys(RETRY), duration), attempts: countFrom(1) }),
  maxTokens: countFrom(1),
  maxSteps: countFrom(1),
  crashBudget: countFrom(0),
  showEveryMs: duration,
  stream: flag,
  clock: must('an object with now and after', (value) => has(value, 'now', 'after')),
  logger: functional,
  random: functional,
  tracing: must('an object with span', (value) => has(value, 'span')),
  env: table,
};

/** Refuses invalid agent options with one sentence. */
export function checkAgentOptions(options: unknown): void {
  if (!isTable(options)) throw refused('options', 'an object with a store and a model', options);
  for (const name of ['store', 'model'] as const) {
    if (options[name] === undefined) throw new AgentError('unsupported', `an agent needs a ${name}`);
  }
  checkKeys(options, CHECKS, '');
}

/** Removes undefined values, so that they do not override defaults. */
export function given<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const RUN: Readonly<Record<keyof RunOptions, Check>> = {
  signal: must('an AbortSignal', (value) => value instanceof AbortSignal),
  inputId: must('a non-empty string', (value) => typeof value === 'string' && value !== ''),
  onDisconnect: oneOf(['continue', 'abort']),
};

/** Checks input and run options before anything is stored. */
export function checkRun(input: unknown, options: unknown): void {
  const isInput =
    input === undefined ||
    typeof input === 'string' ||
    (Array.isArray(input) && input.length > 0 && input.every((message) => isTable(message)));
  if (!isInput) throw refused('the input', 'a string, or a list of messages in the dialect of the model', input);
  if (!isTable(options)) throw refused('the run options', 'an object', options);
  for (const [name, check] of Object.entries(RUN)) check(options[name], name);
}

export function checkRecovery(options: unknown): void {
  if (!isTable(options)) throw refused('the recovery options', 'an object', options);
  unsettled(options['unsettled'], 'unsettled');
  RUN.signal(options['signal'], 'signal');
}

/** Decisions are `allow` or `deny` by call id. */
export function checkDecisions(decisions: unknown): void {
  if (!isTable(decisions)) throw refused('the decisions', 'an object of call ids with "allow" or "deny"', decisions);
  for (const [callId, decision] of Object.entries(decisions)) {
    if (decision !== 'allow' && decision !== 'deny') {
      throw refused(`the decision about ${JSON.stringify(callId)}`, '"allow" or "deny"', decision);
    }
  }
}
