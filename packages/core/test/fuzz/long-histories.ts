import { decode, type Dialect } from '../../src/index.ts';
import { CODECS } from '../../src/codecs/dialects.ts';
import { SUMMARY_HEADING } from '../../src/model/summary-message.ts';
import { textPart } from '../../src/model/part.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { grown } from './grown.ts';
import { aimOf, dialects, healthy, plant, type Aim } from './histories.ts';
import { startRandom, type Random } from './random.ts';
import { listKeyOf } from './reading.ts';

/** A history with many tools in it that its provider takes, as a list or inside its request. */
export interface LongHistory {
  readonly seed: number;
  readonly dialect: Dialect;
  readonly input: unknown;
  readonly list: readonly unknown[];
  readonly target: Aim;
  /** Names of what was put in that looks wrong and is legal. */
  readonly planted: readonly string[];
  /** Goes on where the history was made, so that what is asked of it is replayed too. */
  readonly random: Random;
}

/** Words in the name of the user that no person has said. */
const asides = [
  '<system-reminder>\nThe file has changed.\n</system-reminder>',
  '<environment_context>\n  <cwd>/home/me</cwd>\n</environment_context>',
  `${SUMMARY_HEADING}\nThe user wanted the parser to be fixed, and it is.`,
];

function withAside(list: readonly unknown[], dialect: Dialect, random: Random): readonly unknown[] {
  const messages = decode(list, dialect)?.messages ?? [];
  const places = messages.flatMap(({ role, parts }, index) =>
    role === 'user' && parts.every(({ kind }) => kind !== 'result') ? [index] : [],
  );
  if (places.length === 0) return list;
  const place = random.pick(places);
  const aside = CODECS[dialect].write({ role: 'user', parts: [textPart(random.pick(asides), 0)], at: -1 }, list);
  return list.toSpliced(place, 0, aside);
}

/** Everything from the first words of the user on: the system speaks once, at the beginning. */
function afterSystem(list: readonly unknown[], dialect: Dialect): readonly unknown[] {
  const first = decode(list, dialect)?.messages.findIndex(({ role }) => role !== 'system') ?? 0;
  return first < 0 ? [] : list.slice(first);
}

/** The history that a seed stands for; undefined where what the seed made is refused, and so shows nothing. */
export function longHistory(seed: number, spoken?: Dialect): LongHistory | undefined {
  const random = startRandom(seed);
  const dialect = spoken ?? random.pick(dialects);
  const draft = healthy(dialect, random);
  const planted = random.chance(3) ? plant(draft, random, 2) : [];
  let list = grown(draft.messages, 0, random) as readonly unknown[];
  for (let more = random.pick([0, 0, 0, 1, 1, 3]); more > 0; more -= 1) {
    const next = grown(healthy(dialect, random).messages, more * 1000, random) as readonly unknown[];
    list = [...list, ...afterSystem(next, dialect)];
  }
  if (random.chance(3)) list = withAside(list, dialect, random);
  const target = { ...aimOf({ ...draft, body: undefined }), purpose: 'history' as const };
  if (judge(dialect, list, { ...target, purpose: 'history' }).length > 0) return undefined;
  const input = draft.body && random.chance(2) ? { ...draft.body, [listKeyOf(dialect)]: list } : list;
  return { seed, dialect, input, list, target, planted, random };
}
