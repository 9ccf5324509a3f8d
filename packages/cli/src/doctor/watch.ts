import { setTimeout as sleep } from 'node:timers/promises';

import type { SessionVerdict } from '@rethread/formats';

import type { Row } from '../sessions/session-table.ts';
import { toolName } from '../sessions/tool-words.ts';
import { shareText } from '../terminal/amounts.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { verdictTones } from './session-words.ts';

/** What is told of a session as it changes. */
type Watched = Pick<Row, 'name' | 'path' | 'tool' | 'title' | 'verdict' | 'share' | 'id'>;

const pauseMs = 1000;

const keyOf = ({ path, id }: Watched): string => `${path} ${id ?? ''}`;

function lineOf(now: Watched, before: SessionVerdict | undefined, output: Output): string {
  const time = new Date().toTimeString().slice(0, 8);
  const verdict = output.tone(verdictTones[now.verdict], now.verdict);
  const change = before === undefined ? verdict : `${before} → ${verdict}`;
  const title = now.title === undefined ? '' : `  ${excerpt(now.title, 40)}`;
  const named = visible(`${toolName(now.tool)} ${now.name}`);
  return `${time}  ${change}, ${shareText(now.share)} sent  ${named}${title}`;
}

/** Looks at sessions again and again, and prints a line for each whose verdict has changed. It ends with Ctrl-C. */
export async function watch(look: () => Promise<readonly Watched[]>, output: Output): Promise<never> {
  const known = new Map<string, SessionVerdict>();
  for (;;) {
    for (const session of await look()) {
      const before = known.get(keyOf(session));
      if (before === session.verdict) continue;
      known.set(keyOf(session), session.verdict);
      output.print(lineOf(session, before, output));
    }
    await sleep(pauseMs);
  }
}
