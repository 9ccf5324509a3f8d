import type { Dialect } from '@rethread/core';

import { createAbsentees } from '../absentees.ts';
import { createFaultLog, type FaultLog } from '../fault.ts';
import { charactersOf, optional, type JsonObject } from '../json.ts';
import type { AbsentReason, Active, Reading, RuleId } from '../session.ts';
import type { Turn } from '../wire/turn.ts';
import { listed, type WireMessage } from '../wire/wire-message.ts';
import { writeTurns } from '../wire/write-turns.ts';
import { entriesOf, type Piece, type Pieces } from './piece.ts';

/** What a record tells about the session. The first `prompt` counts, and the last of everything else. */
export type Notes = {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
  /** A title that was given. */
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
  readonly cwd?: string | undefined;
  readonly parent?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly time?: string | undefined;
  readonly system?: string | undefined;
};

/** What a record means. `M` is what its tool has to know of it to choose what is sent. */
export type Meaning<M> = {
  /** What is said, in words that all APIs share. */
  readonly turns?: readonly Omit<Turn, 'places'>[];
  /** What is said, in the words of the API. */
  readonly wire?: readonly JsonObject[];
  /** Why it is not sent although it says something. */
  readonly absent?: AbsentReason | undefined;
  readonly notes?: Notes;
  readonly mark?: M;
  /** Why nobody knows what it means. */
  readonly unknown?: string;
};

export type Kept<M> = {
  readonly characters: number;
  readonly absent: AbsentReason | undefined;
  readonly mark: M | undefined;
};

/** Which records are not sent, by their numbers, and the order of the others where it is another one. */
export type Choice = { readonly absent: ReadonlyMap<number, AbsentReason>; readonly order?: readonly number[] };

/** How the sessions of one tool are read. */
export type Plan<M> = {
  readonly pieces: Pieces;
  /** Gives what tells the meaning of each record; it is asked for once a walk, and may remember what came before. */
  readonly follow: () => (piece: Piece) => Meaning<M>;
  readonly choose?: (kept: readonly Kept<M>[]) => Choice;
  /** The API of the next request, by what the records told. */
  readonly dialect: (notes: Notes) => Dialect;
  readonly copes: readonly RuleId[];
  /** What is known of the session besides its records; it goes before what they tell. */
  readonly about?: Notes & { readonly created?: string | undefined };
  readonly related?: Reading['related'];
  /** Changes the request as a whole. */
  readonly finish?: (wire: WireMessage[]) => WireMessage[];
};

type Survey<M> = { readonly kept: Kept<M>[]; notes: Notes; first: string | undefined; readonly models: Set<string> };

/** Walks over the records of a session once; `active` walks again over those that it holds. */
export async function readPieces<M>(plan: Plan<M>, faults: FaultLog): Promise<Reading> {
  const survey = await surveyOf(plan, faults);
  const { first, models } = survey;
  const notes: Notes = { ...survey.notes, ...defined(plan.about ?? {}) };
  const dialect = plan.dialect(notes);
  return {
    ...optional('version', notes.version),
    ...optional('id', notes.id),
    ...optional('title', notes.title ?? notes.prompt),
    ...optional('cwd', notes.cwd),
    ...optional('parent', notes.parent),
    times: { ...optional('created', plan.about?.created ?? first), ...optional('updated', notes.time) },
    models: [...models],
    dialect,
    related: plan.related ?? [],
    entries: () => entriesOf(plan.pieces, createFaultLog()),
    active: async () => activeOf(plan, survey, { dialect, notes }),
  };
}

const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

async function surveyOf<M>(plan: Plan<M>, faults: FaultLog): Promise<Survey<M>> {
  const survey: Survey<M> = { kept: [], notes: {}, first: undefined, models: new Set() };
  const mean = plan.follow();
  for await (const piece of plan.pieces(faults)) {
    const meaning = mean(piece);
    const { unknown, absent, mark } = meaning;
    if (unknown !== undefined) faults.add('unknown-record', piece.place, unknown);
    survey.kept.push({ characters: charactersIn(meaning), absent, mark });
    note(survey, meaning.notes ?? {});
  }
  return survey;
}

function note<M>(survey: Survey<M>, told: Notes): void {
  const prompt = survey.notes.prompt ?? told.prompt;
  survey.notes = { ...survey.notes, ...defined(told), ...optional('prompt', prompt) };
  survey.first ??= told.time;
  if (told.model === undefined) return;
  survey.models.delete(told.model);
  survey.models.add(told.model);
}

function charactersIn<M>({ turns = [], wire = [] }: Meaning<M>): number {
  const said = turns.flatMap(({ parts }) => parts.map((part) => ({ ...part, kind: '', id: '' })));
  return charactersOf(said) + charactersOf(wire);
}

type Target = { readonly dialect: Dialect; readonly notes: Notes };

async function activeOf<M>(plan: Plan<M>, { kept, models }: Survey<M>, { dialect, notes }: Target): Promise<Active> {
  const choice = plan.choose?.(kept) ?? { absent: new Map<number, AbsentReason>() };
  const reasonFor = (index: number): AbsentReason | undefined => choice.absent.get(index) ?? kept[index]?.absent;
  const said = new Map<number, Said>();
  const mean = plan.follow();
  let index = -1;
  for await (const piece of plan.pieces(createFaultLog())) {
    index += 1;
    const meaning = mean(piece);
    if (index < kept.length && reasonFor(index) === undefined) said.set(index, saidBy(meaning, piece));
  }
  const order = choice.order ?? [...said.keys()];
  const wire = write(
    order.flatMap((each) => said.get(each) ?? []),
    dialect,
  );
  const absentees = createAbsentees();
  for (const [at, { characters }] of kept.entries()) {
    const reason = reasonFor(at);
    if (reason !== undefined && characters > 0) absentees.add(reason, characters);
  }
  return {
    dialect,
    ...optional('model', notes.model ?? [...models].at(-1)),
    ...optional('system', notes.system),
    ...listed(plan.finish?.(wire) ?? wire),
    absent: absentees.list(),
    copes: plan.copes,
  };
}

type Said = { readonly turns: readonly Turn[]; readonly wire: readonly WireMessage[] };

function saidBy<M>({ turns = [], wire = [] }: Meaning<M>, { place }: Piece): Said {
  const places = [place];
  return { turns: turns.map((turn) => ({ ...turn, places })), wire: wire.map((message) => ({ message, places })) };
}

/** Turns in a row are written together, because some APIs join them. */
function write(said: readonly Said[], dialect: Dialect): WireMessage[] {
  const written: WireMessage[] = [];
  let turns: Turn[] = [];
  const flush = (): void => {
    written.push(...writeTurns(turns, dialect));
    turns = [];
  };
  for (const each of said) {
    turns.push(...each.turns);
    if (each.wire.length > 0) flush();
    written.push(...each.wire);
  }
  flush();
  return written;
}
