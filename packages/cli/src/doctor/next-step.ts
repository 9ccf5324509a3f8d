import { shellName, shellWord, visible } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { hindrance } from './examine.ts';
import type { DoctorJob } from './job.ts';
import { type Examined, isHealthy, isRefused } from './outcome.ts';

/** Longer words of a provider are left to be pasted again. */
const longestRefusal = 200;

function option(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  return ` ${name} ${(value.startsWith('-') ? undefined : shellWord(value)) ?? '<text>'}`;
}

/** What was chosen for this run, to be chosen again: another model, or another dialect, would be another repair. */
function chosen({ target, policy, force, refusalGiven }: DoctorJob): string {
  const words = refusalGiven !== undefined && refusalGiven.length > longestRefusal ? '\n' : refusalGiven;
  return [
    policy === 'discard' ? ' --policy discard' : '',
    option('--model', target.model),
    option('--dialect', target.dialect),
    option('--as', target.purpose),
    option('--refusal', words),
    force ? ' --force' : '',
  ].join('');
}

/** A command is printed on one line however narrow the terminal is, because it is there to be copied. */
const held = '\u0000';
const asOne = (command: string): string => command.replaceAll(' ', held);

function afterRefusal({ name, examination }: Examined): string {
  const note = examination.repaired?.report.refusal?.note ?? '';
  if (!note.startsWith('compact')) return `Nothing was changed. Next: ${visible(note)}.`;
  const file = name === 'standard input' ? '<file>' : shellName(name);
  return `Nothing was changed. Next: ${asOne(`rethread compact ${file}`)} makes it shorter.`;
}

/** Without its dialect, the next run would judge by the rules of another, and perhaps repair it again. */
function dialectLost({ showsAs, examination }: Examined): string {
  if (showsAs === undefined) return '';
  const name = asOne(`--dialect ${examination.report.dialect}`);
  return `What is left looks like ${showsAs}: from now on name its dialect with ${name}. `;
}

function sentence(examined: Examined, job: DoctorJob): string {
  const { name, backup, refused, examination } = examined;
  if (backup !== undefined) {
    const command = `rethread doctor --undo ${shellName(name)}`;
    return `${dialectLost(examined)}The original is in ${visible(backup)}. To take it back: ${asOne(command)}`;
  }
  if (examined.written !== undefined) return `The repaired history is in ${visible(examined.written)}.`;
  if (isRefused(examined)) return afterRefusal(examined);
  const refusal = examination.repaired?.report.refusal;
  if (isHealthy(examined) && refusal !== undefined)
    return 'Nothing was changed: by the rules this history can be sent.';
  if (isHealthy(examined)) return 'Nothing to do: this history can be sent as it is.';
  const reason = refused ?? hindrance(examination);
  const advice = visible(examination.repaired?.report.next ?? '');
  if (reason !== undefined)
    return `${refused === undefined ? '--fix would write' : 'Wrote'} nothing: ${reason}. ${advice}`.trim();
  const isInput = name === 'standard input';
  const file = isInput ? '<file>' : shellName(examined.linksTo ?? name);
  const command = asOne(`rethread doctor --fix${chosen(job)} ${file}`);
  const what = examination.repaired?.report.verdict === 'salvaged' ? 'what can be kept of it' : 'the repaired history';
  if (isInput) return `Next: the same command with ${asOne('--out <file>')} writes ${what} to that file.`;
  return `Next: ${command} writes ${what} and keeps a backup.`;
}

/** One sentence on how to go on, with the command that does it. */
export function nextStep(examined: Examined, job: DoctorJob, width: number | undefined): string {
  return wrap(sentence(examined, job), 0, width).replaceAll(held, ' ');
}
