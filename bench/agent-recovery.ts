import { open } from '@rethread/store';
import { createAgent, noTracing, scripted, tool, type Agent } from '@rethread/agent';
import { summarize, type Sample } from './measure.ts';
import { inFolder } from './store-records.ts';
import { createText } from './text.ts';

export type AgentRecoveryJob = { seed: number; messages: number; rounds: number };

export type AgentRecovery = {
  messages: number;
  records: number;
  bytes: number;
  /** JSON.parse of every line of the log, and nothing else. */
  parse: Sample;
  /** Reading the log of a session that crashed, settling what was left behind and preparing the history. */
  recover: Sample;
  /** The same until the next request goes out. */
  request: Sample;
};

const messagesPerTurn = 4;

/** Turns of a user, a call, its result and an answer, written by the loop itself. */
async function fill(agent: Agent, session: string, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) await agent.run(session, `Please, number ${turn}.`).result;
}

/** What a process leaves that dies while a tool runs. */
const crashTail = (round: number): { kind: string; data: unknown }[] => {
  const callId = `crash_${round}`;
  const place = { turn: 1, step: 1 };
  const call = { id: callId, type: 'function', function: { name: 'read', arguments: '{}' } };
  const wire = { role: 'assistant', content: null, tool_calls: [call] };
  const started = { callId, tool: 'read', input: {}, key: callId, effect: 'once', ...place };
  return [
    { kind: 'message', data: { dialect: 'openai-chat', wire: { role: 'user', content: 'And now?' }, ...place } },
    { kind: 'message', data: { dialect: 'openai-chat', wire, ...place } },
    { kind: 'call.started', data: started },
    { kind: 'state', data: { state: 'running-tools', ...place } },
  ];
};

/** Lets a session of so many messages crash again and again, and times what it takes to go on. */
export async function measureAgentRecovery({ seed, messages, rounds }: AgentRecoveryJob): Promise<AgentRecovery> {
  const source = createText(seed);
  return inFolder(async (folder) => {
    // What the disk takes to sync is no work of the runtime, and the store has measurements of its own.
    const store = await open(`file:${folder}`, { durability: 'os' });
    let asked = 0;
    const model = scripted({
      replies: (_, count) => {
        const text = source.text(source.between(40, 600));
        return count % 2 === 0 ? { text } : { text, calls: [{ callId: `call_${count}`, tool: 'read', input: {} }] };
      },
      onRequest: () => {
        asked = performance.now();
      },
    });
    const read = tool({ effect: 'once', run: () => source.text(source.logUniform(100, 2_000)) });
    const agent = createAgent({ store, model, tools: { read }, tracing: noTracing, env: {}, crashBudget: Infinity });
    await fill(agent, 's', messages / messagesPerTurn);
    const session = await store.session('s');
    const lines = (await session.load()).map((record) => JSON.stringify(record));
    const times: Record<'parse' | 'recover' | 'request', number[]> = { parse: [], recover: [], request: [] };
    for (let round = 0; round < rounds; round += 1) {
      const parsing = performance.now();
      const parsed = lines.map((line) => JSON.parse(line) as unknown);
      times.parse.push(performance.now() - parsing);
      if (parsed.length !== lines.length) throw new Error('nothing was parsed');
      await session.append(crashTail(2 * round));
      const recovering = performance.now();
      const { crashed, unsettled } = await agent.recover('s');
      times.recover.push(performance.now() - recovering);
      if (!crashed || unsettled.length !== 1) throw new Error('no crash was found');
      await session.append(crashTail(2 * round + 1));
      const resuming = performance.now();
      await agent.run('s').result;
      times.request.push(asked - resuming);
    }
    await store.close();
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    const { parse, recover, request } = times;
    return {
      messages,
      records: lines.length,
      bytes,
      parse: summarize(parse),
      recover: summarize(recover),
      request: summarize(request),
    };
  });
}
