/** Where a text stops being JSON; its length where it only ends too soon, and nothing where it is JSON. */
export function brokenAt(text: string): number | undefined {
  const trouble = troubleIn(text);
  return trouble === undefined ? undefined : (trouble.at ?? strangeAt(text));
}

/** What a parser stumbles over: where, or nowhere when it only says that a character does not belong there. */
function troubleIn(text: string): { readonly at: number | undefined } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const found = /at position (\d+)/.exec(message);
    if (found !== null) return { at: Number(found[1]) };
    return { at: message.startsWith('Unexpected token') ? undefined : text.length };
  }
}

/** The first character that does not belong: every beginning of the text without it only ends too soon. */
function strangeAt(text: string): number {
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const trouble = troubleIn(text.slice(0, middle));
    if (trouble !== undefined && trouble.at === undefined) bad = middle;
    else good = middle;
  }
  return good;
}
