import { startServer } from '../postgres-server.ts';
import { laySiege, type Outcome, steps } from './siege.ts';

export type TortureOptions = { readonly records: number; readonly kills: number; readonly seed: number };

const report = (outcome: Outcome, seconds: number): string => {
  const cuts = [...outcome.cuts.values()].reduce((sum, count) => sum + count, 0);
  const missed = steps.filter((step) => !outcome.cuts.has(step));
  const never = missed.length === 0 ? [] : [`never reached, with so few records: ${missed.join(', ')}`];
  return [
    `${outcome.acknowledged} records acknowledged, ${outcome.refused} batches refused, ${outcome.unknown} unknown`,
    `${outcome.reads} reads of whole sessions beside the writers`,
    `${outcome.connections} connections, ${cuts} cut, at ${steps.length - missed.length} of ${steps.length} steps of the protocol`,
    `${outcome.kills} times the server was killed and started again`,
    `${outcome.anomalies.length} anomalies, ${outcome.damages} damages, ${seconds.toFixed(0)} s`,
    ...never,
    ...outcome.anomalies.slice(0, 20),
  ].join('\n');
};

/** With fewer records, a run may end before every step was reached. */
const enoughForEveryStep = 50_000;

/** Appends during cuts and kills; true if every acknowledged record is stored once. */
export async function torturePostgres({ records, kills, seed }: TortureOptions): Promise<boolean> {
  const say = (words: string): void => void process.stdout.write(`${words}\n`);
  const server = await startServer();
  const began = performance.now();
  try {
    const outcome = await laySiege({ server, records, kills, seed, sessions: 24, workers: 4, life: 400, tell: say });
    say(report(outcome, (performance.now() - began) / 1_000));
    const everyStep = records < enoughForEveryStep || steps.every((step) => outcome.cuts.has(step));
    const whole = outcome.acknowledged >= records * 0.9 && everyStep;
    return whole && outcome.anomalies.length === 0 && outcome.damages === 0;
  } finally {
    await server.stop();
  }
}
