import type { Example } from '../model/rule.ts';
import { strictName } from './remedies/legal-name.ts';

function exchange(first: object, second: object): unknown[] {
  const call = (id: string): object => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: '', tool_calls: [call('aB3dE6gH9'), call('bB3dE6gH9')] },
    { role: 'tool', tool_call_id: 'aB3dE6gH9', content: 'A', ...first },
    { role: 'tool', tool_call_id: 'bB3dE6gH9', content: 'B', ...second },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'a name with a dot, and no name',
    dialect: 'mistral-chat',
    before: exchange({ name: 'fs.read' }, { name: '' }),
    after: exchange({ name: 'fs_read' }, {}),
  },
  {
    name: 'a name of 65 characters',
    dialect: 'mistral-chat',
    before: exchange({ name: 'n'.repeat(65) }, {}),
    after: exchange({ name: strictName('n'.repeat(65)) }, {}),
  },
];
