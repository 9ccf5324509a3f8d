import {
  check,
  repair,
  type Dialect,
  type Finding,
  type RepairOptions,
  type Repaired,
  type Report,
} from '../../src/index.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { movesBetween } from './attribution.ts';
import { disagreementIn } from './disagreements.ts';
import type { Aim } from './histories.ts';
import { withNext } from './next-request.ts';
import { copyOf, messagesIn, readResults, stringsIn } from './reading.ts';

/** The promises that one history can show broken. */
export type BreachKind =
  | 'exception'
  | 'unsound'
  | 'identity'
  | 'not idempotent'
  | 'not deterministic'
  | 'mutated input'
  | 'unaccounted'
  | 'given up'
  | 'dishonest'
  | 'not carried'
  | 'misattributed'
  | 'disagreement'
  | 'compaction';

export interface Breach {
  readonly promise: 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'R8' | 'C';
  readonly kind: BreachKind;
  /** Short and without the history's own contents, so that equal failures have equal details. */
  readonly detail: string;
  /** The name under which a disagreement is known and explained; it is listed and breaks nothing. */
  readonly explained?: string | undefined;
}

/** What is held to the promises; only the tests of `hold` itself put another one here. */
export interface Engine {
  check: typeof check;
  repair: typeof repair;
}

export interface Subject {
  readonly dialect: Dialect;
  readonly target: Aim;
  readonly options?: RepairOptions;
  /** `core`: cheap enough for millions. `full`: also bytes, contents and copies. `hostile`: values JSON lacks. */
  readonly depth?: 'core' | 'full' | 'hostile';
  readonly engine?: Engine;
  /** False when texts may stand where no content is, so that their absence proves no loss. */
  readonly contents?: boolean;
  /** False where no second look is taken: at an equal copy, and by a check of what a second repair has looked at. */
  readonly twice?: boolean;
}

const ours: Engine = { check, repair };
const engineOf = ({ engine }: Subject): Engine => engine ?? ours;

const placeOf = ({ rule, at }: Finding): string => `${rule} ${at.pointer}`;
const breaks = (finding: Finding): boolean => finding.severity !== 'wasteful';
/** Only the first is named: failures are told apart by it, and shrinking brings the others to light. */
const rulesOf = (findings: readonly Finding[]): string => findings[0]?.rule ?? '';
const rowsOf = (refusals: readonly { row: string }[]): string => refusals[0]?.row ?? '';
const causeOf = ({ repairs }: Report): string => `${repairs[0]?.rule} ${repairs[0]?.action}`;

