import { check, decode, repair, type Dialect, type Report, type TargetInput } from '@rethread/core';

import { objectIn, readOutgoing, withText, type Fetch, type Outgoing } from './outgoing.ts';
import { isRefused, refusalIn } from './refusal.ts';
import { isNews, repairOptions, type Choices } from './reporting.ts';
import { readerFor } from './route.ts';

export type { Fetch } from './outgoing.ts';

/** The request a report is about. */
export type Sent = {
  readonly url: string;
  readonly dialect: Dialect;
};

export type RepairingFetchOptions = Omit<Choices, 'onReport'> & {
  /** Called for every request in which something was found, before it goes out; twice where it goes out twice. */
  readonly onReport?: (report: Report, sent: Sent) => void;
  /** Called when something of ours fails, or a listener does; the request goes out all the same. */
  readonly onError?: (error: unknown) => void;
  /** Where requests to an address of your own go; undefined leaves it to the address. */
  readonly target?: (url: string, body: Body) => TargetInput | undefined;
  /** A history that is refused nevertheless is repaired by what the refusal says and sent once more; on by default. */
  readonly retry?: boolean;
};

/** A request to a known API, as it is about to go out. */
type Known = {
  readonly url: string;
  readonly text: string;
  readonly body: Body;
  readonly target: TargetInput;
  /** Whether only the address says what it is: others have addresses that end in the same way. */
  readonly guessed: boolean;
};

type Body = Readonly<Record<string, unknown>>;

/**
 * Wraps the `fetch` that provider SDKs accept: the history in a request is repaired on its way out. Everything that is
 * not a request to a known API passes untouched, and so does a request with which something of ours fails, or in which
 * nothing is a message.
 */
export function repairingFetch(fetch?: Fetch, options: RepairingFetchOptions = {}): Fetch {
  // Looked up at each call, so that what replaces the global one later is used.
  const send: Fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
  return async (input, init) => {
    const outgoing = guarded(() => readOutgoing(input, init), options);
    const given = outgoing && guarded(() => recognise(outgoing, options), options);
    if (outgoing === undefined || given === undefined) return send(input, init);
    const mended = guarded(() => mend(given, options), options);
    const response = await send(input, mended === undefined ? init : withText(outgoing, mended.text));
    if (options.retry === false || !isRefused(response.status)) return response;
    const again = await mendAgain(mended ?? given, response, options);
    if (again === undefined) return response;
    try {
      return await send(input, withText(outgoing, again.text));
    } catch (error) {
      if (init?.signal?.aborted === true) throw error;
      // The caller has an answer, though not the one we hoped for.
      tell(error, options);
      return response;
    }
  };
}

function recognise({ url, text }: Outgoing, { target }: RepairingFetchOptions): Known | undefined {
  const read = readerFor(url);
  if (read === undefined && target === undefined) return undefined;
  const body = objectIn(text);
  const told = body && target?.(url, body);
  const found = told ?? (body && read?.(body));
  if (body === undefined || found === undefined) return undefined;
  return { url, text, body, target: found, guessed: told === undefined };
}

/** Whether nothing in a request is a message of the dialect: it is another API then, and not ours to change. */
function isForeign({ body, guessed }: Known, dialect: Dialect): boolean {
  if (!guessed) return false;
  const messages = decode(body, dialect)?.messages ?? [];
  if (messages.length === 0) return typeof body['model'] !== 'string';
  return messages.every(({ role }) => role === 'unreadable');
}

/** The same request with a history that can be sent; undefined where there is nothing to change. */
function mend(known: Known, options: RepairingFetchOptions, refusal?: string): Known | undefined {
  const { url, body, target } = known;
  const choices = { ...repairOptions(options), ...(refusal !== undefined && { refusal }) };
  const { output, changed, report } = repair(body, target, choices);
  const dialect = report.dialect as Dialect | undefined;
  if (dialect === undefined || !isNews(report)) return undefined;
  const foreign = changed && isForeign(known, dialect);
  if (foreign && refusal !== undefined) return undefined;
  guarded(() => options.onReport?.(foreign ? check(body, target) : report, { url, dialect }), options);
  if (foreign) return undefined;
  return changed ? { ...known, body: output, text: JSON.stringify(output) } : undefined;
}

/** What to send after a refusal; undefined where it asks for nothing that was not done. */
async function mendAgain(
  refused: Known,
  response: Response,
  options: RepairingFetchOptions,
): Promise<Known | undefined> {
  try {
    const refusal = await refusalIn(response);
    return refusal === undefined ? undefined : mend(refused, options, refusal);
  } catch (error) {
    tell(error, options);
    return undefined;
  }
}

/** Nothing of ours may keep a request from going out. */
function guarded<T>(action: () => T, options: RepairingFetchOptions): T | undefined {
  try {
    return action();
  } catch (error) {
    tell(error, options);
    return undefined;
  }
}

function tell(error: unknown, { onError }: RepairingFetchOptions): void {
  try {
    onError?.(error);
  } catch {
    // There is nobody left to tell.
  }
}
