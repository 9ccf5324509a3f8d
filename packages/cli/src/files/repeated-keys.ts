import { endOfString } from './json-string.ts';

/** A key that stands a second time in one object, where readers take the last one. */
export interface RepeatedKey {
  readonly key: string;
  /** The JSON pointer of the object. */
  readonly pointer: string;
  /** Where in the text the key stands again. */
  readonly at: number;
}

/** An object or a list that has been opened: the keys met in it so far, and the place in it that is being read. */
interface Level {
  readonly keys: Set<string> | undefined;
  place: string | number;
  /** The next string is a key. */
  expectsKey: boolean;
}

const marks = /["{}[\],]/g;
const escapeStep = (place: string | number): string => String(place).replaceAll('~', '~0').replaceAll('/', '~1');

const pointerOf = (levels: readonly Level[]): string =>
  levels
    .slice(0, -1)
    .map(({ place }) => `/${escapeStep(place)}`)
    .join('');

/** So many are told of; whoever has more has them everywhere. */
const enough = 100;

/** Finds the keys that stand more than once in one object of a text that is known to be JSON, in one walk. */
export function repeatedKeys(text: string): readonly RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const levels: Level[] = [];
  marks.lastIndex = 0;
  for (let mark = marks.exec(text); mark !== null && found.length < enough; mark = marks.exec(text)) {
    const level = levels.at(-1);
    switch (mark[0]) {
      case '{':
        levels.push({ keys: new Set(), place: '', expectsKey: true });
        break;
      case '[':
        levels.push({ keys: undefined, place: 0, expectsKey: false });
        break;
      case '"': {
        const end = endOfString(text, mark.index);
        marks.lastIndex = end;
        if (level?.expectsKey !== true) break;
        level.expectsKey = false;
        const key = JSON.parse(text.slice(mark.index, end)) as string;
        level.place = key;
        if (level.keys?.has(key) === true) found.push({ key, pointer: pointerOf(levels), at: mark.index });
        level.keys?.add(key);
        break;
      }
      case ',':
        if (level?.keys !== undefined) level.expectsKey = true;
        else if (typeof level?.place === 'number') level.place += 1;
        break;
      default:
        levels.pop();
    }
  }
  return found;
}
