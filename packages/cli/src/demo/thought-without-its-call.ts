import type { DemoSession } from './session.ts';

export const thoughtWithoutItsCall: DemoSession = {
  title: 'Responses: the model had thought, and the call was never kept',
  story: 'The process died between a reasoning item and the call that came of it, and the user asked on.',
  dialect: 'openai-responses',
  history: [
    { role: 'user', content: 'Rename the config file.' },
    { type: 'function_call', id: 'fc_1', call_id: 'call_ls', name: 'list_files', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_ls', output: 'config.json' },
    { type: 'reasoning', id: 'rs_2', summary: [] },
    { role: 'user', content: 'Are you still there?' },
  ],
};
