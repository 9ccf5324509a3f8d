import type { Envelope } from './engine/target.ts';
import type { Codec } from './model/codec.ts';
import type { At, Refusal, Repair, Report } from './model/finding.ts';
import type { Message } from './model/part.ts';
import type { Profile } from './model/profile.ts';
import { readSafely } from './model/read-safely.ts';
import { inspect, mend, newTally, withKeys } from './model/value.ts';
import { refusalText } from './refusal-text.ts';
import { placeNamed, type MessageRemedy, type Remedy } from './rules/refusals/refusal.ts';
import { recognise, type Recognised } from './rules/refusals/refusals.ts';
import { remedyOf, type Remedied } from './rules/refusals/remedies.ts';
import { isClientCall, isClientResult } from './rules/remedies/batch.ts';

/** What a refusal asks for: a stricter reading, and changes that no reading of the contract would make. */
export type Answer = {
  readonly envelope: Envelope;
  readonly flags: Partial<Profile>;
  readonly repairs: readonly Repair[];
  /** It is about something that only a request may not be; so what was given was sent as one. */
  readonly ofRequest: boolean;
  /** What the report says of the refusal, once it is known what was found. */
  readonly tell: (report: Report) => Report;
};

/** What a stored history may be and a request may not: empty, or ending in these ways. */
const REQUEST_RULES: ReadonlySet<string | undefined> = new Set([
  'no-messages',
  'ends-with-assistant',
  'ends-with-system',
  'trailing-whitespace',
]);

/** Reads a refusal, and does what it asks for at the places it names. */
export function answerRefusal(refusal: unknown, codec: Codec, envelope: Envelope): Answer {
  const text = refusalText(refusal);
  const known = recognise(text);
  const base = envelope.body === undefined ? '' : `/${codec.listKey}`;
  const applied = apply(known?.remedy, { codec, envelope, base });
  const place = placeNamed(text);
  const at: At | undefined =
    place === undefined || place >= envelope.list.length
      ? undefined
      : { message: place, pointer: `${base}/${String(place)}` };
  const flags = known?.remedy?.kind === 'flags' ? known.remedy.flags : {};
  const acted = applied.repairs.length > 0;
  const tell = (report: Report): Report => {
    const repairs = [
      ...applied.repairs,
      ...report.repairs.map((each) => ({ ...each, at: came(each.at, applied, base) })),
    ];
    const findings = report.findings.map((each) => ({ ...each, at: came(each.at, applied, base) }));
    const heard = {
      text,
      ...told({ known, text, acted }, { ...report, repairs }),
      ...(at === undefined ? {} : { at }),
    };
    // Of several the newest is told; what it names stands where it stood in the input.
    const { refusal: newest = heard } = report;
    const place = newest.at === undefined ? {} : { at: came(newest.at, applied, base) };
    return { ...report, findings, repairs, refusal: { ...newest, ...place } };
  };
  const ofRequest = REQUEST_RULES.has(known?.rules[0]);
  return { envelope: applied.envelope, flags, repairs: applied.repairs, ofRequest, tell };
}

/** What a text means, and whether that was done at the places it names. */
type Heard = { readonly known: Recognised | undefined; readonly text: string; readonly acted: boolean };

function told({ known, text, acted }: Heard, { findings, repairs }: Report): Omit<Refusal, 'text'> {
  if (known === undefined) return { known: false, note: 'nothing like this is on record; repaired as without it' };
  const { rules, row, instead } = known;
  const found = new Set([...findings, ...repairs].map(({ rule }) => rule));
  // Several rules may be refused with the same words; the finding that foretold these is the one.
  const foretold = findings.find((each) => each.providerError !== undefined && text.includes(each.providerError));
  const likely = rules.find((each) => found.has(each)) ?? rules[0];
  const rule = foretold !== undefined && rules.includes(foretold.rule) ? foretold.rule : likely;
  const answered = acted || (rule !== undefined && found.has(rule));
  const note = instead ?? (answered ? 'what it names was mended' : 'what it names was not found in this history');
  return { known: true, row, note, ...(rule === undefined ? {} : { rule }) };
}

type Place = { readonly codec: Codec; readonly envelope: Envelope; readonly base: string };

type Applied = {
  readonly envelope: Envelope;
  readonly repairs: readonly Repair[];
  /** Where each message that is left came from. */
  readonly origin: readonly number[] | undefined;
};

function apply(remedy: Remedy | undefined, place: Place): Applied {
  const { envelope } = place;
  if (remedy === undefined || remedy.kind === 'flags') return { envelope, repairs: [], origin: undefined };
  if (remedy.kind === 'field') return withoutField(remedy.key, envelope);
  if (remedy.kind === 'fields') return mendFields(place);
  return remedy.kind === 'group' ? regroup(place) : applyToMessages(remedy, place);
}

/** Calls first, then what came of them, wherever the two stand side by side. */
function regroup({ codec, envelope, base }: Place): Applied {
  const { list } = envelope;
  const { origin, moved } = grouped(list.length, (index) => readSafely(codec, list[index], index));
  if (moved.length === 0) return { envelope, repairs: [], origin: undefined };
  const note = 'moved a result behind the calls that it stood between';
  const repairs = moved.map((message): Repair => {
    const at = { message, pointer: `${base}/${String(message)}` };
    return { rule: 'result-displaced', at, action: 'relocate', loss: 'none', note };
  });
  return { envelope: { ...envelope, list: origin.map((index) => list[index]) }, repairs, origin };
}

