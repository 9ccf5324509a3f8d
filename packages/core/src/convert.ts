import { detectDialect } from './dialects/detect.ts';
import { CODECS } from './dialects/dialects.ts';
import { isDialect, type Dialect } from './model/dialect.ts';
import { CONVERSIONS } from './dialects/conversions.ts';
import { PROFILES } from './dialects/profiles.ts';
import { convertFields, liftSystem, type Sides } from './convert/around.ts';
import { readMessage, withoutWire } from './convert/read-message.ts';
import { writeMessages } from './convert/write-message.ts';
import { group, settleStanding } from './convert/group.ts';
import { rewriteIds } from './convert/ids.ts';
import { newNameBook, rename } from './convert/names.ts';
import { relocate, repairLosses } from './convert/relocate.ts';
import type { Codec } from './model/codec.ts';
import type { Packed } from './model/conversion.ts';
import { inReadingOrder, keepLosses, type ConversionLoss, type Lose } from './model/loss.ts';
import type { Message } from './model/part.ts';
import type { Report } from './model/finding.ts';
import { isRecord, mend, withKeys } from './model/value.ts';
import { repair } from './repair.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where a history comes from and where it is to go. */
export type ConvertOptions = {
  /** The dialect of the input; detected where it is left out. */
  readonly from?: Dialect;
  readonly to: Dialect;
  /** The model that the result is meant for; without it the strictest reading counts. */
  readonly model?: string;
};

/** A history in another dialect, ready to be sent. */
export type Converted = {
  /** A list where a list was given, and a whole request where one was given. */
  readonly output: unknown;
  /** What it took to make the result sendable, located in the input. */
  readonly report: Report;
  /** Everything that could not be carried over as it was. */
  readonly losses: readonly ConversionLoss[];
  /** System messages that a bare list has no place for: send them in the request's own field. */
  readonly lifted?: readonly unknown[];
};

/** Writes a history, or a whole request, in another dialect. Never throws. */
export function convert(input: unknown, options: ConvertOptions): Converted {
  try {
    return convertReadable(input, options);
  } catch {
    // Something in the input throws when it is read; an inert copy of it does not.
    return convertReadable(mend(input), options);
  }
}

function convertReadable(input: unknown, options: ConvertOptions | undefined): Converted {
  const { from, model } = options ?? {};
  const to: unknown = options?.to;
  if (!isDialect(to)) return { ...pick(repair(input, unknownTarget(to))), losses: [] };
  const source = from ?? detectDialect(input);
  const list = source === undefined || !isDialect(source) ? undefined : listOf(input, CODECS[source]);
  const target = { dialect: to, ...(model === undefined ? {} : { model }) };
  if (source === undefined || list === undefined) {
    return { ...pick(repair(input, { ...target, ...(source === undefined ? {} : { dialect: source }) })), losses: [] };
  }
  if (source === to) return stay(input, target);
  const { losses, lose } = keepLosses();
  const body = isRecord(input) ? input : undefined;
  const how = { profile: PROFILES[to](model), model, request: body !== undefined, lose };
  const sides: Sides = { from: CONVERSIONS[source], to: CONVERSIONS[to], how };
  const made = write({ list, body, source }, sides, { to, model });
  const repaired = repair<unknown>(made.output, target);
  const report = relocate(repaired.report, made.packed);
  return { ...pick(repaired), report, losses: inReadingOrder([...losses, ...repairLosses(report)]) };
}

/** Nothing is known of such a target, so nothing can be said to be fit for it. */
function unknownTarget(name: unknown): Dialect {
  return (typeof name === 'string' ? name : typeof name) as Dialect;
}

function pick({
  output,
  report,
  lifted,
}: {
  output: unknown;
  report: Report;
  lifted?: readonly unknown[];
}): Omit<Converted, 'losses'> {
  return { output, report, ...(lifted === undefined ? {} : { lifted }) };
}

/** Nothing has to cross where the dialect stays: only the model may be another. */
function stay(input: unknown, target: { readonly dialect: Dialect; readonly model?: string }): Converted {
  const { modelKey } = CONVERSIONS[target.dialect];
  const other =
    isRecord(input) && modelKey !== undefined && target.model !== undefined && input[modelKey] !== target.model;
  const asked = other ? withKeys(input, { [modelKey]: target.model }) : input;
  const repaired = repair<unknown>(asked, target);
  return { ...pick(repaired), losses: repairLosses(repaired.report) };
}

function listOf(input: unknown, codec: Codec): readonly unknown[] | undefined {
  const field = isRecord(input) ? input[codec.listKey] : input;
  return Array.isArray(field) ? (field as unknown[]) : codec.listOf?.(field);
}

type Input = {
  readonly list: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly source: Dialect;
};

function readAll({ list, body, source }: Input, lose: Lose): readonly Message[] {
  const base = body === undefined ? '' : `/${CODECS[source].listKey}`;
  return list.flatMap((wire, index) => readMessage({ wire, index, path: `${base}/${String(index)}` }, source, lose));
}

function write(
  input: Input,
  sides: Sides,
  { to, model }: { to: Dialect; model: string | undefined },
): { output: unknown; packed: readonly Packed[] } {
  const { body } = input;
  const { from, to: target, how } = sides;
  const book = newNameBook(target.names, how.lose);
  const fields = body === undefined ? {} : convertFields(body, sides, book);
  const told = body === undefined ? [] : (from.system?.(body, how.lose) ?? []);
  const system = told.length === 0 ? [] : [withoutWire({ role: 'system', parts: told, at: -1, path: '' })];
  const said = settleStanding([...system, ...readAll(input, how.lose)], how.lose);
  const named = rename(rewriteIds(group(said, how.profile), how.profile, how.lose), book);
  const lifted = body === undefined ? { fields: {}, rest: named } : liftSystem(named, sides);
  const packed = writeMessages(lifted.rest, to, how);
  const list = packed.map(({ wire }) => wire);
  if (body === undefined) return { output: list, packed };
  const asked = modelField(body, sides, model);
  return { output: { ...asked, ...lifted.fields, ...fields, [CODECS[to].listKey]: list }, packed };
}

/** Where a body names its model: some APIs have it in the address, and their clients keep it under another name. */
const MODEL_KEYS = ['model', 'modelId'] as const;

/** The model that was asked for; that of the input means nothing to another provider. */
function modelField(body: Fields, { to, how }: Sides, model: string | undefined): Fields {
  const field = model === undefined || to.modelKey === undefined ? {} : { [to.modelKey]: model };
  const named = Object.keys(field).length > 0;
  for (const key of MODEL_KEYS) {
    const before = body[key];
    if (typeof before !== 'string' || (named && before === model)) continue;
    const why =
      before === model ? 'requests of the target do not name their model' : 'it is a model of another provider';
    const became = named ? 'other' : 'nothing';
    how.lose({ at: { message: -1 }, path: `/${key}` }, { kind: 'key', what: `${key}: ${before}`, became, why });
  }
  return field;
}
