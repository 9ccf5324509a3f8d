import { createFaultLog, type Fault } from './fault.ts';
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
  /** Called with what is wrong with files that were looked at. */
  readonly onFault?: (fault: Fault) => void;
};

/** Finds the sessions of every tool on this system, the newest first. It reads the head and the tail of a file only. */
export async function* sessions(options: SessionsOptions = {}): AsyncGenerator<SessionRef> {
  const { onFault = () => undefined } = options;
  const system = describeSystem(options.system);
  const wanted = tools.filter(({ id }) => options.tools?.includes(id) ?? true);
  const candidates: (Candidate & { readonly tool: Tool })[] = [];
  for (const tool of wanted) {
    const lists = await Promise.all(tool.locate(system).map(findFiles));
    const byPath = new Map(lists.flat().map((each) => [each.path, each]));
    for (const each of byPath.values()) candidates.push({ ...each, tool });
  }
  candidates.sort((a, b) => b.modified - a.modified);
  for (const { path, tool } of candidates) {
    const faults = createFaultLog();
    yield* await headsOf(path, tool, faults);
    for (const fault of faults.list()) onFault(fault);
  }
}

async function headsOf(path: string, tool: Tool, faults: ReturnType<typeof createFaultLog>): Promise<SessionRef[]> {
  const sample = await takeSample(path, faults);
  if (sample === undefined) return [];
  const { modified, bytes } = sample;
  try {
    if (!tool.detect(sample)) {
      faults.add('unknown-format', wholeFile(path), `${tool.name} keeps its sessions here, but this file is none.`);
      return [];
    }
    const heads = tool.heads(sample).map((head) => ({ modified, ...head, tool: tool.id, path, bytes }));
    return heads.sort((a, b) => b.modified - a.modified);
  } catch {
    faults.add('reader-failed', wholeFile(path), `The reader for ${tool.name} failed on this file.`);
    return [];
  } finally {
    sample.database?.close();
  }
}
