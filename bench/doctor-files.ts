import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const record = (uuid: string, parentUuid: string | null, message: object): string =>
  JSON.stringify({
    type: (message as { role: string }).role,
    uuid,
    parentUuid,
    cwd: '/project',
    sessionId: 's',
    message,
  });

/** A session of Claude Code with long results, each of which a summary stands for by the end. */
export function writeLargeSession(path: string, bytes: number, lineBytes: number): void {
  const file = openSync(path, 'w');
  const words = 'some words of a long file, '.repeat(Math.ceil(lineBytes / 27));
  let written = 0;
  for (let turn = 0; written < bytes; turn += 1) {
    const call = { type: 'tool_use', id: `toolu_${turn}`, name: 'Read', input: {} };
    const result = { type: 'tool_result', tool_use_id: `toolu_${turn}`, content: words };
    written += writeSync(
      file,
      `${record(`a${turn}`, `u${turn}`, { role: 'assistant', id: `m${turn}`, content: [call] })}\n`,
    );
    written += writeSync(file, `${record(`u${turn + 1}`, `a${turn}`, { role: 'user', content: [result] })}\n`);
  }
  const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null, sessionId: 's' };
  writeSync(file, `${JSON.stringify(boundary)}\n${record('u', 'b', { role: 'user', content: 'Go on.' })}\n`);
  closeSync(file);
}

/** Where some tools keep sessions below a home folder, and a small session of each. */
const kinds: readonly ((index: number) => readonly [path: string, lines: readonly string[]])[] = [
  (index) => [
    `.claude/projects/-p${index % 50}/${index}.jsonl`,
    [record('u', null, { role: 'user', content: `prompt ${index}` })],
  ],
  (index) => [
    `.codex/sessions/2026/11/01/rollout-${index}.jsonl`,
    [JSON.stringify({ timestamp: 't', type: 'session_meta', payload: { id: `${index}`, cwd: '/project' } })],
  ],
  (index) => [
    `.gemini/tmp/p/chats/session-${index}.jsonl`,
    [JSON.stringify({ sessionId: `${index}`, projectHash: 'h', startTime: 't', kind: 'main' })],
  ],
  (index) => [
    `.pi/agent/sessions/--p--/${index}.jsonl`,
    [JSON.stringify({ type: 'session', version: 3, id: `${index}`, timestamp: 't', cwd: '/project' })],
  ],
];

export function writeManySessions(home: string, count: number): void {
  const filler = JSON.stringify({ type: 'custom', text: 'words '.repeat(2_000) });
  for (let index = 0; index < count; index += 1) {
    const made = kinds[index % kinds.length]?.(index);
    if (made === undefined) continue;
    const [path, lines] = made;
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), `${[...lines, ...Array<string>(12).fill(filler)].join('\n')}\n`);
  }
}
