import { createAgent, noTracing, type ModelEvent, type ModelPort } from '@rethread/agent';
import { open } from '@rethread/store';
import { count, fastest, type Reading } from './measure.ts';

type Job = { pieces: number; rounds: number };

const word = 'word ';

/** A model that says one word after the other, as fast as it is asked. */
function talkative(pieces: number): ModelPort {
  const message = { role: 'assistant', content: word.repeat(pieces) };
  async function* speak(): AsyncGenerator<ModelEvent> {
    yield { kind: 'begin' };
    for (let piece = 0; piece < pieces; piece += 1) yield { kind: 'text', text: word };
    yield { kind: 'end', messages: [message], stop: 'end' };
  }
  return { name: 'talkative', target: { dialect: 'openai-chat' }, call: speak, renew: () => undefined };
}

async function timeBare(port: ModelPort): Promise<number> {
  const clock = { now: () => 0, after: () => () => undefined };
  const call = { signal: new AbortController().signal, stream: true, clock, log: () => undefined };
  const started = performance.now();
  for await (const event of port.call({ messages: [], tools: [] }, call)) if (event.kind === 'end') break;
  return performance.now() - started;
}

async function timeLoop(port: ModelPort, pieces: number): Promise<number> {
  const store = await open('memory:');
  const agent = createAgent({ store, model: port, tracing: noTracing, env: {}, showEveryMs: 100 });
  const started = performance.now();
  let seen = 0;
  for await (const event of agent.run('s', 'Speak.')) if (event.kind === 'text') seen += event.text.length;
  const ms = performance.now() - started;
  if (seen !== pieces * word.length) throw new Error(`${seen} characters of ${pieces} words were shown`);
  await store.close();
  return ms;
}

/** Times one answer of many pieces: through the loop, and straight from the model. */
export async function measure({ pieces, rounds }: Job): Promise<Reading[]> {
  const port = talkative(pieces);
  const least = await fastest(
    { bare: () => timeBare(port), loop: () => timeLoop(port, pieces) },
    { most: rounds, budgetMs: Infinity },
  );
  return [{ target: 'events', on: `${count(pieces)} pieces`, ours: least.loop, peer: least.bare }];
}
