import type { Said } from '../judges/docket.ts';
import type { Errors, Trouble } from './api.ts';
import { brokenAt } from './broken-json.ts';

/** Anthropic names the kind of an error after its status, except where a refusal says otherwise. */
const KINDS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [405, 'invalid_request_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [529, 'overloaded_error'],
]);

const TROUBLES: Readonly<Record<Trouble, Said>> = {
  'rate-limit': { status: 429, text: "This request would exceed your account's rate limit. Please try again later." },
  'server-error': { status: 500, text: 'Internal server error' },
  overloaded: { status: 529, text: 'Overloaded' },
  overflow: { status: 400, text: 'prompt is too long: 213462 tokens > 200000 maximum' },
};

export const anthropicErrors: Errors = {
  envelope: ({ text, status = 400, type, details }, requestId) => ({
    type: 'error',
    error: { type: type ?? KINDS.get(status) ?? 'api_error', message: text, ...(details !== undefined && { details }) },
    request_id: requestId,
  }),
  notFound: () => ({ status: 404, text: 'Not Found' }),
  notAllowed: () => ({ status: 405, text: 'Method Not Allowed' }),
  noAccess: (key) => ({ status: 401, text: key === undefined ? 'x-api-key header is required' : 'invalid x-api-key' }),
  tooLarge: () => ({ status: 413, text: 'Request exceeds the maximum size' }),
  notJson: (body) => ({ text: `The request body is not valid JSON: ${jsonTrouble(body)}` }),
  tooDeep: () => ({ text: 'The request body is not valid JSON: recursion limit reached' }),
  trouble: (trouble) => TROUBLES[trouble],
  failure: (text, status) => ({ text, status, type: status < 500 ? 'invalid_request_error' : 'api_error' }),
};

/** Where a body stops being JSON, as the provider's parser says it. */
function jsonTrouble(body: string): string {
  const at = brokenAt(body);
  if (at === undefined) return 'expected an object: line 1 column 1 (char 0)';
  const before = body.slice(0, at).split('\n');
  // What ends too soon is told from what is wrong by the place: nothing is left there.
  const words = at >= body.length ? 'unexpected end of data' : 'unexpected character';
  return `${words}: line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1} (char ${at})`;
}
