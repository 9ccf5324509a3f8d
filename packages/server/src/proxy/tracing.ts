import type { ExchangeEntry } from './exchange-log.ts';

/** Makes a span of an exchange that has ended. */
export type Trace = (entry: Omit<ExchangeEntry, 'id'>) => void;

/** The used part of `@opentelemetry/api`, so that its types are not needed. */
type Api = {
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; startTime: Date; attributes: Attributes },
      ): {
        setStatus(status: { code: number; message?: string }): unknown;
        end(time: Date): void;
      };
    };
  };
};

type Attributes = Readonly<{ [name: string]: string | number | readonly string[] }>;

const PROXIED = 1;
const FAILED = 2;

/** Traces with OpenTelemetry if the application has it; undefined otherwise. */
export async function loadTracing(): Promise<Trace | undefined> {
  // A bundler must not look for a package that may be missing.
  const name = '@opentelemetry/api';
  const api = await import(name).then(
    (found) => found as Api,
    () => undefined,
  );
  return api === undefined ? undefined : (entry) => trace(api, entry);
}

function trace(api: Api, entry: Omit<ExchangeEntry, 'id'>): void {
  const startTime = new Date(entry.at);
  const span = api.trace
    .getTracer('@rethread/server')
    .startSpan('rethread.proxy.exchange', { kind: PROXIED, startTime, attributes: attributesOf(entry) });
  if (entry.ending === 'failed')
    span.setStatus({ code: FAILED, ...(entry.reason !== undefined && { message: entry.reason }) });
  span.end(new Date(startTime.getTime() + entry.totalMs));
}

function attributesOf(entry: Omit<ExchangeEntry, 'id'>): Attributes {
  const { method, path, upstream, dialect, model, status, verdict, repairs, judgingMs } = entry;
  const known = {
    'http.request.method': method,
    'url.path': path,
    'server.address': upstream,
    'http.response.status_code': status,
    'gen_ai.request.model': model,
    'rethread.dialect': dialect,
    'rethread.ending': entry.ending,
    'rethread.verdict': verdict,
    'rethread.repairs': repairs?.map(({ rule }) => rule),
    'rethread.judging_ms': judgingMs,
  };
  const present = Object.entries(known).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Attributes;
}
