import { createFaultLog, type FaultLog } from './fault.ts';
import { takeSample, type Sample } from './files/sample.ts';
import { wholeFile } from './place.ts';
import type { Reading, SessionRef, ToolSession } from './session.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools.ts';

/** Which session to open: a file, and one of its sessions by id where it holds several. */
export type Wanted = string | Pick<SessionRef, 'path'> | Pick<SessionRef, 'path' | 'id'>;

export type OpenOptions = {
  /** Called with the number of bytes of a log each time that some have been read. */
  readonly onRead?: (bytes: number) => void;
};

/** Says which tool wrote a file; undefined when none that is known here did. */
export const toolOf = (sample: Sample): Tool | undefined => tools.find((tool) => detects(tool, sample));

/**
 * Opens a session by its path, or as `sessions` found it. It always succeeds: `faults` says what could not be read, and
 * a file of no tool known here gives a session without a tool.
 */
export async function openSession(wanted: Wanted, { onRead }: OpenOptions = {}): Promise<ToolSession> {
  const { path, id } = typeof wanted === 'string' ? { path: wanted, id: undefined } : { id: undefined, ...wanted };
  const faults = createFaultLog(onRead);
  const sample = await takeSample(path, faults);
  try {
    const tool = sample === undefined ? undefined : toolOf(sample);
    if (sample !== undefined && tool === undefined) {
      faults.add('unknown-format', wholeFile(path), 'No tool that is known here writes files like this one.');
    }
    if (sample === undefined || tool === undefined) return toSession(path, UNREADABLE, { faults });
    const source = { path, sample, faults, ...(id === undefined ? {} : { session: id }) };
    return toSession(path, await readSafely(tool, source), { faults, tool });
  } finally {
    sample?.database?.close();
  }
}

type Context = { readonly faults: FaultLog; readonly tool?: Tool };

const toSession = (path: string, reading: Reading, { faults, tool }: Context): ToolSession => ({
  ...reading,
  path,
  get faults() {
    return faults.list();
  },
  ...(tool === undefined ? {} : { tool: tool.id }),
});

/** Sessions are hostile input: a reader that fails is our fault, and must not be the end of whoever reads them all. */
async function readSafely(tool: Tool, source: Parameters<Tool['read']>[0]): Promise<Reading> {
  const { faults, path } = source;
  const fail = (): void =>
    faults.add('reader-failed', wholeFile(path), `The reader for ${tool.name} failed on this file.`);
  try {
    const reading = await tool.read(source);
    const active = async (): ReturnType<Reading['active']> => {
      try {
        return await reading.active();
      } catch {
        fail();
        return UNREADABLE.active();
      }
    };
    return { ...reading, active };
  } catch {
    fail();
    return UNREADABLE;
  }
}

function detects(tool: Tool, sample: Sample): boolean {
  try {
    return tool.detect(sample);
  } catch {
    return false;
  }
}

async function* nothing(): AsyncGenerator<never> {
  // There is nothing to read.
}

const UNREADABLE: Reading = {
  times: {},
  models: [],
  related: [],
  entries: nothing,
  active: () =>
    Promise.resolve({ dialect: 'anthropic-messages', messages: [], places: [], absent: [], copes: [] } as const),
};
