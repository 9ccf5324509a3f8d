import { dataHome, type Root, type System } from '../system.ts';

/** Requests are kept nowhere in particular: this is where `rethread proxy` writes them when it is told to. */
export const locate = (system: System): Root[] => [
  { folder: system.join(dataHome(system), 'rethread', 'requests'), files: '**/*.json*' },
];
