import type { Example } from '../model/rule.ts';
import { fingerprint } from '../model/call-id.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
  'a name with a dot, and no name': {
    before: [
      user('read a'),
      say(call('aB3dE6gH9'), call('bB3dE6gH9')),
      { ...result('aB3dE6gH9', 'A'), name: 'fs.read' },
      { ...result('bB3dE6gH9', 'B'), name: '' },
    ],
    after: [
      user('read a'),
      say(call('aB3dE6gH9'), call('bB3dE6gH9')),
      { ...result('aB3dE6gH9', 'A'), name: 'fs_read' },
      result('bB3dE6gH9', 'B'),
    ],
  },
  'a name of 65 characters': {
    before: [
      user('read a'),
      say(call('aB3dE6gH9'), call('bB3dE6gH9')),
      { ...result('aB3dE6gH9', 'A'), name: 'n'.repeat(65) },
      result('bB3dE6gH9', 'B'),
    ],
    after: [
      user('read a'),
      say(call('aB3dE6gH9'), call('bB3dE6gH9')),
      { ...result('aB3dE6gH9', 'A'), name: `${'n'.repeat(49)}_${fingerprint('n'.repeat(65))}` },
      result('bB3dE6gH9', 'B'),
    ],
  },
}));
