import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../../formats/src/', import.meta.url));

/** Where each tool keeps its sessions below a home folder, and the fixture of its format. */
const FIXTURES = {
  'claude-code': ['.claude/projects/-project/5e551011-0000-4000-8000-000000000001.jsonl', 'parallel-calls.jsonl'],
  codex: [
    '.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-01990000-0000-7000-8000-000000000001.jsonl',
    'rollout-2026-11-01T10-00-00-01990000-0000-7000-8000-000000000001.jsonl',
  ],
  gemini: ['.gemini/tmp/00ff/chats/session-2026-11-01T10-00-0a1b2c3d.jsonl', 'session-2026-11-01T10-00-0a1b2c3d.jsonl'],
  pi: ['.pi/agent/sessions/--project--/session.jsonl', 'session.jsonl'],
} as const;

/** The same as pairs: a place below a home folder, and the fixture that belongs there. */
export const FIXTURE_FILES: readonly (readonly [place: string, fixture: string])[] = Object.entries(FIXTURES).map(
  ([tool, [place, name]]) => [place, join(fixtures, tool, 'fixtures', name)],
);

/** A home folder with sessions in it. */
export type Home = {
  readonly folder: string;
  /** Writes a session of Claude Code some hours ago, and gives its path. */
  write(name: string, text: string, hoursAgo?: number): string;
  remove(): void;
};

export function makeHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-inspector-'));
  return {
    folder,
    write(name, text, hoursAgo = 0) {
      const path = join(folder, '.claude/projects/-project', `${name}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      const time = Date.now() / 1000 - hoursAgo * 3600;
      utimesSync(path, time, time);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Copies the fixture of every format to where its tool would keep it; two hours lie between one and the next. */
export function addFixtures({ folder }: Home): void {
  for (const [index, [place, fixture]] of FIXTURE_FILES.entries()) {
    const path = join(folder, place);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(fixture, path);
    const time = Date.now() / 1000 - (index + 1) * 7200;
    utimesSync(path, time, time);
  }
}

/** Records of Claude Code, each after the one before it. */
export class ClaudeLog {
  readonly #records: object[] = [];
  #last: string | null = null;
  #time = Date.parse('2026-11-02T09:00:00Z');

  get text(): string {
    return this.#records.map((record) => `${JSON.stringify(record)}\n`).join('');
  }

  record(record: object): this {
    this.#records.push(record);
    return this;
  }

  user(content: unknown, more: object = {}): this {
    return this.#said('user', { role: 'user', content }, more);
  }

  answer(content: readonly object[], more: object = {}): this {
    const id = `msg_${this.#records.length}`;
    const usage = { input_tokens: 900 + this.#records.length * 40, cache_read_input_tokens: 600, output_tokens: 120 };
    return this.#said('assistant', { id, role: 'assistant', model: 'claude-sonnet-4-5', content, usage }, more);
  }

  results(...results: readonly (readonly [id: string, text: unknown, isError?: boolean])[]): this {
    const parts = results.map(([id, content, isError]) => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...(isError === true ? { is_error: true } : {}),
    }));
    return this.user(parts);
  }

  compaction(): this {
    const uuid = this.#next();
    this.#records.push({ type: 'system', subtype: 'compact_boundary', parentUuid: null, uuid, ...this.#common() });
    this.#last = uuid;
    return this;
  }

  #said(type: string, message: object, more: object): this {
    const uuid = this.#next();
    this.#records.push({ parentUuid: this.#last, isSidechain: false, type, message, uuid, ...this.#common(), ...more });
    this.#last = uuid;
    return this;
  }

  #next(): string {
    return `u${this.#records.length}`;
  }

  #common(): object {
    this.#time += 4000;
    const timestamp = new Date(this.#time).toISOString();
    return {
      cwd: '/home-of/weather-station',
      sessionId: '5e551011-0000-4000-8000-00000000000a',
      version: '2.1.80',
      timestamp,
    };
  }
}

export const call = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
export const text = (words: string): object => ({ type: 'text', text: words });

/** A picture of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const RED = '\u001B[31m';
const PLAIN = '\u001B[0m';

/** A session with everything that a timeline has to show. */
export function everything(): string {
  const log = new ClaudeLog();
  log
    .user('Before the compaction: set up the weather station.')
    .answer([text('It is set up.')])
    .compaction()
    .user('This session is being continued. Summary: the weather station is set up.', { isCompactSummary: true })
    .user('Why do the tests of the rain gauge fail?')
    .answer([
      {
        type: 'thinking',
        thinking: 'The gauge counts tips.\nI should look at the driver and at its tests.',
        signature: 'c2ln',
      },
      text('I look at the driver and run its tests at the same time.\n\n```ts\nconst tips = 3;\n```\n'),
      call('toolu_1', 'Read', { file_path: 'src/gauge.ts' }),
      call('toolu_2', 'Bash', { command: 'npm test -- gauge' }),
    ])
    .results(
      ['toolu_1', 'export const mmPerTip = 0.2;\n'],
      ['toolu_2', `${RED}FAIL${PLAIN} gauge.test.ts\n  expected 0.6, got 0.60000001\n`, true],
    )
    .answer([
      text('The sum is not rounded.'),
      call('toolu_3', 'Edit', {
        file_path: 'src/gauge.ts',
        old_string: 'return tips * mmPerTip;\n// end',
        new_string: 'return Math.round(tips * mmPerTip * 10) / 10;\n// end',
      }),
    ])
    .results(['toolu_3', 'The file src/gauge.ts has been updated.'])
    .user([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      text('This is the plot.'),
    ])
    .answer([text('The plot looks right now.'), call('toolu_4', 'Bash', { command: 'npm run watch' })])
    .user([text('[Request interrupted by user for tool use]')])
    .user('Never mind the watcher. Commit it.')
    .record({
      type: 'ai-title',
      aiTitle: 'Rounding in the rain gauge',
      sessionId: '5e551011-0000-4000-8000-00000000000a',
    });
  return log.text;
}

/** A session that the provider refuses: an id that its pattern does not allow, which Claude Code does not mend. */
export function refused(): string {
  return new ClaudeLog()
    .user('List the sensors.')
    .answer([call('functions.list:0', 'Bash', { command: 'ls sensors' })])
    .results(['functions.list:0', 'rain\nwind\n'])
    .answer([text('There are two sensors.')])
    .record({ type: 'ai-title', aiTitle: 'List of sensors', sessionId: '5e551011-0000-4000-8000-00000000000a' }).text;
}

/** A session with many turns. */
export function long(turns: number): string {
  const log = new ClaudeLog();
  for (let turn = 1; turn <= turns; turn += 1) {
    log
      .user(`Question ${turn}`)
      .answer([
        text(`I look.\n${'A line of the answer.\n'.repeat(turn % 9)}`),
        call(`toolu_${turn}`, 'Bash', { command: `echo ${turn}` }),
      ])
      .results([`toolu_${turn}`, `${turn}\n`.repeat((turn % 5) + 1)])
      .answer([text(`Answer ${turn}`)]);
  }
  return log.text;
}
