import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { judgeSession, openSession, RUNNING_MS, type JudgeOptions, type Judgement } from '../../src/index.ts';
import { lines, temporaryFolder } from '../temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8');

const geminiLog = fixture('gemini/fixtures/session-2026-11-01T10-00-0a1b2c3d.jsonl');
const claudeLog = fixture('claude-code/fixtures/parallel-calls.jsonl');
const piLog = fixture('pi/fixtures/session.jsonl');

const judge = async (content: string | Uint8Array, options?: JudgeOptions): Promise<Judgement> => {
  const folder = temporaryFolder({ 'session.jsonl': content });
  return judgeSession(await openSession(join(folder, 'session.jsonl')), options);
};

const rulesOf = ({ findings }: Judgement): string[] => findings.map(({ rule }) => rule);

const claude = (uuid: string, parentUuid: string | null, message: Fields): Fields => {
  const type = message['role'];
  return { uuid, parentUuid, type, message, isSidechain: false, cwd: '/project', sessionId: 's1', version: '2.1.80' };
};
const asks = (uuid: string, parent: string | null, content: unknown): Fields =>
  claude(uuid, parent, { role: 'user', content });
const answers = (uuid: string, parent: string, content: readonly object[]): Fields =>
  claude(uuid, parent, { role: 'assistant', id: `msg_${uuid}`, model: 'claude-sonnet-4-5', content });
const text = (said: string): object[] => [{ type: 'text', text: said }];

describe('the verdict', () => {
  test('of a session that its tool will go on with is healthy, and all of it survives', async () => {
    const judged = await judge(claudeLog);
    expect(judged).toMatchObject({ verdict: 'healthy', verdicts: ['healthy'], turns: 1, survival: { share: 1 } });
    expect(judged.repair).toBeUndefined();
  });

  test('is endangered when the tool deletes the file at its next start', async () => {
    const judged = await judge(`\u{FEFF}${geminiLog}`);
    expect(judged.verdict).toBe('endangered');
    expect(judged.danger).toMatchObject({ does: 'deletes' });
  });

  test('is endangered when the tool would glue its next record to the last one', async () => {
    const judged = await judge(piLog.trimEnd());
    expect(judged.verdict).toBe('endangered');
    expect(judged.danger).toMatchObject({ does: 'forgets' });
    expect(await judge(piLog)).toMatchObject({ verdict: 'healthy' });
  });

  test('is hidden when the tool stops at a missing parent, and the survival figure says how much', async () => {
    const before = [asks('u1', null, 'a'.repeat(300)), answers('a1', 'u1', text('b'.repeat(300)))];
    const after = [asks('u2', 'gone', 'c'.repeat(100)), answers('a2', 'u2', text('d'.repeat(100)))];
    const judged = await judge(lines(...before, ...after));
    expect(judged.verdict).toBe('hidden');
    expect(judged.survival.absent).toMatchObject([{ reason: 'lost-parent', messages: 2 }]);
    expect(judged.survival.share).toBeGreaterThan(0.2);
    expect(judged.survival.share).toBeLessThan(0.4);
  });

  test('is not hidden when nothing stands before the missing parent', async () => {
    const judged = await judge(lines(asks('u2', 'gone', 'hello'), answers('a2', 'u2', text('hi'))));
    expect(judged.verdict).toBe('healthy');
    expect(rulesOf(judged)).toEqual(['lost-parent']);
  });

  test('is torn when a line cannot be read, and its bytes count as lost', async () => {
    const torn = `${JSON.stringify(answers('a1', 'u1', text('x'.repeat(400)))).slice(0, 300)}\n`;
    const judged = await judge(lines(asks('u1', null, 'hello')) + torn + lines(asks('u2', 'u1', 'hello again')));
    expect(judged.verdicts).toEqual(['torn']);
    expect(judged.findings[0]).toMatchObject({ rule: 'torn', places: [{ kind: 'line', line: 2 }] });
    expect(judged.survival.absent).toEqual([{ reason: 'torn', messages: 1, characters: 300 }]);
  });

  test('is refused when the provider would answer 400, in its words, with the repair and its price', async () => {
    const reasoning = { type: 'thinking', thinking: 'hm' };
    const judged = await judge(
      lines(
        asks('u1', null, 'hello'),
        answers('a1', 'u1', [reasoning, { type: 'tool_use', id: 't 1', name: 'run', input: {} }]),
        asks('u2', 'a1', [{ type: 'tool_result', tool_use_id: 't 1', content: 'done' }]),
      ),
    );
    expect(judged.verdict).toBe('refused');
    const malformed = judged.findings.find(({ rule }) => rule === 'call-id-malformed');
    expect(malformed?.expectedError).toMatch(/String should match pattern/);
    expect(malformed?.places).toMatchObject([{ line: 2 }]);
    expect(judged.repair).toMatchObject({ isSendable: true });
    expect(judged.repair?.repairs.map(({ rule }) => rule)).toContain('call-id-malformed');
  });

  test('is not refused for what the tool itself mends, and the finding says so', async () => {
    const call = { type: 'tool_use', id: 't1', name: 'run', input: {} };
    const judged = await judge(lines(asks('u1', null, 'hello'), answers('a1', 'u1', [call]), asks('u2', 'a1', 'so?')));
    expect(judged.verdict).toBe('healthy');
    expect(judged.findings).toMatchObject([{ rule: 'call-without-result', severity: 'rejected', copes: true }]);
    expect(judged.repair).toBeUndefined();
  });

  test('is heavy when one message is giant, or the window is nearly full', async () => {
    const giant = await judge(lines(asks('u1', null, 'x '.repeat(300_000))), { model: 'claude-sonnet-4-6' });
    expect([giant.verdict, ...rulesOf(giant)]).toEqual(['heavy', 'giant-message']);
    const turnsOf = (index: number): Fields[] => [
      asks(`u${index}`, index === 0 ? null : `a${index - 1}`, 'some words of a user '.repeat(2000)),
      answers(`a${index}`, `u${index}`, text('and of the model '.repeat(2000))),
    ];
    const full = await judge(lines(...Array.from({ length: 14 }, (_, index) => turnsOf(index)).flat()));
    expect([full.verdict, ...rulesOf(full)]).toEqual(['heavy', 'window-nearly-full']);
  });

  test('is running while the file was changed lately, or is held open', async () => {
    const now = Date.parse('2026-11-01T10:00:00Z');
    expect(await judge(claudeLog, { now, modified: now - 1000 })).toMatchObject({ verdict: 'running' });
    expect(await judge(claudeLog, { now, modified: now - RUNNING_MS })).toMatchObject({ verdict: 'healthy' });
    expect(await judge(claudeLog, { isOpen: true })).toMatchObject({ verdict: 'running' });
  });

  test('names the worst first when several hold', async () => {
    const now = Date.now();
    const judged = await judge(`${geminiLog.trimEnd().slice(1)}\n`, { now, modified: now });
    expect(judged.verdicts).toEqual(['endangered', 'hidden', 'torn', 'running']);
    expect(judged.verdict).toBe('endangered');
  });
});

test('a judgement is plain data', async () => {
  const judged = await judge(claudeLog);
  expect(structuredClone(judged)).toEqual(judged);
  expect(JSON.parse(JSON.stringify(judged))).toEqual(judged);
});

test('a session of which nothing can be read is judged all the same', async () => {
  expect(await judge('nothing\n')).toMatchObject({ messages: 0, survival: { share: 1, total: 0 } });
});
