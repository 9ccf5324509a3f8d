import { isLegalId, legalId } from '../model/call-id.ts';
import type { Carried, CarriedMessage, Lose, Spot } from '../model/crossing.ts';
import type { Profile } from '../model/profile.ts';

/** Begins an id that stands for one that cannot be written in the target, letter by letter. */
const WRITTEN = 'rt_';
/** Begins an id that stands for none. */
const NONE = 'noid_';

/** An id in letters, digits, underscores and hyphens that stands for any other, and for one only. */
function spellOut(id: string): string {
  const spelled = id.replaceAll(/_x|[^a-zA-Z0-9_-]/gu, (found) =>
    found === '_x' ? '_x5f_x' : `_x${(found.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return WRITTEN + spelled;
}

/** The id that such an id stands for; any other is itself. */
function readBack(id: string): string {
  if (!id.startsWith(WRITTEN)) return id;
  const read = id.slice(WRITTEN.length).replaceAll(/_x([0-9a-f]{1,6})_/g, (whole, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
  return spellOut(read) === id && read !== '' ? read : id;
}

/** Rewrites ids for a target: one id always the same way, two never alike, and so that it can be undone. */
class IdBook {
  readonly #profile: Profile;
  readonly #lose: Lose;
  readonly #written = new Map<string, string>();
  readonly #taken = new Map<string, string>();

  constructor(profile: Profile, lose: Lose) {
    this.#profile = profile;
    this.#lose = lose;
  }

  /** Without a spot nothing is lost: nobody but us has given the id. */
  write(id: string, spot: Spot | undefined): string {
    const known = this.#written.get(id);
    if (known !== undefined) return known;
    const first = this.#candidate(readBack(id));
    let made = first;
    for (let n = 1; this.#taken.has(made); n += 1) made = legalId(`${id}#${String(n)}`, this.#profile.idMax);
    this.#written.set(id, made);
    this.#taken.set(made, id);
    if (spot !== undefined && made !== id && readBack(made) !== readBack(id)) {
      const why = 'the target takes no id of this form, and the new one cannot be read back';
      this.#lose(spot, { kind: 'id', what: id, became: 'other', why });
    }
    return made;
  }

  #candidate(id: string): string {
    if (isLegalId(id, this.#profile)) return id;
    const spelled = spellOut(id);
    return isLegalId(spelled, this.#profile) ? spelled : legalId(id, this.#profile.idMax);
  }
}

/** Gives every call and its result an id that the target takes. Calls without ids are joined with results in order. */
export function rewriteIds(
  messages: readonly CarriedMessage[],
  profile: Profile,
  lose: Lose,
): readonly CarriedMessage[] {
  const book = new IdBook(profile, lose);
  const unnamed: Unnamed = { waiting: new Map(), given: givenIds(messages) };
  const optional = profile.sharedIds === true;
  const idOf = (part: Extract<Carried, { kind: 'call' | 'result' }>): string | undefined => {
    const { id } = part;
    const own = id !== undefined && id !== '';
    const given = own ? id : nameless(part, unnamed);
    if (optional && given.startsWith(NONE)) return undefined;
    return book.write(given, own ? part : undefined);
  };
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.server !== undefined) return part;
      return { ...part, id: idOf(part) };
    }),
  }));
}

type Unnamed = {
  /** By tool: the ids made for calls whose results have not come yet. */
  readonly waiting: Map<string, string[]>;
  /** Ids that are in the history, which none that is made may be. */
  readonly given: ReadonlySet<string | undefined>;
};

function givenIds(messages: readonly CarriedMessage[]): ReadonlySet<string | undefined> {
  const parts = messages.flatMap((message) => message.parts);
  return new Set(parts.map((part) => (part.kind === 'call' || part.kind === 'result' ? part.id : undefined)));
}

/** An id for a call that has none, made from where it stands; its result takes it over. */
function nameless(part: Extract<Carried, { kind: 'call' | 'result' }>, { waiting: made, given }: Unnamed): string {
  const { tool = '' } = part;
  const waiting = made.get(tool);
  if (part.kind === 'result') {
    const next = waiting?.shift();
    if (next !== undefined) return next;
  }
  let id = `${NONE}${String(part.at.message)}_${String(part.at.part ?? 0)}`;
  while (given.has(id)) id += '_';
  if (part.kind === 'call') {
    if (waiting === undefined) made.set(tool, [id]);
    else waiting.push(id);
  }
  return id;
}
