import type { AgentEvents } from './agent-events.ts';
import type { AgentMemory } from './agent-memory.ts';
import type { AgentRecovery } from './agent-recovery.ts';
import { runJob } from './child.ts';
import type { Effort } from './repair-suite.ts';
import { count } from './targets.ts';
import type { Row } from './verdicts.ts';

export type AgentTimings = { recovery: AgentRecovery; events: AgentEvents; memory: AgentMemory };

/** Measures the runtime with a model that takes no time, one process after another. */
export async function measureAgent({ seed, quick }: Effort, progress: (what: string) => void): Promise<AgentTimings> {
  progress('recovery of 1k messages');
  const recovery = await runJob('agentRecovery', { seed, messages: 1_000, rounds: quick ? 15 : 60 });
  progress('events through the loop');
  const events = await runJob('agentEvents', { pieces: 10_000, rounds: quick ? 5 : 20 });
  progress('memory over turns');
  const memory = await runJob('agentMemory', { turns: quick ? 2_000 : 10_000, perSession: 20 });
  return { recovery, events, memory };
}

/** The plan asks for less than this, whatever the machine. */
const mostMs = 50;
/** Two hundred bytes kept by every turn would be more. */
const mostGrowth = 2e6;

type Shown = Pick<Row, 'what' | 'on' | 'value' | 'unit'>;

const shown = (reading: Shown): Row => ({ id: 'agent', ...reading, verdict: 'shown' });
const held = (reading: Shown, bar: number): Row => ({
  id: 'agent',
  ...reading,
  bar,
  verdict: reading.value <= bar ? 'pass' : 'miss',
});

export function judgeAgent({ recovery, events, memory }: AgentTimings): Row[] {
  const { parse, recover, request } = recovery;
  const on = `${count(recovery.messages)} messages, ${Math.round(recovery.bytes / 1_000)} kB`;
  const rate = (ms: number): number => (events.pieces / ms) * 1_000;
  const many = `${count(events.pieces)} pieces`;
  const turns = `${count(memory.turns)} turns, ${memory.sessions} sessions`;
  return [
    held({ what: 'recovery + prepare after a crash', on, value: recover.min, unit: 'ms' }, mostMs),
    shown({ what: 'the same over parsing the log', on, value: recover.min / parse.min, unit: '× JSON.parse' }),
    held({ what: 'from a crash to the next request', on, value: request.min, unit: 'ms' }, mostMs),
    shown({ what: 'the same over parsing the log', on, value: request.min / parse.min, unit: '× JSON.parse' }),
    shown({ what: 'events a second, recorded before shown', on: many, value: rate(events.recorded.min), unit: '' }),
    shown({ what: 'events a second, recorded at the end', on: many, value: rate(events.shown.min), unit: '' }),
    shown({ what: 'events a second, without the loop', on: many, value: rate(events.bare.min), unit: '' }),
    held({ what: 'growth of memory', on: turns, value: memory.growth / 1_000, unit: 'kB' }, mostGrowth / 1_000),
  ];
}
