import type { Rung } from './compaction/checkpoint.ts';
import type { Finding } from './model/finding.ts';
import { POLICY_CHOICES } from './model/policy.ts';
import { ask } from './model/read-safely.ts';
import { RESULT_TEXTS } from './model/synthetic.ts';
import { isRecord } from './model/value.ts';

/** What an option takes, in words and as a test, and what is used in place of anything else. */
type Option = {
  readonly valid: string;
  readonly accepts: (value: unknown) => boolean;
  readonly otherwise: string;
  /** The options inside it, if it is an object of options. */
  readonly inside?: Options;
};

type Options = Readonly<Record<string, Option>>;

const NOTHING = 'it is left out';

function oneOf(values: readonly string[], otherwise = `${quoted(values[0])} is used`): Option {
  return {
    valid: values.map(quoted).join(', '),
    accepts: (value) => values.includes(value as string),
    otherwise,
  };
}

function kindOf(valid: string, accepts: (value: unknown) => boolean, otherwise = NOTHING): Option {
  return { valid, accepts, otherwise };
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';
const isFunction = (value: unknown): boolean => typeof value === 'function';

const POLICY: Options = Object.fromEntries(
  Object.entries(POLICY_CHOICES).map(([key, values]) => [key, oneOf(values)] as const),
);
const EVIDENCE: readonly string[] = Object.keys(RESULT_TEXTS);

const TARGET: Options = {
  // A dialect that nobody knows is a finding of its own.
  dialect: kindOf('the name of a dialect', () => true),
  model: kindOf('the name of a model', isText),
  profile: kindOf('an object', isRecord),
  purpose: oneOf(['history', 'request'], 'the purpose follows from the input'),
};

const REPAIR: Options = {
  policy: {
    valid: '"preserve", "discard", or an object',
    accepts: (value) => value === 'preserve' || value === 'discard' || isRecord(value),
    otherwise: '"preserve" is used',
    inside: POLICY,
  },
  open: oneOf(['close', 'leave']),
  evidence: kindOf(
    `an object that gives call ids one of ${EVIDENCE.map(quoted).join(', ')}`,
    (value) => isRecord(value) && Object.values(value).every((kind) => EVIDENCE.includes(kind as string)),
    'calls without a valid kind count as unknown',
  ),
  maxPasses: kindOf('a number from 0', isNumber, '10 is used'),
  next: oneOf(['user'], NOTHING),
  refusal: kindOf('anything', () => true),
  refusals: kindOf('a list', Array.isArray),
  prefixDigests: kindOf('an object', isRecord),
};

const STEPS: readonly Rung[] = ['clamp', 'repeated-reads', 'prune', 'summary', 'rule-summary'];

const COMPACT: Options = {
  budgetTokens: kindOf('a number', (value) => typeof value === 'number', 'the budget counts as not met'),
  keep: {
    ...kindOf('an object', isRecord, 'the newest turn is kept'),
    inside: { minTurns: kindOf('a number', isNumber), minMessages: kindOf('a number', isNumber) },
  },
  pins: kindOf('a list', Array.isArray),
  ladder: kindOf(
    `a list of ${STEPS.map(quoted).join(', ')}`,
    (value) => Array.isArray(value) && value.every((step) => STEPS.includes(step as Rung)),
    'unknown steps are left out',
  ),
  prune: {
    ...kindOf('an object', isRecord, 'the defaults are used'),
    inside: {
      protectTokens: kindOf('a number', isNumber),
      protectTurns: kindOf('a number', isNumber),
      minFreedTokens: kindOf('a number', isNumber),
      exemptTools: kindOf('a list', () => true),
    },
  },
  clampTokens: kindOf('a number', isNumber),
  summaryTokens: kindOf('a number', isNumber),
  inputTokens: kindOf('a number', isNumber),
  model: kindOf('a function', isFunction),
  count: kindOf('a function', isFunction),
  at: kindOf('a text', isText),
  breaker: kindOf('an object', isRecord),
  target: kindOf('a target', (value) => isText(value) || isRecord(value)),
};

/** What is wrong with a target, other than its dialect. */
export function targetFindings(target: unknown): readonly Finding[] {
  return isText(target) ? [] : findingsIn('target', target, TARGET);
}

export function repairOptionFindings(options: unknown): readonly Finding[] {
  return findingsIn('options', options, REPAIR);
}

export function compactOptionFindings(options: unknown): readonly Finding[] {
  return findingsIn('options', options, COMPACT);
}

/** Options that throw when they are read have been read by then, and are nobody's mistake in writing. */
function findingsIn(name: string, given: unknown, known: Options): readonly Finding[] {
  return ask((options: unknown) => readFindings(name, options, known), given) ?? [];
}

function readFindings(name: string, given: unknown, known: Options): readonly Finding[] {
  if (given === undefined || given === null) return [];
  if (!isRecord(given)) return [finding(`${name} is ${shown(given)}, but has to be an object; the defaults are used`)];
  return Object.entries(given).flatMap(([key, value]) => {
    const path = `${name}.${key}`;
    const option = Object.hasOwn(known, key) ? known[key] : undefined;
    if (option === undefined) {
      return [finding(`${path} is no option and was left out; valid options are ${Object.keys(known).join(', ')}`)];
    }
    if (value === undefined || value === null) return [];
    const { valid, accepts, otherwise, inside } = option;
    if (!accepts(value)) return [finding(`${path} is ${shown(value)}; valid is ${valid}; ${otherwise}`)];
    return inside !== undefined && isRecord(value) ? readFindings(path, value, inside) : [];
  });
}

function finding(explain: string): Finding {
  return { rule: 'option-invalid', severity: 'wasteful', at: { message: -1, pointer: '' }, explain };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value.slice(0, 60));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

function quoted(text: unknown): string {
  return JSON.stringify(text);
}
