import { firstSet, type Root, type System } from '../system.ts';

/** Where the program keeps its configuration, and the last run; batches are written where the user says. */
export function locate(system: System): Root[] {
  const { platform, home, join } = system;
  const config =
    platform === 'win32'
      ? join(firstSet(system, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'mini-swe-agent', 'mini-swe-agent')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support', 'mini-swe-agent')
        : join(firstSet(system, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'mini-swe-agent');
  return [{ folder: firstSet(system, 'MSWEA_GLOBAL_CONFIG_DIR') ?? config, files: '*.traj.json' }];
}
