/**
 * For each message of the output, which message of the input it still is. Most are the same object; one that was made
 * anew with the same content counts too, so that its bytes are not written differently for nothing.
 */
export function carriedOver(input: readonly unknown[], output: readonly unknown[]): readonly (number | undefined)[] {
  const byIdentity = new Map(input.map((message, index) => [message, index]));
  const found = output.map((message) => byIdentity.get(message));
  const kept = new Set(found);
  const byContent = new Map<string, number[]>();
  for (const [index, message] of input.entries()) {
    if (kept.has(index)) continue;
    const text = JSON.stringify(message);
    byContent.set(text, [...(byContent.get(text) ?? []), index]);
  }
  return found.map((index, position) => index ?? byContent.get(JSON.stringify(output[position]))?.shift());
}
