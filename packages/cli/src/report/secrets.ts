/** What secrets look like. The first group, where there is one, stays: it names the secret and gives nothing away. */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/g,
  /\b(?:sk|pk|rk)[-_](?:[\w]+[-_])*[\w-]{16,}/g,
  /\b(?:gh[opsur]|github_pat|glpat|gldt|npm|hf|r8|dop_v1|shpat|pat)[-_][\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z\d]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bAGE-SECRET-KEY-1[A-Z\d]{20,}/g,
  /(\b(?:bearer|basic|token)\s+)[\w+/.=~-]{16,}/gi,
  /(\b\w+:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /((?:api[-_]?key|secret|passw(?:or)?d|token|credential|authorization)["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi,
];

const hidden = '[secret]';

/** Puts a mark in the place of everything that looks like a secret. */
export function withoutSecrets(text: string): string {
  return patterns.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (match: string, kept: unknown) => {
        const head = typeof kept === 'string' ? kept : '';
        // What was hidden already is not hidden again.
        return match.slice(head.length).startsWith(hidden) ? match : head + hidden;
      }),
    text,
  );
}

/** Whether a text still holds what looks like a secret. */
export const holdsSecret = (text: string): boolean => withoutSecrets(text) !== text;
