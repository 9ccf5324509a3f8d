import { runJob } from './child.ts';
import type { Effort, Reading } from './measure.ts';

/** Measures the runtime with a model that takes no time. */
export async function measureAgent({ seed, quick, progress }: Effort): Promise<Reading[]> {
  progress('recovery of 1k messages');
  const recovery = await runJob('agentRecovery', { seed, messages: 1_000, rounds: quick ? 15 : 60 });
  progress('events through the loop');
  return [...recovery, ...(await runJob('agentEvents', { pieces: 10_000, rounds: quick ? 5 : 20 }))];
}
