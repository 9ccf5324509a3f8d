import { firstSet, type Root, type System } from '../system.ts';

/** A folder for each session with the log of its events; before 2026 a file for each. */
export function locate(system: System): Root[] {
  const state = firstSet(system, 'XDG_STATE_HOME');
  const home = firstSet(system, 'COPILOT_HOME') ?? system.join(state ?? system.home, '.copilot');
  return [
    { folder: system.join(home, 'session-state'), files: '*/events.jsonl' },
    { folder: system.join(home, 'session-state'), files: '*.jsonl' },
    { folder: system.join(home, 'history-session-state'), files: '*.json' },
  ];
}
