import { firstSet, type Root, type System } from '../system.ts';

/** `CODEX_HOME` moves everything. Archived sessions lie in a folder of their own, without dates. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'CODEX_HOME') ?? system.join(system.home, '.codex');
  return [
    { folder: system.join(home, 'sessions'), files: '**/rollout-*' },
    { folder: system.join(home, 'archived_sessions'), files: '**/rollout-*' },
  ];
}
