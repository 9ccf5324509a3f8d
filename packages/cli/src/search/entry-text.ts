import type { Entry } from '@rethread/formats';

/** Keys under which tools keep names, numbers and seals, and nothing that anybody said. */
const silent = new RegExp(
  `^(?:${[
    'uuid|version|cwd|timestamp|type|role|model|signature|data|slug|gitBranch|userType|usage',
    'thoughtSignature|encrypted_content',
    String.raw`\w*(?:[iI]d|ID|Uuid|Hash|_id|Path|_path|Url|_url)`,
  ].join('|')})$`,
);

/** Longer texts without a blank are data. */
const longestWord = 400;
const longestEntry = 200_000;

const isData = (text: string): boolean => text.length > longestWord && !/\s/.test(text.slice(0, longestWord));

/** All that was said in a record of a tool, as one text. */
export function textOf({ value }: Pick<Entry, 'value'>): string {
  const texts: string[] = [];
  let length = 0;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined && length < longestEntry; next = waiting.pop()) {
    if (typeof next === 'string') {
      if (next.trim() === '' || isData(next)) continue;
      texts.push(next.slice(0, longestEntry));
      length += next.length;
    } else if (Array.isArray(next)) waiting.push(...(next as unknown[]).toReversed());
    else if (typeof next === 'object' && next !== null) {
      const held = Object.entries(next).filter(([key, each]) => each !== null && !silent.test(key));
      for (const [, each] of held.toReversed()) waiting.push(each);
    }
  }
  return texts.join('\n');
}

/** Who wrote a record, as far as it says. */
export function speakerOf({ type, value }: Entry): string {
  for (const holder of [value['message'], value['payload'], value['info'], value]) {
    if (typeof holder === 'object' && holder !== null && 'role' in holder && typeof holder.role === 'string')
      return holder.role;
  }
  return type;
}
