import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJob } from './child.ts';
import { writeLargeSession, writeManySessions } from './doctor-files.ts';
import type { Effort, Reading } from './measure.ts';
import { measureStart } from './package-cost.ts';

/** Judging one large session, listing many small ones, and starting the command. */
export async function measureDoctor({ quick, progress }: Effort): Promise<Reading[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-bench-'));
  try {
    progress('one large session');
    const large = await measureLarge(join(folder, 'large.jsonl'), quick ? 0.2e9 : 5e9);
    progress('many sessions');
    const count = quick ? 500 : 10_000;
    writeManySessions(folder, count);
    const list = await runJob('doctor', { kind: 'list', home: folder });
    const on = `${count} sessions of 4 tools`;
    progress('the start of the command');
    return [
      ...large,
      { target: 'headBytes', on, ours: list.readKb ?? Infinity },
      { target: 'firstRow', on, ours: list.firstMs ?? Infinity },
      { target: 'listAgain', on, ours: list.ms, peer: list.againMs ?? Infinity },
      ...(await measureStart(quick ? 3 : 20)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureLarge(path: string, bytes: number): Promise<Reading[]> {
  writeLargeSession(path, bytes, 20e6);
  const megabytes = statSync(path).size / 1e6;
  const on = `${Math.round(megabytes)} MB, lines of 20 MB`;
  const speed = async (kind: 'judge' | 'split' | 'parse'): Promise<{ speed: number; rssMb: number }> => {
    const { ms, rssMb } = await runJob('doctor', { kind, path });
    return { speed: (megabytes / ms) * 1e3, rssMb };
  };
  const [split, parse, ours] = [await speed('split'), await speed('parse'), await speed('judge')];
  return [
    { target: 'judgeSplit', on, ours: ours.speed, peer: split.speed },
    { target: 'judgeParse', on, ours: ours.speed, peer: parse.speed },
    { target: 'judgeMemory', on, ours: ours.rssMb },
  ];
}
