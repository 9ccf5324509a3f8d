import { readdir } from 'node:fs/promises';

import { type Tools, tool } from '@rethread/agent';

import { below, openPlain } from './below.ts';

const longestFile = 100_000;
const mostEntries = 500;

interface Where {
  readonly path?: unknown;
}

const pathParameters = (description: string, required: readonly string[]): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties: { path: { type: 'string', description } },
  required,
});

/** What a model may do from a terminal without being asked: look, and nothing else. */
export function safeTools(folder: string): Tools {
  return {
    read_file: tool<Where>({
      description: 'Reads a text file below the working directory.',
      effect: 'read',
      parameters: pathParameters('Path from the working directory.', ['path']),
      run: ({ path }) => readText(folder, path),
    }),
    list_directory: tool<Where>({
      description: 'Lists a directory below the working directory; directories end with a slash.',
      effect: 'read',
      parameters: pathParameters('Path from the working directory, which is listed where nothing is said.', []),
      run: ({ path = '.' }) => listNames(folder, path),
    }),
    current_time: tool({
      description: 'The time of this machine, with its offset from UTC.',
      effect: 'read',
      parameters: { type: 'object', properties: {} },
      run: () => timeHere(new Date()),
    }),
  };
}

async function readText(folder: string, path: unknown): Promise<string> {
  const handle = await openPlain(await below(folder, path));
  try {
    const buffer = Buffer.alloc(longestFile);
    const { bytesRead } = await handle.read(buffer, 0, longestFile, 0);
    const { size } = await handle.stat();
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) throw new Error('that is no text file');
    const rest = size - bytesRead;
    return `${bytes.toString()}${rest > 0 ? `\n[${rest} more bytes]` : ''}`;
  } finally {
    await handle.close();
  }
}

async function listNames(folder: string, path: unknown): Promise<string> {
  const entries = await readdir(await below(folder, path), { withFileTypes: true });
  const names = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
  const rest = names.length - mostEntries;
  return [...names.slice(0, mostEntries), ...(rest > 0 ? [`[${rest} more]`] : [])].join('\n') || '[empty]';
}

function timeHere(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const local = new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
