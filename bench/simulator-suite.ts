import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runJob } from './child.ts';
import type { Effort, Reading } from './measure.ts';
import type { ServerKind } from './simulator-server.ts';

const script = fileURLToPath(new URL('simulator-server.ts', import.meta.url));

/** Measures every API in one run: both servers and the client are processes of their own. */
export async function measureSimulator({ seed, quick, progress }: Effort): Promise<Reading[]> {
  const [judged, bare] = await Promise.all([startServer('judged'), startServer('bare')]);
  try {
    const ports = { judged: judged.port, bare: bare.port };
    const rounds = { most: 200, budgetMs: quick ? 2_000 : 8_000 };
    const readings: Reading[] = [];
    for (const api of ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const) {
      progress(`judged requests, ${api}`);
      readings.push(...(await runJob('simulator', { api, seed, ports, rounds })));
    }
    return readings;
  } finally {
    await Promise.all([judged.stop(), bare.stop()]);
  }
}

async function startServer(kind: ServerKind): Promise<{ port: number; stop: () => Promise<void> }> {
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
