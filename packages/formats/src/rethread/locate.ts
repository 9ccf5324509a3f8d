import { firstSet, type Root, type System } from '../system.ts';

/** Stores are where a program says: `RETHREAD_STORE` names one, and this is the folder of its own tools. */
export function locate(system: System): Root[] {
  const named = /^(file|sqlite):(.+)$/.exec(firstSet(system, 'RETHREAD_STORE') ?? '');
  const home = system.join(system.home, '.rethread');
  const found = [
    { folder: home, files: '**/sessions/*/log.jsonl' },
    { folder: home, files: '*.db' },
  ];
  const [, kind, path = ''] = named ?? [];
  if (kind === 'file') return [...found, { folder: path, files: 'sessions/*/log.jsonl' }];
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return kind === 'sqlite' && cut > 0 ? [...found, { folder: path.slice(0, cut), files: path.slice(cut + 1) }] : found;
}