/** Checks one history against every promise it can show, and returns the broken ones. */
export function hold(input: unknown, subject: Subject): Breach[] {
  const depth = subject.depth ?? 'full';
  // What is frozen throws when it is written to.
  const before = depth === 'full' && !Object.isFrozen(input) ? JSON.stringify(input) : undefined;
  let checked: Report;
  let repaired: Repaired<unknown>;
  try {
    checked = engineOf(subject).check(input, subject.target);
    repaired = engineOf(subject).repair(input, subject.target, subject.options);
  } catch (error) {
    return [{ promise: 'R1', kind: 'exception', detail: describe(error) }];
  }
  try {
    const breaches = [
      ...holdIdentity(input, checked, { repaired, subject }),
      ...holdOutput(repaired, subject),
      // What is wrong with the end of a history is another matter where something follows.
      ...holdAccount(input, subject.options?.next === undefined ? checked : { ...checked, findings: [] }, repaired),
    ];
    if (depth === 'full') {
      breaches.push(...holdAgreement(input, checked, subject), ...holdBytes(input, repaired, subject));
      breaches.push(...holdContent(input, repaired, subject), ...holdHonesty(input, repaired, subject));
      breaches.push(...holdAttribution(input, repaired, subject));
      if (before !== undefined && JSON.stringify(input) !== before)
        breaches.push({ promise: 'R3', kind: 'mutated input', detail: 'other bytes' });
    }
    return breaches;
  } catch (error) {
    return [{ promise: 'R1', kind: 'exception', detail: `on its own output: ${describe(error)}` }];
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frame = error.stack?.split('\n').find((line) => line.includes('/src/'));
  const place = frame?.match(/src\/(.*?:\d+)/)?.[1] ?? 'outside the sources';
  return `${error.name}: ${error.message.slice(0, 120)} (${place})`;
}

interface Outcome {
  readonly repaired: Repaired<unknown>;
  readonly subject: Subject;
}

/** R3: what is accepted comes back as it is. Only a clean input without even waste binds the discard policy. */
function holdIdentity(input: unknown, checked: Report, { repaired, subject }: Outcome): Breach[] {
  if (subject.options?.next !== undefined) return [];
  const accepted =
    subject.options?.policy === 'discard'
      ? checked.findings.length === 0
      : checked.findings.every((found) => !breaks(found));
  if (!accepted || (Object.is(repaired.output, input) && !repaired.changed)) return [];
  return [{ promise: 'R3', kind: 'identity', detail: `a clean history was changed: ${causeOf(repaired.report)}` }];
}

/** R2 and R4: the output passes our own contract and the judge, and repairing it again changes nothing. */
function holdOutput(repaired: Repaired<unknown>, subject: Subject): Breach[] {
  const { output, report } = repaired;
  if (report.dialect === undefined) return [];
  const breaches: Breach[] = [];
  // An input that came back as it was has been repaired once already, with no change.
  const again = repaired.changed ? engineOf(subject).repair(output, subject.target, subject.options) : repaired;
  if (again.output !== output || again.changed) {
    breaches.push({ promise: 'R4', kind: 'not idempotent', detail: `second repair: ${causeOf(again.report)}` });
  }
  if (report.verdict === 'salvaged' || report.verdict === 'emptied') {
    breaches.push({ promise: 'R5', kind: 'given up', detail: `${report.verdict}: ${rulesOf(report.findings)}` });
  }
  if (report.verdict === 'waiting') return breaches;
  const next = subject.options?.next === 'user';
  const sent = next ? withNext(output, subject.dialect) : output;
  const checked = subject.twice === false && !next ? again.report : engineOf(subject).check(sent, subject.target);
  const left = checked.findings.filter(breaks);
  if (left.length > 0) breaches.push({ promise: 'R2', kind: 'unsound', detail: `own finding: ${rulesOf(left)}` });
  const { purpose, model } = subject.target;
  const refusals = judge(subject.dialect, sent, { purpose, model });
  if (refusals.length > 0) breaches.push({ promise: 'R2', kind: 'unsound', detail: `judge: ${rowsOf(refusals)}` });
  if (subject.depth === 'hostile' && !isSerialisable(messagesIn(output))) {
    breaches.push({ promise: 'R2', kind: 'unsound', detail: 'the output has no JSON' });
  }
  return breaches;
}

/** Every text has a JSON form, and that of a hundred megabytes takes seconds to write or does not fit into memory. */
const withoutLongTexts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > 1_000_000 ? '' : value;

/** The fields around the list are the caller's own; the messages must have a JSON form. */
function isSerialisable(messages: readonly unknown[]): boolean {
  try {
    return JSON.stringify(messages, withoutLongTexts) !== undefined;
  } catch {
    return false;
  }
}

/** R5: changed and reported are one thing, and no finding of the check is missing from the report of the repair. */
function holdAccount(input: unknown, checked: Report, repaired: Repaired<unknown>): Breach[] {
  const { output, changed, report } = repaired;
  const broken: string[] = [];
  if (changed !== report.repairs.length > 0)
    broken.push(`changed is ${changed} with ${Math.sign(report.repairs.length)} repairs`);
  if (changed === Object.is(output, input))
    broken.push(`changed is ${changed} and the output is ${changed ? 'the same' : 'another'} object`);
  const { ratio } = report.preserved;
  if (!(ratio >= 0 && ratio <= 1)) broken.push('ratio outside 0 to 1');
  if (ratio < 1 && report.repairs.every(({ loss }) => loss !== 'lossy'))
    broken.push('ratio below 1 without a lossy repair');
  const known = new Set(report.findings.map(placeOf));
  const silent = checked.findings.filter((finding) => breaks(finding) && !known.has(placeOf(finding)));
  if (silent.length > 0) broken.push(`findings of the check missing in the repair: ${rulesOf(silent)}`);
  const rejected = checked.findings.some(({ severity }) => severity === 'rejected');
  if (rejected && !changed && report.dialect !== undefined && report.verdict !== 'waiting')
    broken.push('refused and not repaired');
  return broken.map((detail) => ({ promise: 'R5', kind: 'unaccounted', detail }));
}

/** Two readings of one contract: what the check calls refused the judge refuses, and the other way round. */
function holdAgreement(input: unknown, checked: Report, { dialect, target }: Subject): Breach[] {
  if (checked.dialect === undefined) return [];
  const { purpose, model } = target;
  const rows = judge(dialect, input, { purpose, model }).map(({ row }) => row);
  const found = disagreementIn({ dialect, findings: checked.findings, rows });
  return found === undefined ? [] : [{ promise: 'R2', kind: 'disagreement', ...found }];
}

/** Matches what the generators number, so that equal bytes are no accident. */
const unique = /[a-z] \d/;

/**
 * Messages of the output that have the bytes of an original which is gone, and are another object. An original that a
 * repair took away or rewrote does not count: something else may then read like it. Closing a call beside it does.
 */
function copiesIn(input: unknown, { output, report }: Repaired<unknown>): unknown[] {
  const kept = new Set(messagesIn(output));
  const known = new Set(messagesIn(input));
  const taken = new Set(report.repairs.filter(({ action }) => action !== 'synthesize').map(({ at }) => at.message));
  const replaced = new Set<string>();
  for (const [index, message] of messagesIn(input).entries()) {
    const bytes = JSON.stringify(message) ?? '';
    if (!kept.has(message) && !taken.has(index) && unique.test(bytes)) replaced.add(bytes);
  }
  return messagesIn(output).filter(
    (message) =>
      typeof message === 'object' &&
      !known.has(message) &&
      replaced.has(JSON.stringify(message)) &&
      !isDoubled(message, input),
  );
}

/** True when two messages of the input say the same, so that one of them may have been repaired into the other. */
function isDoubled(message: unknown, input: unknown): boolean {
  const said = [...stringsIn(message)].filter((text) => unique.test(text));
  const saying = messagesIn(input).map((each) => stringsIn(each));
  return said.every((text) => saying.filter((texts) => texts.has(text)).length > 1);
}

/** R4 in bytes: an equal copy repairs to equal bytes. */
function holdCopy(input: unknown, repaired: Repaired<unknown>, subject: Subject): Breach[] {
  const copy = engineOf(subject).repair(copyOf(input), subject.target, subject.options);
  if (JSON.stringify(copy.output) === JSON.stringify(repaired.output)) return [];
  return [{ promise: 'R4', kind: 'not deterministic', detail: 'an equal copy of the input gave other bytes' }];
}

/** R3 and R4 in bytes: also, a message with its old bytes is the old object. */
function holdBytes(input: unknown, repaired: Repaired<unknown>, subject: Subject): Breach[] {
  const breaches: Breach[] = subject.twice === false ? [] : holdCopy(input, repaired, subject);
  // A mutation may have doubled a message, and then one copy can be repaired into the other.
  if (!repaired.changed || subject.contents === false) return breaches;
  if (copiesIn(input, repaired).length > 0)
    breaches.push({ promise: 'R3', kind: 'identity', detail: 'an unchanged message is another object' });
  return breaches;
}

const numbered = /^[a-z][a-z ]* \d+$/;
const carried = /^(?:future|why) \d+$/;

/** True when a numbered text is somewhere in the bytes, and not only as the beginning of a longer number. */
function occurs(text: string, bytes: string): boolean {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    const next = bytes.charCodeAt(at + text.length);
    if (!(next >= 48 && next <= 57)) return true;
  }
  return false;
}

