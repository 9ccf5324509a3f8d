import type { Said } from '../judges/docket.ts';
import type { Errors, Trouble } from './api.ts';

const HINT =
  "(HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but " +
  'what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our ' +
  'help center at help.openai.com.)';
const NO_KEY =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth " +
  "(i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API " +
  'from your browser and are prompted for a username and password. You can obtain an API key from ' +
  'https://platform.openai.com/account/api-keys.';

const BUSY: Said = {
  status: 503,
  type: 'server_error',
  text: 'The server is currently overloaded with other requests. Sorry about that! Please try again later.',
};
const BROKEN: Said = {
  status: 500,
  type: 'server_error',
  text: 'The server had an error while processing your request. Sorry about that!',
};

const limited = (model: string): Said => ({
  status: 429,
  type: 'tokens',
  code: 'rate_limit_exceeded',
  text:
    `Rate limit reached for ${model} in organization org-simulated on tokens per min (TPM): Limit 30000, ` +
    'Used 29200, Requested 2100. Please try again in 2.6s. Visit https://platform.openai.com/account/rate-limits to learn more.',
});

/** The errors of an OpenAI API, which differ between chat and responses only for a history that is too long. */
export function openaiErrors(overflow: Said): Errors {
  const trouble = (kind: Trouble, model: string): Said => {
    if (kind === 'rate-limit') return limited(model);
    if (kind === 'overflow') return overflow;
    return kind === 'overloaded' ? BUSY : BROKEN;
  };
  return {
    envelope: ({ text, type, param, code }) => ({
      error: { message: text, type: type ?? 'invalid_request_error', param: param ?? null, code: code ?? null },
    }),
    notFound: (method, path) => ({ status: 404, text: `Invalid URL (${method} ${path})` }),
    notAllowed: (method, path) => ({
      status: 405,
      code: 'method_not_supported',
      text: `Not allowed to ${method} on ${path}.`,
    }),
    noAccess: (key) => (key === undefined ? { status: 401, text: NO_KEY } : wrongKey(key)),
    tooLarge: (limitBytes) => ({
      status: 413,
      text: `The request body is too large: at most ${limitBytes} bytes are accepted.`,
    }),
    notJson: () => ({ text: `We could not parse the JSON body of your request. ${HINT}` }),
    tooDeep: () => ({ text: `We could not parse the JSON body of your request. ${HINT}` }),
    trouble,
    failure: (text, status) => ({ text, status, type: status < 500 ? 'invalid_request_error' : 'server_error' }),
  };
}

function wrongKey(key: string): Said {
  const shown =
    key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}` : '*'.repeat(key.length);
  return {
    status: 401,
    code: 'invalid_api_key',
    text: `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
  };
}
