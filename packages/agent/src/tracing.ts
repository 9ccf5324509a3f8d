type Value = string | number | boolean | undefined;

export type Attributes = Readonly<Record<string, Value>>;

export type Span = { set(attributes: Attributes): void; end(error?: unknown): void };

export type Tracing = { span(name: string, attributes: Attributes): Span };

const NOTHING: Span = { set: () => undefined, end: () => undefined };

export const noTracing: Tracing = { span: () => NOTHING };

/** The used part of `@opentelemetry/api`, so that its types are not needed. */
type Api = {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options: { attributes: Attributes }): ApiSpan };
  };
};
type ApiSpan = {
  setAttributes(attributes: Attributes): unknown;
  recordException(error: Error): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
};

const FAILED = 2;

function tracingWith({ trace }: Api): Tracing {
  const tracer = trace.getTracer('@rethread/agent');
  return {
    span: (name, attributes) => {
      const span = tracer.startSpan(name, { attributes });
      return {
        set: (more) => void span.setAttributes(more),
        end: (error) => {
          if (error !== undefined) {
            const failure = error instanceof Error ? error : new Error('a value that is not an Error was thrown');
            span.recordException(failure);
            span.setStatus({ code: FAILED, message: failure.message });
          }
          span.end();
        },
      };
    },
  };
}

const tried = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};

/** Spans that ignore tracing errors: the run continues without them. */
export function safeTracing(tracing: Tracing): Tracing {
  return {
    span: (name, attributes) => {
      const span = tried(() => tracing.span(name, attributes), NOTHING);
      return {
        set: (more) => tried(() => span.set(more), undefined),
        end: (error) => tried(() => span.end(error), undefined),
      };
    },
  };
}

/**
 * Spans with the `gen_ai` conventions, if `@opentelemetry/api` is installed. It loads in the background; earlier events
 * have no span.
 */
export function lazyTracing(): Tracing {
  const name = '@opentelemetry/api';
  let loaded = noTracing;
  const load = async (): Promise<void> => {
    loaded = tracingWith((await import(name)) as Api);
  };
  load().catch(() => undefined);
  return { span: (title, attributes) => loaded.span(title, attributes) };
}
