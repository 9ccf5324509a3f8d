import type { Packed } from '../model/conversion.ts';
import type { ConversionLoss } from '../model/loss.ts';
import type { At, Repair, Report } from '../model/finding.ts';
import type { Made } from './unite.ts';

/** A report on the converted history, with its places in the input. */
export function relocate(report: Report, packed: readonly Packed[]): Report {
  const move = <T extends { readonly at: At }>(entry: T): T => ({ ...entry, at: placeOf(entry.at, packed) });
  return { ...report, findings: report.findings.map(move), repairs: report.repairs.map(move) };
}

/** The same for a log in several dialects: its places are those of the messages as they were recorded. */
export function relocateUnited(report: Report, made: readonly Made[]): Report {
  const move = <T extends { readonly at: At }>(entry: T): T => ({ ...entry, at: recordedPlace(entry.at, made) });
  return { ...report, findings: report.findings.map(move), repairs: report.repairs.map(move) };
}

function recordedPlace(at: At, made: readonly Made[]): At {
  const { packed, places: [place] = [] } = made[at.message] ?? {};
  if (packed !== undefined) return placeOf({ ...at, message: 0 }, [packed]);
  return place === undefined
    ? at
    : { ...at, message: place, pointer: at.pointer.replace(/^\/\d+/, `/${String(place)}`) };
}

function placeOf(at: At, packed: readonly Packed[]): At {
  const made = packed[at.message];
  if (made === undefined) return { message: -1, pointer: '' };
  const part = at.part === undefined ? undefined : made.parts[at.part];
  if (part === undefined) return entryOf(made);
  const { message, part: index } = part.at ?? { message: -1 };
  return { message, ...(index === undefined ? {} : { part: index }), pointer: part.path ?? '' };
}

/** Several entries may be one message while they are converted; each is told where it stood by itself. */
function entryOf({ from, parts }: Packed): At {
  const { at, path = '' } = from;
  const message = parts[0]?.at?.message ?? at;
  const own = `/${String(at)}`;
  if (message === at || !path.endsWith(own)) return { message: at, pointer: path };
  return { message, pointer: `${path.slice(0, -own.length)}/${String(message)}` };
}

/** The rule that gives a call another id than it came with. */
const RENAMING = 'duplicate-call-id';

/** Rules that set reasoning aside, and whose other repairs take ids away. */
const UNNAMING: ReadonlySet<string> = new Set([
  'reasoning-unfollowed',
  'item-lost',
  'item-id-malformed',
  'item-id-again',
]);

/** What the contract of the target made it necessary to drop, or to tell as text. */
export function repairLosses({ repairs }: Report): readonly ConversionLoss[] {
  const unnames = ({ action, rule }: Repair): boolean => action === 'rewrite' && UNNAMING.has(rule);
  return repairs
    .filter((each) => each.loss === 'lossy' || each.action === 'demote' || each.rule === RENAMING || unnames(each))
    .map((each) => {
      const { at, note, rule, loss } = each;
      const why = `the target has the rule ${rule}`;
      if (rule === RENAMING) return { at, kind: 'id', what: note, became: 'other', why };
      if (unnames(each)) return { at, kind: 'id', what: note, became: 'nothing', why };
      return { at, kind: 'repair', what: note, became: loss === 'lossy' ? 'nothing' : 'text', why };
    });
}
