import { isLegalId, legalId, repeatedId } from '../model/call-id.ts';
import type { Lose, Where } from '../model/loss.ts';
import type { CallPart, Message, Part, ResultPart } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { inCallOrder, pairUp, type Asked } from './pairs.ts';

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
  write(id: string, spot: Where | undefined): string {
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

/**
 * Gives every call an id that the target takes and no other call of its step has, and its result the same. Where
 * results answer calls by their place they are put in the order of these.
 */
export function rewriteIds(messages: readonly Message[], profile: Profile, lose: Lose): readonly Message[] {
  const pairs = pairUp(messages);
  const book = new IdBook(profile, lose);
  const given = givenIds(messages);
  const optional = profile.sharedIds === true;
  const written = new Map<Asked, string>();
  const idOf = (part: CallPart | ResultPart, asked: Asked | undefined): string => {
    const { callId: id } = part;
    const own = id !== '';
    if (optional && (!own || id.startsWith(NONE))) return '';
    if (!own) return book.write(nameless(part, given), undefined);
    if (asked === undefined || asked.copy === 1) return book.write(id, part);
    lose(part, { kind: 'id', what: id, became: 'other', why: 'another call of the same step has it' });
    return book.write(repeatedId({ id, copy: asked.copy }, Number.POSITIVE_INFINITY, given), undefined);
  };
  const rewrite = (part: Part): Part => {
    if ((part.kind !== 'call' && part.kind !== 'result') || part.server) return part;
    if (part.kind === 'call') {
      const asked = pairs.calls.get(part);
      const callId = idOf(part, asked);
      if (asked !== undefined) written.set(asked, callId);
      return { ...part, callId };
    }
    const asked = pairs.answers.get(part);
    if (asked === undefined) return { ...part, callId: idOf(part, undefined) };
    const { tool } = asked.call;
    return { ...part, callId: written.get(asked) ?? '', ...(tool === '' ? {} : { tool }) };
  };
  const ordered = profile.countedResults === true ? inCallOrder(messages, pairs) : messages;
  return ordered.map((message) => ({ ...message, parts: message.parts.map(rewrite) }));
}

/** Ids that are in the history, which none that is made may be. */
function givenIds(messages: readonly Message[]): ReadonlyMap<string, true> {
  const given = new Map<string, true>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.kind === 'call' || part.kind === 'result') given.set(part.callId, true);
    }
  }
  return given;
}

/** An id for a call that has none, or for a result that is nobody's, made from where it stands. */
function nameless({ at }: CallPart | ResultPart, given: ReadonlyMap<string, true>): string {
  let id = `${NONE}${String(at?.message ?? -1)}_${String(at?.part ?? 0)}`;
  while (given.has(id)) id += '_';
  return id;
}
