/** Statuses under which providers refuse a history; the words decide. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 422]);

/** A refusal is a sentence or two; what is longer is something else. */
export const longestRefusal = 100_000;

export function isRefused(status: number): boolean {
  return REFUSED.has(status);
}

/** The text of an answer, which can still be read by the caller; undefined where there is nothing to go by. */
export async function refusalIn(response: Response): Promise<string | undefined> {
  const text = await response.clone().text();
  return text === '' || text.length > longestRefusal ? undefined : text;
}
