/** Family and version read from a model name, such as opus 4.8 from `us.anthropic.claude-opus-4-8-v1:0`. */
export type ClaudeModel = { readonly family: string; readonly version: number };

const NEW_STYLE = /(opus|sonnet|haiku|fable|mythos)-?(\d{1,2})?(?:[-.](\d{1,2}))?(?!\d)/i;
const OLD_STYLE = /claude-(?:v|instant-)?(\d)(?:[-.](\d{1,2}))?(?!\d)/i;

/** Undefined when the name tells nothing. */
export function parseClaudeModel(name: string): ClaudeModel | undefined {
  const old = OLD_STYLE.exec(name);
  const fresh = NEW_STYLE.exec(name);
  const family = fresh?.[1]?.toLowerCase() ?? 'claude';
  if (old !== null) return { family, version: toVersion(old[1], old[2]) };
  if (fresh === null) return undefined;
  if (fresh[2] === undefined) return family === 'fable' || family === 'mythos' ? { family, version: 5 } : undefined;
  return { family, version: toVersion(fresh[2], fresh[3]) };
}

function toVersion(major: string | undefined, minor: string | undefined): number {
  const step = Number(minor ?? 0);
  // The tenth minor version comes after the ninth, though 4.10 would read as a smaller number.
  return Number(major) + (step < 10 ? step / 10 : 0.9 + step / 1000);
}
