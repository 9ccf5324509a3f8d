import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { repair } from '@rethread/core';
import { judge } from '@rethread/simulator';

import { repairText, survivalText } from '../doctor/session-text.ts';
import { happened, verdictTones } from '../doctor/session-words.ts';
import { plural } from '../plural.ts';
import { type JudgedSession, type OfTool, judgeOpened, openNamed } from '../sessions/judged-session.ts';
import type { Output } from '../terminal/output.ts';
import { visible } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { type DemoToolSession, demoToolSessions } from './tool-sessions.ts';

const label = 11;

/** Sessions that were written to just now would be told of as running. */
const longAgo = new Date('2026-11-01T10:00:00Z');

export interface Examined {
  readonly judged: JudgedSession;
  /** How often the simulator, which shares no code with our rules, refuses the request before and after a repair. */
  readonly refusals: { readonly before: number; readonly after: number };
}

async function refusalsOf(session: OfTool): Promise<Examined['refusals']> {
  const { messages, dialect, model } = await session.active();
  const target = { dialect, ...(model === undefined ? {} : { model }) };
  const about = model === undefined ? {} : { model };
  const { output } = repair(messages, target);
  return { before: judge(dialect, messages, about).length, after: judge(dialect, output, about).length };
}

/** Writes a session of the demo to a folder, and judges it as the doctor does. */
export async function examineDemo({ file, content, title }: DemoToolSession, folder: string): Promise<Examined> {
  const path = join(folder, file);
  writeFileSync(path, content);
  utimesSync(path, longAgo, longAgo);
  const named = { name: file, path };
  const session = await openNamed(named);
  if (session === undefined) throw new Error(`the demo session "${title}" is recognised`);
  return { judged: await judgeOpened(named, session, {}), refusals: await refusalsOf(session) };
}

function print({ judged, refusals }: Examined, output: Output): void {
  const { judgement } = judged;
  const line = (name: string, text: string): void => output.print(name.padEnd(label) + wrap(text, label, output.width));
  const verdict = output.tone(verdictTones[judgement.verdict], judgement.verdict.padEnd(label));
  output.print(verdict + wrap(visible(happened(judged)), label, output.width));
  line('survival', survivalText(judged));
  if (judgement.repair !== undefined) {
    line('repair', repairText(judgement.repair));
    const refused = plural(refusals.before, 'reason');
    const outcome = refusals.after === 0 ? 'accepts the repaired request' : 'refuses the repaired request, too';
    line('checked', `our simulator of the API refuses the request for ${refused}, and ${outcome}.`);
  }
  output.print('');
}

/** Shows what the doctor says of five sessions that tools have left behind; gives how many were as expected. */
export async function showTools(output: Output): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-demo-'));
  try {
    let good = 0;
    for (const [index, session] of demoToolSessions.entries()) {
      const examined = await examineDemo(session, folder);
      output.print(output.tone('bold', `${index + 1}. ${session.title}`));
      output.print(wrap(session.story, 0, output.width));
      print(examined, output);
      const { judged, refusals } = examined;
      if (judged.judgement.verdict === session.verdict && refusals.after === 0) good += 1;
    }
    return good;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
