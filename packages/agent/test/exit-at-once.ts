import { open } from '@rethread/store';

import { createAgent, scripted, tool } from '@rethread/agent';

/** Aborts a run with the real clock during a tool and a stream, and does nothing to end the process. */
const store = await open('memory:');
const agent = createAgent({
  store,
  model: scripted({ replies: [{ text: 'Working.', calls: [{ callId: 'c1', tool: 'work' }] }] }),
  tools: {
    work: tool({
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
        }),
    }),
  },
});
const run = agent.run('s', 'Go.');
let abortedAt = 0;
setTimeout(() => {
  abortedAt = Date.now();
  run.abort('enough');
}, 50);
await run.result.catch(() => undefined);
process.on('exit', () => process.stdout.write(JSON.stringify({ abortedAt, endedAt: Date.now() })));
