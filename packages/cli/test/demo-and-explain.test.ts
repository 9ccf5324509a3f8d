import { readFileSync, readdirSync } from 'node:fs';

import { check, rules } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { demoSessions, rehearse } from '../src/commands/demo.ts';
import { linesOf } from '../src/commands/explain.ts';
import { examineDemo } from '../src/demo/show-tools.ts';
import { demoToolSessions } from '../src/demo/tool-sessions.ts';
import { fileRules } from '../src/files/file-rules.ts';
import { plain } from '../src/terminal/plain.ts';
import { version } from '../src/version.ts';
import { bundleCommand, createFolder, run } from './command.ts';

bundleCommand();

describe('the demo', () => {
  test.each(demoSessions)('$title: the simulator refuses it, and accepts it after the repair', (session) => {
    const { before, repaired, refusals } = rehearse(session);
    expect(before.verdict).toBe('broken');
    expect(before.findings.some(({ providerError }) => providerError !== undefined)).toBe(true);
    expect(repaired.report.repairs.length).toBeGreaterThan(0);
    expect(refusals.before.length).toBeGreaterThan(0);
    expect(refusals.after).toEqual([]);
    expect(check(repaired.output, session.dialect)).toMatchObject({ verdict: 'clean', findings: [] });
  });

  const folder = createFolder();

  test.each(demoToolSessions)(
    '$title: the doctor says $verdict, and the repaired request is accepted',
    async (demo) => {
      const { judged, refusals } = await examineDemo(demo, folder);
      expect([judged.tool, judged.judgement.verdict]).toEqual([demo.tool, demo.verdict]);
      expect(refusals.after).toBe(0);
      if (demo.verdict === 'refused') expect(refusals.before).toBeGreaterThan(0);
    },
  );

  test('shows the sessions of five tools, and leaves no file behind', async () => {
    const temporary = createFolder();
    const { code, stdout, stderr } = await run(['demo'], { env: { TMPDIR: temporary } });
    expect([code, stderr]).toEqual([0, '']);
    for (const { title, verdict } of demoToolSessions)
      expect(stdout).toMatch(new RegExp(`${title}\\n.*\\n${verdict} `));
    expect(new Set(demoToolSessions.map(({ tool }) => tool)).size).toBe(5);
    expect(stdout).toMatch(/^rethread reads the sessions that coding agents leave on your machine/);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('shows every history and names the next command', async () => {
    const { code, stdout, stderr } = await run(['demo', '--histories']);
    expect([code, stderr]).toEqual([0, '']);
    for (const { title } of demoSessions) expect(stdout).toContain(title);
    expect(stdout.match(/^repaired: the simulator accepts it/gm)).toHaveLength(demoSessions.length);
    expect(stdout.match(/^ +expected error: /gm)?.length).toBeGreaterThanOrEqual(demoSessions.length);
    expect(stdout).toMatch(/Next: npx rethread lists the sessions of your project; [^\n]+\n$/);
  });

  test('does not call a lossy repair complete', async () => {
    const { stdout } = await run(['demo', '--histories']);
    const lossy = stdout.split('\n\n').filter((shown) => shown.includes('(lossy)'));
    expect(lossy.length).toBeGreaterThan(0);
    for (const shown of lossy) expect(shown).not.toContain('100 %');
  });

  test('covers the four large provider APIs and two frameworks', () => {
    const shown = new Set(demoSessions.map(({ dialect }) => dialect));
    const apis = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'];
    expect([...shown].sort()).toEqual([...apis, 'ai-sdk-ui', 'pydantic-ai'].sort());
  });
});

describe('explain', () => {
  test('lists every rule', async () => {
    const { code, stdout } = await run(['explain']);
    expect(code).toBe(0);
    for (const { id } of [...rules(), ...fileRules]) expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
  });

  test.each([...rules(), ...fileRules])('tells about $id, whatever its examples hold', (rule) => {
    const [head, , summary] = linesOf(rule, { tone: (_, text) => text, width: undefined });
    expect(head).toBe(`${rule.id}: ${rule.title}`);
    expect(summary).toBe(rule.summary);
  });

  test('shows an example before and after', async () => {
    const { stdout } = await run(['explain', rules().find(({ id }) => id === 'call-without-result')?.id ?? '']);
    expect(stdout).toMatch(/^ {2}before:\n {4}\{/m);
    expect(stdout).toMatch(/^ {2}after the repair:\n {4}\{/m);
  });

  test('names what JSON has no form for', () => {
    const circular: Record<string, unknown> = { big: 1n, not: Number.NaN, call: () => 1, none: undefined };
    circular['self'] = [circular];
    Object.defineProperty(circular, 'bad', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    expect(plain(circular)).toEqual({
      big: '1n',
      not: '[NaN]',
      call: '[function]',
      none: '[undefined]',
      self: ['[circular]'],
      bad: '[unreadable]',
    });
  });

  test('gives it to machines', async () => {
    const [first] = rules();
    const one = await run(['explain', '--json', first?.id ?? 'none']);
    expect(JSON.parse(one.stdout)).toMatchObject({ id: first?.id, severity: first?.severity });
    const all = await run(['explain', '--json']);
    expect(JSON.parse(all.stdout)).toHaveLength(rules().length + fileRules.length);
  });

  test('names the nearest for a rule that is not there', async () => {
    const { code, stdout, stderr } = await run(['explain', 'torn-lst-line']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^rethread: there is no rule torn-lst-line; did you mean torn-last-line/);
  });
});

test('the version is that of the package', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(version).toBe(manifest.version);
  expect((await run(['--version'])).stdout).toBe(`${version}\n`);
});
