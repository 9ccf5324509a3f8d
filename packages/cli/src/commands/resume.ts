import type { Command } from 'commander';

import type { ResumeFlags } from '../chat/resume.ts';
import type { Shell } from '../shell.ts';
import { onStore } from '../store/store-command.ts';
import { withAgentOptions } from './chat.ts';

/** `rethread resume`: recovers a session that was cut off, and brings its last turn to an end. */
export function addResume(program: Command, shell: Shell): void {
  const command = program
    .command('resume')
    .summary('finish a session that was cut off')
    .description(
      'Recover a session that was cut off: say what was unsettled, settle it, and bring the last turn to its end.',
    )
    .argument('<session>', 'the id of a session, or the last one as: last')
    .option(
      '--unsettled <choice>',
      'what becomes of calls that may have run: close, remove or re-execute. Without it their tools decide, and a person at a terminal is asked about the rest',
    );
  onStore<ResumeFlags>(withAgentOptions(command), shell, async (desk, id = '') => {
    const { resume } = await import('../chat/resume.ts');
    return resume(desk, id);
  });
}
