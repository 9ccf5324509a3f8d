import { readFileSync } from 'node:fs';
import { query } from '../packages/store/test/postgres-server.ts';

/** Milliseconds of processor time: of this process, and of all processes of a database server on this machine. */
export type Spent = { readonly client: number; readonly server: number };

/** Linux counts the time of a process in hundredths of a second. */
const tickMs = 10;

function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may hold spaces, and ends with the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    // It ended in the meantime, or this system tells nobody.
    return 0;
  }
}

/** What each process of the server has spent, without the one that tells. */
async function serverMs(server: string): Promise<ReadonlyMap<number, number>> {
  const rows = await query(server, 'select pid from pg_stat_activity where pid <> pg_backend_pid()');
  return new Map(rows.map(({ pid }) => [Number(pid), processorMs(Number(pid))]));
}

/** Does something, and tells what was spent on it on either side. */
export async function spendOn<T>(server: string, work: () => Promise<T>): Promise<{ result: T; spent: Spent }> {
  const before = await serverMs(server);
  const usage = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(usage);
  const after = await serverMs(server);
  const ofServer = [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
  return { result, spent: { client: (user + system) / 1_000, server: ofServer } };
}

export const plus = (a: Spent | undefined, b: Spent): Spent => ({
  client: (a?.client ?? 0) + b.client,
  server: (a?.server ?? 0) + b.server,
});
