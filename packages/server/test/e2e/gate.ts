import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createSimulator, type Reply, type Verdict } from '@rethread/simulator';

/** What happens in the middle of a streamed answer. */
export type Break = { readonly how: 'stall' | 'cut'; readonly inside: 'text' | 'reasoning'; readonly after: number };

export type Step = Reply & { readonly breaks?: Break };

/** The simulator behind a door that holds back part of an answer. */
export type Gate = AsyncDisposable & {
  readonly url: string;
  readonly verdicts: readonly Verdict[];
  /** What the model says from now on, in answer to requests that declare tools. */
  plan(steps: readonly Step[]): void;
  /** Fulfilled when an answer was held back or cut off. */
  broken(): Promise<void>;
};

const FRAMES: Readonly<Record<Break['inside'], RegExp>> = {
  text: /text_delta|response\.output_text\.delta|"content":"[^"]|"parts":\[\{"text":"/,
  reasoning: /thinking_delta|reasoning_summary_text\.delta|reasoning_content":"[^"]|"thought":true/,
};

export type Body = { readonly [name: string]: unknown };

/** Whether a request is one of the conversation: clients also ask for titles, and extract what to remember. */
export function isConversation(body: Body): boolean {
  const { tools, text, input } = body;
  const format = JSON.stringify(text ?? '');
  if (format.includes('json_schema')) return false;
  const [first] = Array.isArray(input) ? (input as readonly Body[]) : [];
  return (Array.isArray(tools) && tools.length > 0) || first?.['type'] === 'additional_tools';
}

const title: Reply = { parts: [{ kind: 'text', text: 'A short title' }] };
const end: Step = { parts: [{ kind: 'text', text: 'FINAL-ANSWER All is done.' }] };

export async function openGate(): Promise<Gate> {
  let steps: Step[] = [];
  let pending: Break | undefined;
  let told = Promise.withResolvers<void>();
  const simulator = await createSimulator({
    secret: 'gate',
    keepBodies: true,
    model: ({ body }) => {
      if (!isConversation(body)) return title;
      const { breaks, ...reply } = steps.shift() ?? end;
      pending = breaks;
      return reply;
    },
  });
  const door = createServer((request, response) => {
    pass({ request, response }, simulator.url, () => {
      const held = pending;
      pending = undefined;
      return held === undefined ? undefined : { ...held, tell: () => told.resolve() };
    });
  });
  // A client that asks for a WebSocket shall go on with plain requests.
  door.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n'));
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    verdicts: simulator.verdicts,
    plan: (next) => {
      steps = [...next];
      told = Promise.withResolvers();
    },
    broken: () => told.promise,
    [Symbol.asyncDispose]: async () => {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await simulator.close();
    },
  };
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Held = Break & { readonly tell: () => void };

function pass(exchange: Exchange, url: string, next: () => Held | undefined): void {
  const { request, response } = exchange;
  const { hostname, port } = new URL(url);
  const headers = { ...request.headers };
  delete headers['accept-encoding'];
  const onward = httpRequest({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    passFrames(answer, response, next());
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** Passes an answer on, event by event, up to the one where it shall break. */
function passFrames(answer: IncomingMessage, response: ServerResponse, held: Held | undefined): void {
  let text = '';
  let count = 0;
  let isHeld = false;
  const forward = (frame: string): void => {
    if (isHeld) return;
    response.write(frame);
    if (held === undefined || !FRAMES[held.inside].test(frame) || ++count < held.after) return;
    isHeld = true;
    held.tell();
    if (held.how === 'cut') setTimeout(() => response.destroy(), 30);
  };
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    const frames = (text + chunk).split(/(?<=\r?\n\r?\n)/);
    text = frames.at(-1)?.endsWith('\n\n') === true ? '' : (frames.pop() ?? '');
    for (const frame of frames) forward(frame);
  });
  answer.on('end', () => {
    if (text !== '') forward(text);
    if (!isHeld) response.end();
  });
  answer.on('error', () => response.destroy());
}
