import { open } from '@rethread/store';
import { createAgent, noTracing, type ModelEvent, type ModelPort } from '@rethread/agent';
import { summarize, type Sample } from './measure.ts';

export type AgentEventsJob = { pieces: number; rounds: number };

/** Milliseconds for one answer of so many pieces. */
export type AgentEvents = {
  pieces: number;
  /** The port alone. */
  bare: Sample;
  /** Through the loop, recorded before it is shown, ten times a second. */
  recorded: Sample;
  /** Through the loop, recorded when the answer is whole. */
  shown: Sample;
};

const word = 'word ';

/** A model that says one word after the other, as fast as it is asked. */
function talkative(pieces: number): ModelPort {
  const end: ModelEvent = {
    kind: 'end',
    messages: [{ role: 'assistant', content: word.repeat(pieces) }],
    stop: 'end',
  };
  async function* speak(): AsyncGenerator<ModelEvent> {
    yield { kind: 'begin' };
    for (let piece = 0; piece < pieces; piece += 1) yield { kind: 'text', text: word };
    yield end;
  }
  return { name: 'talkative', target: { dialect: 'openai-chat' }, call: speak, renew: () => undefined };
}

async function timeBare(port: ModelPort, pieces: number): Promise<number> {
  const started = performance.now();
  let seen = 0;
  const call = {
    signal: new AbortController().signal,
    stream: true,
    clock: { now: () => 0, after: () => () => undefined },
    log: () => undefined,
  };
  for await (const event of port.call({ messages: [], tools: [] }, call)) seen += event.kind === 'text' ? 1 : 0;
  if (seen !== pieces) throw new Error(`${seen} of ${pieces} came`);
  return performance.now() - started;
}

async function timeLoop(port: ModelPort, pieces: number, showEveryMs: number): Promise<number> {
  const store = await open('memory:');
  const agent = createAgent({ store, model: port, tracing: noTracing, env: {}, showEveryMs });
  const started = performance.now();
  let seen = 0;
  for await (const event of agent.run('s', 'Speak.'))
    if (event.kind === 'text') seen += event.text.length / word.length;
  const ms = performance.now() - started;
  if (seen !== pieces) throw new Error(`${seen} of ${pieces} were shown`);
  await store.close();
  return ms;
}

export async function measureAgentEvents({ pieces, rounds }: AgentEventsJob): Promise<AgentEvents> {
  const port = talkative(pieces);
  const [bare, recorded, shown]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await timeBare(port, pieces));
    recorded.push(await timeLoop(port, pieces, 100));
    shown.push(await timeLoop(port, pieces, Infinity));
  }
  return { pieces, bare: summarize(bare), recorded: summarize(recorded), shown: summarize(shown) };
}
