import { runJob } from './child.ts';
import type { Effort, Reading } from './measure.ts';

/** Measures compaction and the estimate of tokens, each in a process of its own. */
export async function measureCompaction({ seed, quick, progress }: Effort): Promise<Reading[]> {
  const rounds = { most: 60, budgetMs: quick ? 6_000 : 12_000 };
  const readings: Reading[] = [];
  for (const dialect of ['anthropic-messages', 'openai-chat'] as const) {
    progress(`compaction, ${dialect}`);
    readings.push(...(await runJob('compact', { dialect, messages: 10_000, seed, rounds })));
  }
  progress('a peer of compaction');
  // The time of the peer grows with the square of the length.
  const beside = { dialect: 'openai-chat', messages: quick ? 500 : 2_000, seed, rounds } as const;
  readings.push(...(await runJob('compact', { ...beside, peer: true })));
  progress('the estimate of tokens');
  return [...readings, ...(await runJob('tokens', { seed, perKind: quick ? 20 : 60, rounds }))];
}
