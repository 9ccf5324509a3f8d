/** Headers with secret values. */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie'];

/** Text that looks like any provider's key; providers repeat some in errors. */
const KEYS = /\b(?:(?:sk|pk|rk|xai|gsk|key|ghp)[-_]|AIza|eyJ)[\w*.-]{8,}|\bBearer\s+[^\s"',]+/g;

const SHORTEST_SECRET = 4;
const REDACTED = '[redacted]';

/** Removes the secrets of a request, and anything that looks like one, from a text. */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Collects the secrets in a request's headers. */
  learn(headers: Headers): void {
    for (const name of SECRET_HEADERS) {
      const value = headers.get(name);
      if (value === null) continue;
      for (const word of [value, value.replace(/^\w+\s+/, '')])
        if (word.length >= SHORTEST_SECRET) this.#secrets.add(word);
    }
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, REDACTED);
    return clean.replace(KEYS, REDACTED);
  }

  /** A URL without user, password and query values. */
  url(address: string): string {
    if (!URL.canParse(address)) return this.text(address);
    const url = new URL(address);
    url.username = '';
    url.password = '';
    for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, REDACTED);
    return this.text(url.href);
  }
}
