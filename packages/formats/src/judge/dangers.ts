import type { Fault, FaultKind } from '../fault.ts';
import type { ToolSession } from '../session.ts';

/** What a tool does to a session that is damaged in a certain way, as soon as it starts or resumes it. */
export type Danger = {
  readonly does: 'deletes' | 'overwrites' | 'truncates' | 'forgets';
  /** One sentence on what the tool does. */
  readonly note: string;
};

type Row = Danger & { readonly tool: string; readonly faults: readonly FaultKind[]; readonly isHead?: true };

const UNREADABLE: readonly FaultKind[] = ['torn', 'not-json', 'nul', 'glued', 'bad-utf8', 'too-deep', 'too-long'];
const BROKEN_END: readonly FaultKind[] = ['no-final-newline', 'torn', 'nul', 'glued'];

/** Every row was seen with the real tool. The first row that fits counts. */
const ROWS: readonly Row[] = [
  {
    tool: 'gemini',
    faults: ['missing-head', 'bom', 'torn', 'not-json', 'nul', 'glued'],
    isHead: true,
    does: 'deletes',
    note: 'Gemini CLI deletes this file at its next start, whatever it is started for: its first line is not a header.',
  },
  {
    tool: 'cline',
    faults: ['torn', 'not-json', 'nul', 'unreadable', 'bad-record'],
    does: 'overwrites',
    note: 'Cline cannot parse this file: it starts with an empty history, and writes that over the file.',
  },
  {
    tool: 'kimi',
    faults: UNREADABLE,
    does: 'truncates',
    note: 'Kimi Code cuts this file at the first line that it cannot read. Only the first time it keeps a copy.',
  },
  {
    tool: 'kimi',
    faults: ['no-final-newline'],
    does: 'forgets',
    note: 'Kimi Code glues its next record to the last line, and drops both at the resume after that.',
  },
  {
    tool: 'pi',
    faults: ['lost-parent'],
    does: 'forgets',
    note: 'pi stops at the missing entry: it resumes without anything before that, and goes on from there.',
  },
  {
    tool: 'pi',
    faults: BROKEN_END,
    does: 'forgets',
    note: 'pi before 0.87 glues its next entry to the last line. The resume after that loses everything before it.',
  },
  {
    tool: 'qwen',
    faults: ['lost-parent', ...BROKEN_END, 'not-json'],
    does: 'forgets',
    note: 'Qwen Code loses everything before a record whose parent it cannot read, and goes on from there.',
  },
];

const isFirstLine = ({ place }: Fault): boolean => place.kind === 'line' && place.line === 1;

/** What the tool would do to a session with these faults on opening it; undefined when the session is safe from it. */
export function dangerOf({ tool, faults }: Pick<ToolSession, 'tool' | 'faults'>): Danger | undefined {
  const row = ROWS.find(
    (each) =>
      each.tool === tool &&
      faults.some((fault) => each.faults.includes(fault.kind) && (each.isHead !== true || isFirstLine(fault))),
  );
  return row === undefined ? undefined : { does: row.does, note: row.note };
}
