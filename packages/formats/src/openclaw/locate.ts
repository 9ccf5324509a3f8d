import { firstSet, type Root, type System } from '../system.ts';

/** A database for each agent, and the logs that were there before it. The program had other names until 2026. */
export function locate(system: System): Root[] {
  const moved = firstSet(system, 'OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR');
  const names = ['.openclaw', '.clawdbot', '.moltbot'];
  const homes = moved === undefined ? names.map((name) => system.join(system.home, name)) : [moved];
  return homes.flatMap((home) => {
    const folder = system.join(home, 'agents');
    return [
      { folder, files: '*/agent/openclaw-agent.sqlite' },
      { folder, files: '*/sessions/*.jsonl' },
    ];
  });
}