/** R5 and R8: a ratio of 1 means that every text is still there; what we do not know is carried in any case. */
function holdContent(input: unknown, { output, report, lifted }: Repaired<unknown>, subject: Subject): Breach[] {
  if (subject.contents === false || subject.options?.policy === 'discard' || report.dialect === undefined) return [];
  const bytes = JSON.stringify([output, lifted]);
  const lost = [...stringsIn(messagesIn(input))].filter((text) => numbered.test(text) && !occurs(text, bytes));
  const breaches: Breach[] = [];
  const words = [...new Set(lost.map((text) => text.replace(/ \d+$/, '')))].join(', ');
  if (lost.length > 0 && report.preserved.ratio === 1) {
    breaches.push({ promise: 'R5', kind: 'unaccounted', detail: `ratio 1, but lost: ${words}` });
  }
  if (report.verdict === 'repaired' && lost.some((text) => carried.test(text))) {
    breaches.push({ promise: 'R8', kind: 'not carried', detail: `unknown content lost: ${words}` });
  }
  return breaches;
}

/** R5: what a tool said stays with its call; given to another by position, it is told as an invention. */
function holdAttribution(input: unknown, { output, report, changed }: Repaired<unknown>, subject: Subject): Breach[] {
  if (!changed || subject.contents === false || report.dialect === undefined) return [];
  const moves = movesBetween(input, output);
  if (moves.length === 0) return [];
  const details = new Set(moves.flatMap(({ wrong }) => (wrong === undefined ? [] : [`in spite of an ${wrong}`])));
  const joins = report.repairs.filter(({ rule, action }) => rule === 'result-misnamed' && action === 'relink');
  if (joins.every(({ loss }) => loss === 'none')) details.add('a join by position is told as no loss');
  return [...details].map((detail) => ({ promise: 'R5', kind: 'misattributed', detail }));
}

