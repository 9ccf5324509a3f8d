import { dataHome, firstSet, type Root, type System } from '../system.ts';

/** The same folder on every system; channels other than the stable one have databases of their own beside it. */
export function locate(system: System): Root[] {
  const data = system.join(dataHome(system), 'opencode');
  const named = firstSet(system, 'OPENCODE_DB');
  const cut = named === undefined ? -1 : Math.max(named.lastIndexOf('/'), named.lastIndexOf('\\'));
  return [
    { folder: data, files: 'opencode*.db' },
    ...(named === undefined
      ? []
      : [{ folder: cut === -1 ? data : named.slice(0, Math.max(cut, 1)), files: named.slice(cut + 1) }]),
    { folder: system.join(data, 'storage', 'session'), files: '*/ses_*.json' },
  ];
}
