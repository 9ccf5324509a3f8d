import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Exchange } from './apis/answer.ts';
import { Answers } from './apis/answer.ts';
import { Ids } from './apis/ids.ts';
import { Pipeline } from './apis/pipeline.ts';
import { Routes } from './apis/routes.ts';
import { StoredResponses } from './apis/stored-responses.ts';
import type { FaultRule } from './faults/fault.ts';
import { FaultPlan } from './faults/plan.ts';
import type { Model, ModelRequest } from './models/model.ts';
import { reply, type Failure, type Reply } from './models/reply.ts';
import { Script, type Line } from './models/scripted.ts';
import { Seals } from './models/seals.ts';
import { VerdictLog, type Verdict, type VerdictListener } from './verdict-log.ts';

export interface SimulatorOptions {
  /** Answers what is accepted; without one every answer is the same short text. */
  readonly model?: Model | undefined;
  /** Faults as values, or as text such as `cut-bytes:120@3, 529@20%`. */
  readonly faults?: string | readonly FaultRule[] | undefined;
  /** Decides the faults that come by chance, and the ids; without one no simulator gives out the ids of another. */
  readonly seed?: number | undefined;
  /** A model whose name says nothing is judged strictly; with `false` it is judged leniently. */
  readonly strict?: boolean | undefined;
  /** The only key that is accepted; without one any key is. */
  readonly key?: string | undefined;
  /** What seals are made with: simulators with the same secret know each other's reasoning. */
  readonly secret?: string | undefined;
  /**
   * Sealed reasoning and stored responses that did not come from here are refused, as another account's are; with
   * `trust` they are taken as they come, so that a history from the real API can be judged for its form.
   */
  readonly foreign?: 'refuse' | 'trust' | undefined;
  readonly onVerdict?: VerdictListener | undefined;
  /** Keeps the body of every request in its verdict. */
  readonly keepBodies?: boolean | undefined;
  /** How many verdicts are kept at most. */
  readonly keepVerdicts?: number | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** The clock, for the times that answers and verdicts carry. */
  readonly now?: (() => number) | undefined;
}

/** Provider APIs on loopback, until they are closed. */
export interface Simulator extends AsyncDisposable {
  readonly url: string;
  /** What each official client takes as its base URL. */
  readonly baseUrls: { readonly anthropic: string; readonly openai: string; readonly gemini: string };
  readonly verdicts: readonly Verdict[];
  /** Calls the listener with each verdict; the function that is returned ends that. */
  onVerdict(listener: VerdictListener): () => void;
  /** Queues replies, which come before those of the model; without a model the script must not run out. */
  script(...lines: readonly Line[]): void;
  /** Adds faults to those given at the start. */
  inject(faults: string | readonly FaultRule[]): void;
  /** Ends every connection, also in the middle of an answer; then throws what a listener threw. */
  close(): Promise<void>;
}

const DEFAULT_REPLY: Reply = reply('This is the simulated model.');

/** Starts a simulator; it listens when the promise is fulfilled. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const log = new VerdictLog(options.keepVerdicts ?? 10_000);
  if (options.onVerdict !== undefined) log.listen(options.onVerdict);
  const plan = new FaultPlan(options.faults ?? [], options.seed ?? 1);
  const stored = new StoredResponses();
  const script = new Script();
  const seals = new Seals(options.secret ?? 'rethread');
  const answers = new Answers({
    log,
    plan,
    seals,
    ids: new Ids(options.seed === undefined ? undefined : `${options.seed}/${options.secret ?? ''}`),
    model: modelOf(script, options.model),
    bench: {
      key: options.key,
      options: {
        strict: options.strict ?? true,
        whole: true,
        ...(options.foreign !== 'trust' && { memory: stored }),
      },
      checkFor: options.foreign === 'trust' ? undefined : (api) => seals.checkFor(api),
    },
    keepBodies: options.keepBodies ?? false,
    now: options.now ?? Date.now,
  });
  const server = await listen(receiver(new Routes(stored), answers), options);
  const { address, port } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeServer(server).then(() => log.throwErrors()));
  return {
    url,
    baseUrls: { anthropic: url, openai: `${url}/v1`, gemini: url },
    verdicts: log.verdicts,
    onVerdict: (listener) => log.listen(listener),
    script: (...lines) => script.add(lines),
    inject: (faults) => plan.add(faults),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The script speaks first; where it is over, the model does, if there is one. */
function modelOf(script: Script, model: Model | undefined): Model {
  return (request: ModelRequest): Reply | Failure | Promise<Reply | Failure> => {
    if (script.isOver && model !== undefined) return model(request);
    return script.isUnused ? DEFAULT_REPLY : script.next(request);
  };
}

/** Collects a body; what exceeds the limit is read and dropped, so that the client can read the refusal. */
function receiver(routes: Routes, answers: Answers): (request: IncomingMessage, response: ServerResponse) => void {
  const pipeline = new Pipeline();
  let count = 0;
  return (request, response) => {
    const n = ++count;
    const route = routes.find(request);
    const { limitBytes } = route.api;
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limitBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => {
      const exchange: Exchange = { n, response, arrived: { request, route, chunks, bytes } };
      pipeline.enter(request.socket, { response, answer: () => answers.answer(exchange) });
    });
  };
}

async function listen(listener: RequestListener, options: SimulatorOptions): Promise<Server> {
  // Loading a server takes longer than judging: who only judges does not pay for it.
  const { createServer } = await import('node:http');
  // Clients keep connections for their next request; a short timeout here would end one under their hands.
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
