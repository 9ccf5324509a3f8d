import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { DEADLINES, scripted, tool, type ModelPort, type Tools } from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { THREE_STEPS } from './three-steps.ts';
import { createWorld, type World } from './world.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** Counts every call to the outside world and never answers one of them. */
class Hang {
  count = 0;
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  get isDue(): boolean {
    this.count += 1;
    return this.count === this.at;
  }
}

function hangingPort(hang: Hang): ModelPort {
  const model = scripted({ replies: THREE_STEPS });
  return {
    ...model,
    renew: () => (hang.isDue ? never() : model.renew()),
    call: async function* call(request, options) {
      if (hang.isDue) await never();
      for await (const event of model.call(request, options)) {
        yield event;
        if (hang.isDue) await never();
      }
    },
  };
}

function hangingTools(hang: Hang): Tools {
  const work = tool({ run: () => (hang.isDue ? never() : 'done') });
  return { look: work, send: work };
}

async function runWith(hang: Hang, abort: boolean): Promise<World> {
  const world = await createWorld();
  const store = faultyStore(await open('memory:'), () => (hang.isDue ? 'lost' : 'fine'));
  const agent = world.agent([], { store, model: hangingPort(hang), tools: hangingTools(hang) });
  const run = agent.run('s', 'Go.');
  const over = run.result.then(
    () => 'over',
    () => 'over',
  );
  await world.clock.advance(0);
  if (abort) run.abort('enough');
  await world.clock.advance(Object.values(DEADLINES).reduce((sum, ms) => sum + ms, 0));
  expect(await Promise.race([over, Promise.resolve(`hangs at ${hang.at}`)])).toBe('over');
  expect(world.clock.pending).toBe(0);
  return world;
}

describe('whatever call is never answered', () => {
  test.each([
    ['the run ends within its deadlines', false],
    ['and the user then stops it, the run ends within its deadlines', true],
  ])('%s', async (_, abort) => {
    const whole = new Hang(Infinity);
    await runWith(whole, false);
    expect(whole.count).toBeGreaterThan(60);
    for (let at = 1; at <= whole.count; at += 1) await runWith(new Hang(at), abort);
  });
});
