import { firstSet, type Root, type System } from '../system.ts';

/** A folder for each conversation: of the present program with its state, of the older one with its events. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'OPENHANDS_PERSISTENCE_DIR') ?? system.join(system.home, '.openhands');
  return [
    { folder: system.join(home, 'conversations'), files: '*/base_state.json' },
    { folder: system.join(home, 'sessions'), files: '*/events/0.json' },
  ];
}
