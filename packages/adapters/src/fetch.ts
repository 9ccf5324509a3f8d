import { check, repair, type Dialect, type Report } from '@rethread/core';

import { readOutgoing, withText, type Fetch, type Outgoing } from './outgoing.ts';
import { isRefused, refusalIn } from './refusal.ts';
import { isNews, repairOptions, type Choices } from './reporting.ts';
import { isForeign, isSigned, mayBeJson, recognise, type ChooseTarget, type KnownRequest } from './request.ts';

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
  readonly target?: ChooseTarget;
  /** A history that is refused nevertheless is repaired by what the refusal says and sent once more; on by default. */
  readonly retry?: boolean;
};

/** A request to a known API, as it is about to go out. */
type Known = KnownRequest & { readonly text: string };

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
    const given = outgoing && guarded(() => known(outgoing, options), options);
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

/** What may be read and replaced of a request that is about to go out. */
function known({ url, init, text }: Outgoing, { target }: RepairingFetchOptions): Known | undefined {
  const headers = new Headers(init.headers);
  const header = (name: string): string | null => headers.get(name);
  if (!mayBeJson(header) || isSigned(header) || headers.has('content-encoding')) return undefined;
  const found = recognise(url, text, target);
  return found && { ...found, text };
}

/** The same request with a history that can be sent; undefined where there is nothing to change. */
function mend(request: Known, options: RepairingFetchOptions, refusal?: string): Known | undefined {
  const { url, body, target } = request;
  const choices = { ...repairOptions(options), ...(refusal !== undefined && { refusal }) };
  const { output, changed, report } = repair(body, target, choices);
  const dialect = report.dialect as Dialect | undefined;
  if (dialect === undefined || !isNews(report)) return undefined;
  const foreign = changed && isForeign(request, dialect);
  if (foreign && refusal !== undefined) return undefined;
  guarded(() => options.onReport?.(foreign ? check(body, target) : report, { url, dialect }), options);
  if (foreign) return undefined;
  return changed ? { ...request, body: output, text: JSON.stringify(output) } : undefined;
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