function withoutField(key: string, envelope: Envelope): Applied {
  const { body } = envelope;
  if (body === undefined || !Object.hasOwn(body, key)) return { envelope, repairs: [], origin: undefined };
  const note = `removed the field ${key}, which the provider does not take`;
  const at = { message: -1, pointer: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
  const repair: Repair = { rule: 'extra-key', at, action: 'drop', loss: 'lossy', note };
  return {
    envelope: { ...envelope, body: withKeys(body, { [key]: undefined }) },
    repairs: [repair],
    origin: undefined,
  };
}

/** Every field around the list that cannot be written as UTF-8 is mended. */
function mendFields({ codec, envelope }: Place): Applied {
  const { body } = envelope;
  const mended: Record<string, unknown> = {};
  const repairs: Repair[] = [];
  for (const key of Object.keys(body ?? {})) {
    const tally = newTally();
    inspect(body?.[key], tally);
    if (key === codec.listKey || !tally.lone) continue;
    mended[key] = mend(body?.[key]);
    const note = `replaced half a character in the field ${key}`;
    repairs.push({
      rule: 'field-unserialisable',
      at: { message: -1, pointer: `/${key}` },
      action: 'rewrite',
      loss: 'lossy',
      note,
    });
  }
  if (repairs.length === 0) return { envelope, repairs, origin: undefined };
  return { envelope: { ...envelope, body: withKeys(body, mended) }, repairs, origin: undefined };
}

/** The rule under which each kind of change is reported. */
const RULES: Readonly<Record<MessageRemedy['kind'], string>> = {
  key: 'extra-key',
  reasoning: 'reasoning-after-edit',
  signatures: 'signature-corrupted',
  item: 'item-lost',
  pieces: 'part-unreadable',
};

function applyToMessages(remedy: MessageRemedy, { codec, envelope, base }: Place): Applied {
  const { list } = envelope;
  const [from, to] = rangeOf(remedy, list, codec);
  const rule = remedy.kind === 'reasoning' && remedy.ids === true ? RULES.item : RULES[remedy.kind];
  const remedied = remedyOf(remedy);
  const written: unknown[] = [];
  const origin: number[] = [];
  const repairs: Repair[] = [];
  for (const [index, wire] of list.entries()) {
    const changed = index < from || index >= to ? undefined : remedied(readSafely(codec, wire, index));
    if (changed !== undefined) {
      const { action, loss, note } = changed;
      repairs.push({ rule, at: { message: index, pointer: `${base}/${String(index)}` }, action, loss, note });
      if (changed.now === undefined) continue;
    }
    written.push(changed?.now === undefined ? wire : writeNow(changed.now, codec, list));
    origin.push(index);
  }
  if (repairs.length === 0) return { envelope, repairs, origin: undefined };
  return { envelope: { ...envelope, list: written }, repairs, origin };
}

function writeNow(now: NonNullable<Remedied['now']>, codec: Codec, list: readonly unknown[]): unknown {
  return 'wire' in now ? now.wire : codec.write(now.message, list);
}

/** The messages that a remedy is about. */
function rangeOf(remedy: MessageRemedy, list: readonly unknown[], codec: Codec): readonly [from: number, to: number] {
  if (remedy.kind !== 'reasoning') return [0, list.length];
  const from = Math.min(remedy.from, list.length);
  if (remedy.turn !== true) return [from, list.length];
  const end = list.findIndex((wire, i) => i >= from && readSafely(codec, wire, i).role !== 'assistant');
  return [from, end === -1 ? list.length : end];
}

/** A place in the input, of a place in what is left of it. */
function came(at: At, { origin }: Applied, base: string): At {
  const index = origin?.[at.message];
  if (index === undefined || index === at.message) return at;
  const rest = at.pointer.slice(`${base}/${String(at.message)}`.length);
  return { ...at, message: index, pointer: `${base}/${String(index)}${rest}` };
}

/** The order of a list in which calls stand before the results beside them, and which results that moves. */
type Grouped = { readonly origin: readonly number[]; readonly moved: readonly number[] };

/** Where calls and results stand side by side, the calls first; what anybody says stays where it is. */
function grouped(count: number, read: (index: number) => Message): Grouped {
  const origin: number[] = [];
  const moved: number[] = [];
  let results: number[] = [];
  let told = 0;
  const flush = (): void => {
    for (const each of results) origin.push(each);
    results = [];
    told = 0;
  };
  for (let index = 0; index < count; index += 1) {
    const { parts } = read(index);
    if (parts.length > 0 && parts.every(isClientResult)) results.push(index);
    else if (parts.length > 0 && parts.every(isClientCall)) {
      // Each result is told about once, by the first call that it has to let pass.
      for (const each of results.slice(told)) moved.push(each);
      told = results.length;
      origin.push(index);
    } else {
      flush();
      origin.push(index);
    }
  }
  flush();
  return { origin, moved };
}
