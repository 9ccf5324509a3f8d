import type { SessionVerdict } from '@rethread/formats';

/** A session as a tool leaves it behind, made by us. */
export interface DemoToolSession {
  readonly title: string;
  readonly story: string;
  readonly tool: string;
  /** The name of its file. */
  readonly file: string;
  readonly verdict: SessionVerdict;
  readonly content: string;
}

type Fields = Readonly<Record<string, unknown>>;

const linesOf = (records: readonly Fields[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

const cwd = '/parser';

function claude(uuid: string, parentUuid: string | null, message: Fields): Fields {
  const sessionId = 'de300001-0000-4000-8000-000000000001';
  return { type: message['role'], uuid, parentUuid, isSidechain: false, cwd, sessionId, version: '2.1.80', message };
}

const claudeCode = linesOf([
  claude('u1', null, { role: 'user', content: 'Why does the parser fail on empty input?' }),
  claude('a1', 'u1', {
    role: 'assistant',
    id: 'msg_1',
    model: 'claude-sonnet-4-5',
    // A gateway has passed on the reasoning of another model, which has no signature.
    content: [
      { type: 'thinking', thinking: 'The loop reads one token too many.' },
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'parser.ts' } },
    ],
  }),
  claude('u2', 'a1', {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'export function parse(input) { … }' }],
  }),
]);

const item = (ordinal: number, payload: Fields): Fields => ({
  timestamp: `2026-11-01T10:00:0${ordinal}.000Z`,
  ordinal,
  type: 'response_item',
  payload,
});

const reply = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Three tests fail.', annotations: [] }],
};

const codex = linesOf([
  {
    timestamp: '2026-11-01T10:00:00.000Z',
    ordinal: 0,
    type: 'session_meta',
    payload: { id: 'de300002-0000-7000-8000-000000000002', timestamp: '2026-11-01T10:00:00.000Z', cwd },
  },
  item(1, { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run the tests.' }] }),
  item(2, reply),
  item(2, reply),
]);

const gemini = linesOf([
  { id: 'u1', timestamp: '2026-11-01T10:00:01.000Z', type: 'user', content: [{ text: 'Explain the build.' }] },
  { id: 'g1', timestamp: '2026-11-01T10:00:02.000Z', type: 'gemini', content: 'It has two steps.', model: 'gemini-3' },
  { $set: { lastUpdated: '2026-11-01T10:00:02.500Z' } },
]);

const piEntry = (id: string, parentId: string | null, message: Fields): Fields => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-11-01T10:00:00.000Z',
  message,
});

const piAnswer = { role: 'assistant', api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' };

const pi = linesOf([
  { type: 'session', version: 3, id: 'de300004-0000-7000-8000-000000000004', timestamp: '2026-11-01T10:00:00Z', cwd },
  piEntry('e1', null, { role: 'user', content: [{ type: 'text', text: 'Plan the migration to the new store.' }] }),
  piEntry('e2', 'e1', { ...piAnswer, content: [{ type: 'text', text: 'First the schema, then the data.' }] }),
  // The entry e3 was in a block that a power cut has left unwritten.
  piEntry('e4', 'e3', { role: 'user', content: [{ type: 'text', text: 'Go on.' }] }),
]);

const opencode = JSON.stringify({
  info: {
    id: 'ses_de3000050000000000000000',
    projectID: 'global',
    directory: cwd,
    title: 'Delete the old logs',
    version: '1.18.33',
    time: { created: 1_793_527_200_000, updated: 1_793_527_204_000 },
  },
  messages: [
    {
      info: {
        id: 'msg_1',
        sessionID: 'ses_de3000050000000000000000',
        role: 'user',
        time: { created: 1_793_527_200_000 },
      },
      parts: [{ id: 'prt_1', type: 'text', text: 'Delete the old logs.' }],
    },
    {
      info: {
        id: 'msg_2',
        sessionID: 'ses_de3000050000000000000000',
        role: 'assistant',
        parentID: 'msg_1',
        time: { created: 1_793_527_201_000 },
        providerID: 'anthropic',
        modelID: 'claude-sonnet-4-5',
      },
      parts: [
        {
          id: 'prt_2',
          type: 'tool',
          tool: 'bash',
          callID: 'toolu_1',
          state: { status: 'running', input: { command: 'rm logs/*' }, time: { start: 1_793_527_201_500 } },
        },
      ],
    },
  ],
});

/** One session of each of five tools, the worst first. */
export const demoToolSessions: readonly DemoToolSession[] = [
  {
    title: 'Gemini CLI: the first line is gone',
    story: 'A power cut left the beginning of the file unwritten. All messages are still there.',
    tool: 'gemini',
    file: 'session-2026-11-01T10-00-de300003.jsonl',
    verdict: 'endangered',
    content: gemini,
  },
  {
    title: 'pi: a record in the middle is gone',
    story: 'Each entry names its parent. One of them is missing, so nothing leads to what stands before it.',
    tool: 'pi',
    file: '2026-11-01_de300004.jsonl',
    verdict: 'endangered',
    content: pi,
  },
  {
    title: 'Codex: a record stands twice',
    story: 'Two processes wrote at the same time. The answer and its number are there twice.',
    tool: 'codex',
    file: 'rollout-2026-11-01T10-00-00-de300002-0000-7000-8000-000000000002.jsonl',
    verdict: 'hidden',
    content: codex,
  },
  {
    title: 'Claude Code: reasoning of another model',
    story: 'A gateway sent part of the session to another model, whose reasoning has no signature.',
    tool: 'claude-code',
    file: 'de300001-0000-4000-8000-000000000001.jsonl',
    verdict: 'refused',
    content: claudeCode,
  },
  {
    title: 'opencode: killed while a tool ran',
    story: 'The process was killed between a call and its result.',
    tool: 'opencode',
    file: 'session.json',
    verdict: 'healthy',
    content: opencode,
  },
];
