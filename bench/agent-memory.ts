import { open } from '@rethread/store';
import { createAgent, noTracing, scripted, tool } from '@rethread/agent';
import { collectGarbage } from './measure.ts';
import { inFolder } from './store-records.ts';

export type AgentMemoryJob = { turns: number; perSession: number };

export type AgentMemory = {
  turns: number;
  sessions: number;
  /** Bytes alive in the second half of the turns, less those alive in the first. */
  growth: number;
};

const readings = 20;

/**
 * One agent and one store for all turns. A session is as long as its log, so the turns are spread over sessions: what
 * a session needs is given back when its run is over, and only what is kept for ever adds up.
 */
export async function measureAgentMemory({ turns, perSession }: AgentMemoryJob): Promise<AgentMemory> {
  return inFolder(async (folder) => {
    const store = await open(`file:${folder}`, { durability: 'os' });
    const model = scripted({
      replies: (_, count) =>
        count % 2 === 1 ? { text: 'Looking.', calls: [{ callId: `call_${count}`, tool: 'look' }] } : { text: 'Done.' },
    });
    const look = tool({ effect: 'read', run: () => 'nothing new' });
    const agent = createAgent({ store, model, tools: { look }, tracing: noTracing, env: {} });
    const alive: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      await agent.run(`session-${Math.floor(turn / perSession)}`, `Turn ${turn}.`).result;
      if ((turn + 1) % (turns / readings) === 0) alive.push(settledBytes());
    }
    await store.close();
    // Compiled code comes and goes between two readings; what is never given back raises the lowest of them.
    const half = alive.length >> 1;
    const growth = Math.min(...alive.slice(half)) - Math.min(...alive.slice(2, half));
    return { turns, sessions: Math.ceil(turns / perSession), growth };
  });
}

function settledBytes(): number {
  collectGarbage('full');
  collectGarbage('full');
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
