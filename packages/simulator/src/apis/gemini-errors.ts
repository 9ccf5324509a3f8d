import type { Said } from '../judges/docket.ts';
import type { Errors, Trouble } from './api.ts';
import { brokenAt } from './broken-json.ts';

const UNREGISTERED =
  "Method doesn't allow unregistered callers (callers without established identity). " +
  'Please use API Key or other form of API consumer identity to call this API.';

/** How much of a broken body is shown on either side of the break. */
const SHOWN = 20;

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';

const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'UNIMPLEMENTED'],
  [413, 'INVALID_ARGUMENT'],
  [422, 'FAILED_PRECONDITION'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
]);

const TROUBLES: Readonly<Record<Trouble, Said>> = {
  'rate-limit': { status: 429, text: 'Resource has been exhausted (e.g. check quota).' },
  'server-error': {
    status: 500,
    text: 'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  },
  overloaded: { status: 503, text: 'The model is overloaded. Please try again later.' },
  overflow: {
    status: 400,
    text: 'The input token count (1189423) exceeds the maximum number of tokens allowed (1048576).',
  },
};

/** The words of Google's API, whose errors have a status by name. */
export const geminiErrors: Errors = {
  envelope: ({ text, status = 400, type }, _requestId, retryAfterSeconds) => ({
    error: {
      code: status,
      message: text,
      status: type ?? STATUSES.get(status) ?? 'UNKNOWN',
      ...(retryAfterSeconds !== undefined && {
        details: [{ '@type': RETRY_INFO, retryDelay: `${retryAfterSeconds}s` }],
      }),
    },
  }),
  notFound: (_method, path) => {
    const model = /\/models\/([^/:]+):(\w+)$/.exec(path);
    if (model === null) return { status: 404, text: `The requested URL ${path} was not found on this server.` };
    const version = path.split('/')[1] ?? 'v1beta';
    return {
      status: 404,
      text:
        `models/${model[1]} is not found for API version ${version}, or is not supported for ${model[2]}. ` +
        'Call ListModels to see the list of available models and their supported methods.',
    };
  },
  notAllowed: (method, path) => ({
    status: 405,
    text: `The request method ${method} is inappropriate for the URL ${path}.`,
  }),
  noAccess: (key) =>
    key === undefined
      ? { status: 403, text: UNREGISTERED }
      : { status: 400, text: 'API key not valid. Please pass a valid API key.' },
  tooLarge: (limitBytes) => ({ status: 400, text: `Request payload size exceeds the limit: ${limitBytes} bytes.` }),
  notJson: (body) => {
    const at = brokenAt(body) ?? 0;
    const what = at >= body.length ? 'Unexpected end of string. Expected a value.' : 'Unexpected token.';
    const shown = body.slice(Math.max(0, at - SHOWN), at + SHOWN).replaceAll('\n', ' ');
    return { text: `Invalid JSON payload received. ${what}\n${shown}\n${' '.repeat(Math.min(at, SHOWN))}^` };
  },
  tooDeep: () => ({ text: 'Invalid JSON payload received. Message too deep. Max recursion depth reached.' }),
  trouble: (trouble) => TROUBLES[trouble],
  failure: (text, status) => ({ text, status }),
};
