import { firstSet, type Root, type System } from '../system.ts';

/** One folder for each project below `projects`; `CLAUDE_CONFIG_DIR` moves all of it, and may list several. */
export function locate(system: System): Root[] {
  const configured = firstSet(system, 'CLAUDE_CONFIG_DIR')?.split(',') ?? [
    system.join(system.home, '.claude'),
    system.join(firstSet(system, 'XDG_CONFIG_HOME') ?? system.join(system.home, '.config'), 'claude'),
  ];
  return configured.flatMap((folder) => [
    { folder: system.join(folder.trim(), 'projects'), files: '*/*.jsonl' },
    { folder: system.join(folder.trim(), 'projects'), files: '*/*/subagents/**/agent-*.jsonl' },
  ]);
}
