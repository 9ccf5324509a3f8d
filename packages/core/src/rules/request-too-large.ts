import type { Case, Rule } from '../model/rule.ts';

/** A request holds at most so many bytes. */
export const requestTooLarge: Rule = {
  id: 'request-too-large',
  title: 'the request is too large',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-size'] },
  trigger: 'request-too-large',
  summary: 'Large results or media fill the request. Compact the history or drop old media; no single repair can help.',
  detect: (found) => found.body !== undefined && bytesOf(found) > found.profile.maxBytes,
  explain: (found) => `the request is larger than ${String(found.profile.maxBytes)} bytes`,
  providerError: { 'anthropic-messages': () => 'request_too_large' },
};

/** Bytes of the request as UTF-8; more than any limit where no string could hold it. */
function bytesOf({ body, list }: Case): number {
  let json: string;
  try {
    json = JSON.stringify({ ...body, messages: list }, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  } catch (error) {
    // What cannot be written for another reason is the business of other rules.
    return error instanceof RangeError ? Number.POSITIVE_INFINITY : 0;
  }
  let bytes = json.length;
  for (let i = 0; i < json.length; i += 1) {
    const unit = json.charCodeAt(i);
    // Each half of a surrogate pair stands for two of the four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
