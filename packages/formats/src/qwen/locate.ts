import { firstSet, type Root, type System } from '../system.ts';

/** One folder for each working directory below `projects`, and `tmp` until 2026. `QWEN_RUNTIME_DIR` moves both. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'QWEN_RUNTIME_DIR', 'QWEN_HOME') ?? system.join(system.home, '.qwen');
  return ['projects', 'tmp'].flatMap((name) => {
    const folder = system.join(home, name);
    return [
      { folder, files: '*/chats/*.jsonl' },
      { folder, files: '*/chats/archive/*.jsonl' },
      { folder, files: '*/subagents/*/*.jsonl' },
    ];
  });
}
