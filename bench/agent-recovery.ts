import { createAgent, noTracing, scripted, tool } from '@rethread/agent';
import { open } from '@rethread/store';
import { count, fastest, time, type Reading } from './measure.ts';
import { inFolder } from './store-records.ts';
import { createText } from './text.ts';

type Job = { seed: number; messages: number; rounds: number };

const messagesPerTurn = 4;

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

/** Lets a session crash again and again, and times what it takes to go on, beside parsing the lines of its log. */
export async function measure({ seed, messages, rounds }: Job): Promise<Reading[]> {
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
    for (let turn = 1; turn <= messages / messagesPerTurn; turn += 1) await agent.run('s', `Please, ${turn}.`).result;
    const session = await store.session('s');
    const lines = (await session.load()).map((record) => JSON.stringify(record));
    let crashes = 0;
    const afterCrash = async (work: () => Promise<number>): Promise<number> => {
      await session.append(crashTail((crashes += 1)));
      const started = performance.now();
      return (await work()) - started;
    };
    const recover = async (): Promise<number> => {
      const { crashed, unsettled } = await agent.recover('s');
      if (!crashed || unsettled.length !== 1) throw new Error('no crash was found');
      return performance.now();
    };
    const resume = async (): Promise<number> => {
      await agent.run('s').result;
      return asked;
    };
    const least = await fastest(
      {
        parse: () => time(() => lines.map((line) => JSON.parse(line) as unknown)),
        recovery: () => afterCrash(recover),
        request: () => afterCrash(resume),
      },
      { most: rounds, budgetMs: Infinity },
    );
    await store.close();
    const on = `${count(messages)} messages`;
    return [
      { target: 'recovery', on, ours: least.recovery, peer: least.parse },
      { target: 'nextRequest', on, ours: least.request, peer: least.parse },
    ];
  });
}