const claimsSuccess = /\b(?:succeeded|successful(?:ly)?|was done|(?:was|has been) (?:completed|executed)|finished)\b/i;
const claimsNoEffect =
  /\b(?:did not run|(?:was )?not (?:run|executed|started)|never (?:ran|run|started|executed)|no effect)\b/i;

/** What a text says beyond the texts of the input, which may stand in it mended or among others. */
function beyond(text: string, given: ReadonlySet<string>): string {
  let rest = text;
  for (const each of given) if (each.length > 1) rest = rest.replaceAll(each.toWellFormed(), '');
  return rest;
}

/** R6: a result that is in no input says that the outcome is unknown, unless evidence says more. */
function holdHonesty(input: unknown, repaired: Repaired<unknown>, subject: Subject): Breach[] {
  if (!repaired.changed || repaired.report.dialect === undefined) return [];
  const given = stringsIn(messagesIn(input));
  const broken = new Set<string>();
  const told = Object.values(subject.options?.evidence ?? {});
  // An id may have been rewritten, so evidence is not matched by id: it is enough that someone said so.
  // A history may say itself that a call was never run, because a person was asked about it first.
  const knowsOfNoEffect =
    told.includes('not-started') || told.includes('denied') || [...given].some((text) => text.includes('approval'));
  for (const text of readResults(subject.dialect, repaired.output).flatMap(({ texts }) => texts)) {
    if (!text.startsWith('[') || given.has(text)) continue;
    const said = beyond(text, given);
    if (claimsSuccess.test(said)) broken.add('an invented result claims success');
    if (!knowsOfNoEffect && claimsNoEffect.test(said.replace('partly or not at all', '')))
      broken.add('an invented result claims no effect');
    if (/^\[(?:interrupted|aborted|timed)/.test(said) && !/may have run/i.test(said))
      broken.add('an invented result hides the doubt');
  }
  return [...broken].map((detail) => ({ promise: 'R6', kind: 'dishonest', detail }));
}
