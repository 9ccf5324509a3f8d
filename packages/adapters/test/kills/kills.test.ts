import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { killOften } from './kill-often.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-framework-kills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['ai-sdk', 'langgraph', 'openai-agents'] as const)(
  '%s: killed five times, errands finish: nothing shown is lost, nothing refused, nothing done twice',
  async (framework) => {
    const tally = await killOften({ framework, store: `file:${join(folder, framework)}`, seed: 11, kills: 5 });
    process.stdout.write(`${framework}: ${JSON.stringify(tally)}\n`);
    expect(tally).toMatchObject({ kills: 5, refused: [] });
  },
  300_000,
);
