import { createAbsentees, type Absentees } from '../absentees.ts';
import { charactersOf, numberAt, objectAt, textAt, type JsonObject } from '../json.ts';
import type { LinePlace } from '../place.ts';
import type { AbsentReason } from '../session.ts';
import { appendedMessage, isVacuous, loopEvent } from './records.ts';

/** A message of the history: what is needed to edit it, and where its pieces stand. */
export type Item = {
  readonly role: 'user' | 'assistant' | 'tool' | 'summary';
  readonly id: string | undefined;
  readonly origin: JsonObject | undefined;
  readonly places: LinePlace[];
  readonly calls: string[];
  /** The call that a result answers. */
  readonly answers: string | undefined;
  says: boolean;
  characters: number;
};

/** The messages as they are after the changes so far. */
export type History = {
  readonly add: (value: JsonObject, place: LinePlace) => void;
  readonly items: () => readonly Item[];
  readonly absentees: Absentees;
};

/** The history while it is followed: an answer may be open, and messages wait for the results of its calls. */
type Fold = {
  items: Item[];
  open: { readonly item: Item; readonly step: string | undefined } | undefined;
  pending: Set<string>;
  deferred: Item[];
  readonly absentees: Absentees;
};

type Event = { readonly value: JsonObject; readonly place: LinePlace };

export function createHistory(): History {
  const absentees = createAbsentees();
  const fold: Fold = { items: [], open: undefined, pending: new Set(), deferred: [], absentees };
  return {
    add: (value, place) => follow(fold, { value, place }),
    items: () => [...fold.items, ...fold.deferred].filter((item) => item.says || item.calls.length > 0 || item.answers),
    absentees,
  };
}

function follow(fold: Fold, { value, place }: Event): void {
  const [message, event] = [appendedMessage(value), loopEvent(value)];
  if (message !== undefined) (fold.pending.size > 0 ? fold.deferred : fold.items).push(itemOf(message, place));
  else if (event !== undefined) followStep(fold, { value: event, place });
  else if (value['type'] === 'context.clear') replace(fold, [], 'rewound');
  else if (value['type'] === 'context.undo') {
    const cut = undoneFrom(fold.items, numberAt(value, 'count') ?? 1);
    if (cut !== undefined) replace(fold, fold.items.slice(0, cut), 'rewound');
  } else if (value['type'] === 'context.apply_compaction') {
    const { before, after } = keptBy(value, fold.items);
    replace(fold, [...before, ...after], 'compacted');
    fold.items.splice(before.length, 0, { ...newItem('summary', place), says: true });
  }
}

function replace(fold: Fold, kept: readonly Item[], reason: AbsentReason): void {
  const isKept = new Set(kept);
  for (const item of [...fold.items, ...fold.deferred]) {
    if (!isKept.has(item)) fold.absentees.add(reason, item.characters);
  }
  [fold.items, fold.deferred] = [[...kept], []];
  settle(fold);
}

/** Ends the open answer, which goes when it says nothing; what waited for its results comes now. */
function settle(fold: Fold): void {
  const { open, deferred } = fold;
  if (open !== undefined && !open.item.says && open.item.calls.length === 0) {
    fold.items = fold.items.filter((item) => item !== open.item);
  }
  fold.items.push(...deferred);
  [fold.open, fold.deferred, fold.pending] = [undefined, [], new Set()];
}

function followStep(fold: Fold, event: Event): void {
  const { value, place } = event;
  if (value['type'] === 'step.begin') {
    settle(fold);
    fold.open = { item: { ...newItem('assistant', place), places: [] }, step: textAt(value, 'uuid') };
    fold.items.push(fold.open.item);
  } else if (value['type'] === 'step.end') {
    if (value['finishReason'] !== 'interrupted' && value['finishReason'] !== 'error') settle(fold);
  } else if (value['type'] === 'tool.result') addResult(fold, event);
  else if (value['type'] === 'content.part' || value['type'] === 'tool.call') addPiece(fold, event);
}

function addPiece({ open, pending, absentees }: Fold, { value, place }: Event): void {
  const call = value['type'] === 'tool.call' ? textAt(value, 'toolCallId') : undefined;
  const characters = charactersOf(call === undefined ? value['part'] : value['args']);
  if (open === undefined || open.step !== textAt(value, 'stepUuid')) return absentees.add('lost-parent', characters);
  const { item } = open;
  item.places.push(place);
  item.characters += characters;
  item.says ||= call === undefined && !isVacuous(objectAt(value, 'part'));
  if (call === undefined) return undefined;
  item.calls.push(call);
  pending.add(call);
}

function addResult(fold: Fold, { value, place }: Event): void {
  const id = textAt(value, 'toolCallId') ?? '';
  const characters = charactersOf(value['result']);
  if (!fold.pending.delete(id)) return fold.absentees.add('lost-parent', characters);
  fold.items.push({ ...newItem('tool', place), answers: id, says: true, characters });
  if (fold.pending.size > 0) return undefined;
  fold.items.push(...fold.deferred);
  fold.deferred = [];
}

const newItem = (role: Item['role'], place: LinePlace): Item => ({
  role,
  id: undefined,
  origin: undefined,
  places: [place],
  calls: [],
  answers: undefined,
  says: false,
  characters: 0,
});

const itemOf = (message: JsonObject, place: LinePlace): Item => ({
  ...newItem(message['role'] === 'assistant' ? 'assistant' : message['role'] === 'tool' ? 'tool' : 'user', place),
  id: textAt(message, 'id'),
  origin: objectAt(message, 'origin'),
  answers: textAt(message, 'toolCallId'),
  says: true,
  characters: charactersOf(message['content']),
});

/** Prompts of the user, typed or by a command: an undo counts them, and a compaction keeps them. */
const isPrompt = ({ role, origin }: Item): boolean =>
  role === 'user' && (origin === undefined || origin['kind'] === 'user' || origin['trigger'] === 'user-slash');

/** Where an undo begins; undefined when there are not so many prompts since the last compaction. */
function undoneFrom(items: readonly Item[], count: number): number | undefined {
  let left = count;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item === undefined || item.role === 'summary') return undefined;
    if (isPrompt(item)) left -= 1;
    if (left > 0) continue;
    let first = at;
    while (item.id !== undefined && items[first - 1]?.origin?.['ownerPromptId'] === item.id) first -= 1;
    return first;
  }
  return undefined;
}

/** What a compaction leaves before and after its summary: prompts, or in early versions the end of the history. */
function keptBy(value: JsonObject, items: readonly Item[]): { readonly before: Item[]; readonly after: Item[] } {
  const count = numberAt(value, 'keptUserMessageCount');
  if (count === undefined || value['legacyTail'] === true) {
    const compacted = numberAt(value, 'compactedCount') ?? numberAt(value, 'count') ?? items.length;
    return { before: [], after: items.slice(compacted) };
  }
  const prompts = items.filter(isPrompt);
  const head = numberAt(value, 'keptHeadUserMessageCount') ?? 0;
  const tail = Math.max(0, count - head);
  return { before: [...prompts.slice(0, head), ...prompts.slice(Math.max(head, prompts.length - tail))], after: [] };
}
