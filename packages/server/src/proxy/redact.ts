import { headerIn, type RawHeaders } from './headers.ts';

/** Headers that hold keys. */
const SECRET_HEADERS = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'proxy-authorization',
  'cookie',
  'x-amz-security-token',
  'x-rethread-token',
] as const;

/** How keys of known services begin. */
const PREFIXES: readonly string[] = [
  'sk|pk|rk|key|hf|gsk|xai|nvapi|ya29|eyJ|AIza|AKIA|ASIA',
  'ghp|gho|ghs|github_pat|glpat|xoxa|xoxb|xoxp|xoxr|xoxs',
];
const KEY_SHAPES = new RegExp(`\\b(?:${PREFIXES.join('|')})[-_.]?[A-Za-z0-9][\\w.-]{14,300}`, 'g');

const hidden = '[redacted]';

/** Makes a function that hides the keys of one request, and whatever looks like a key, in a text. */
export function redactor(headers: RawHeaders, url: string): (text: string) => string {
  const secrets = [...SECRET_HEADERS.flatMap((name) => secretsIn(headerIn(headers, name))), ...secretsInQuery(url)];
  const long = secrets.filter((secret) => secret.length >= 6).sort((one, other) => other.length - one.length);
  return (text) => long.reduce((left, secret) => left.replaceAll(secret, hidden), text).replace(KEY_SHAPES, hidden);
}

function secretsIn(value: string | undefined): string[] {
  if (value === undefined) return [];
  const [, key = ''] = /^\S+\s+(.*)$/s.exec(value) ?? [];
  return [value, key];
}

function secretsInQuery(url: string): string[] {
  const at = url.indexOf('?');
  return at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1)).values()];
}
