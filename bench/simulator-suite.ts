import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runJob } from './child.ts';
import type { Effort } from './repair-suite.ts';
import type { SimulatorTimings } from './simulator-client.ts';
import { benchApis, requestMessages } from './simulator-requests.ts';
import type { ServerKind } from './simulator-server.ts';
import type { Row } from './verdicts.ts';

/** The least share of the bare server's rate that the judging one must reach. */
const leastShare = 0.5;
const script = fileURLToPath(new URL('simulator-server.ts', import.meta.url));

type Server = { port: number; stop: () => Promise<void> };

async function startServer(kind: ServerKind): Promise<Server> {
  const child = spawn(process.execPath, [script, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), gone.then(() => undefined)]);
  if (first === undefined) throw new Error(`the ${kind} server did not start`);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await gone;
  };
  return { port: Number(String(first[0])), stop };
}

/** Measures every API in one run: both servers and the client are processes of their own. */
export async function measureSimulators(
  { seed, quick }: Effort,
  progress: (what: string) => void,
): Promise<SimulatorTimings[]> {
  const [judged, bare] = await Promise.all([startServer('judged'), startServer('bare')]);
  try {
    const all: SimulatorTimings[] = [];
    for (const api of benchApis) {
      progress(`judged requests, ${api}`);
      const ports = { judged: judged.port, bare: bare.port };
      const rounds = { most: 200, budgetMs: quick ? 2_000 : 8_000 };
      all.push(await runJob('simulator', { api, seed, ports, batch: 100, rounds }, { flags: [] }));
    }
    return all;
  } finally {
    await Promise.all([judged.stop(), bare.stop()]);
  }
}

/** Rates are compared by their best batches: on a busy machine those repeat, and the usual ones do not. */
export function judgeSimulators(measured: readonly SimulatorTimings[]): Row[] {
  const on = ({ api, bytes }: SimulatorTimings): string => `${api} ${requestMessages}, ${Math.round(bytes / 1_000)} kB`;
  const rate = (ms: number, { batch }: SimulatorTimings): number => (batch / ms) * 1_000;
  const shares = measured.map((timings): Row => {
    const value = timings.bare.min / timings.judged.min;
    const verdict = value >= leastShare ? 'pass' : 'miss';
    const what = 'judged requests over those of a bare server';
    return { id: 'sim', what, on: on(timings), value, unit: 'quotient', bar: leastShare, sense: 'at least', verdict };
  });
  const rates = measured.flatMap((timings) =>
    (['judged', 'bare'] as const).map((kind): Row => {
      const value = rate(timings[kind].min, timings);
      return { id: 'sim', what: `${kind} requests a second`, on: on(timings), value, unit: '', verdict: 'shown' };
    }),
  );
  const busy = measured.map((timings): Row => {
    const what = 'share of the time in which the client worked';
    return { id: 'sim', what, on: on(timings), value: timings.clientBusy, unit: '', verdict: 'shown' };
  });
  return [...shares, ...rates, ...busy];
}
