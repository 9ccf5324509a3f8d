import { createFaultLog, type Fault } from './fault.ts';
import { fileStat } from './files/file-stat.ts';
import { findFiles, type Candidate } from './files/find-files.ts';
import { takeSample } from './files/sample.ts';
import { wholeFile } from './place.ts';
import type { SessionRef } from './session.ts';
import { describeSystem, type System } from './system.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools.ts';

export type SessionsOptions = {
  /** Only these tools, by their ids (default: all). */
  readonly tools?: readonly string[];
  /** Where to look (default: this system, its home folder and its environment). */
  readonly system?: Pick<System, 'platform' | 'home' | 'env'>;
  /** Remembers what files told, so that those which have not changed since are not read again. */
  readonly heads?: HeadCache;
  /** Called with what is wrong with files that were looked at. */
  readonly onFault?: (fault: Fault) => void;
};

/** What was found in files, by their path, size and time. */
export type HeadCache = {
  readonly get: (file: Candidate) => readonly SessionRef[] | undefined;
  readonly set: (file: Candidate, found: readonly SessionRef[]) => void;
};

/** A file where a tool keeps its sessions. */
type Found = Candidate & { readonly tool: Tool };

/** Finds the sessions of every tool on this system, the newest first. It reads the head and the tail of a file only. */
export async function* sessions(options: SessionsOptions = {}): AsyncGenerator<SessionRef> {
  const { onFault = () => undefined } = options;
  const system = describeSystem(options.system);
  const wanted = tools.filter(({ id }) => options.tools?.includes(id) ?? true);
  const files = (await Promise.all(wanted.map(async (tool) => filesOf(tool, system)))).flat();
  files.sort(newestFirst);
  // The sessions of a database are older than it is: newer ones of other files come before them.
  let waiting: SessionRef[] = [];
  for (const [index, file] of files.entries()) {
    const faults = createFaultLog();
    const known = options.heads?.get(file);
    const found = known ?? (await headsOf(file.path, file.tool, faults));
    // A file with faults is looked at again, so that they are told of again.
    if (known === undefined && faults.list().length === 0) options.heads?.set(file, found);
    waiting = [...waiting, ...found].sort(newestFirst);
    for (const fault of faults.list()) onFault(fault);
    const next = files[index + 1]?.modified ?? -Infinity;
    const ready = waiting.findIndex(({ modified }) => modified < next);
    yield* waiting.splice(0, ready === -1 ? waiting.length : ready);
  }
}

const newestFirst = (a: { readonly modified: number }, b: { readonly modified: number }): number =>
  b.modified - a.modified;

async function filesOf(tool: Tool, system: System): Promise<Found[]> {
  const lists = await Promise.all(tool.locate(system).map(findFiles));
  const byPath = new Map(lists.flat().map((file) => [file.path, file]));
  return Promise.all(Array.from(byPath.values(), async (file) => ({ ...file, modified: await lastWrite(file), tool })));
}

/** While a tool runs, its database stays as it is, and the log beside it grows. */
async function lastWrite({ path, modified }: Candidate): Promise<number> {
  const log = /\.(db|sqlite)$/.test(path) ? await fileStat(`${path}-wal`) : undefined;
  return Math.max(modified, log?.modified ?? 0);
}

async function headsOf(path: string, tool: Tool, faults: ReturnType<typeof createFaultLog>): Promise<SessionRef[]> {
  const sample = await takeSample(path, faults);
  if (sample === undefined) return [];
  const { modified, bytes } = sample;
  try {
    if (tool.detect(sample)) {
      return tool.heads(sample).map((head) => ({ modified, ...head, tool: tool.id, path, bytes }));
    }
    faults.add('unknown-format', wholeFile(path), `${tool.name} keeps its sessions here, but this file is none.`);
  } catch {
    faults.add('reader-failed', wholeFile(path), `The reader for ${tool.name} failed on this file.`);
  } finally {
    sample.database?.close();
  }
  return [];
}
