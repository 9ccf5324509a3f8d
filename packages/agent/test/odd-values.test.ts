import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { tool, type AgentEvent } from '../src/index.ts';
import { createWorld } from './world.ts';

const settledIn = (events: readonly AgentEvent[]) => events.filter((event) => event.kind === 'call-settled');

function ownCause(): Error {
  const error = new Error('again');
  error.cause = error;
  return error;
}

describe('a tool', () => {
  const gone = Proxy.revocable({}, {});
  gone.revoke();

  test.each([
    ['undefined', undefined, 'the tool failed and did not say why'],
    ['null', null, 'null'],
    ['a text', 'no room', 'no room'],
    ['an object', { message: 'no', code: 3 }, '{"message":"no","code":3}'],
    ['a map', new Map([['why', 'no room']]), "Map(1) { 'why' => 'no room' }"],
    ['an error of another realm', runInNewContext('new TypeError("far away")'), 'TypeError: far away'],
    ['an error that is its own cause', ownCause(), 'Error: again'],
    ['what nobody can look at', gone.proxy, '<Revoked Proxy>'],
  ])('that throws %s fails alone, and the model is told what is known', async (_, thrown: unknown, text) => {
    const world = await createWorld();
    const fails = tool({ effect: 'once', run: () => Promise.reject(thrown) });
    const replies = [{ calls: [{ callId: 'c1', tool: 'fails' }] }, { text: 'Oh.' }];
    const { result } = world.agent(replies, { tools: { fails } }).run('s', 'Go.');
    await expect(result).resolves.toMatchObject({ text: 'Oh.' });
    expect(settledIn(world.events)).toMatchObject([{ error: true, text }]);
  });

  test.each([
    ['nothing', undefined, ''],
    ['an empty object', {}, '{}'],
    ['a large integer', { size: 2n ** 64n }, '{ size: 18446744073709551616n }'],
    ['a map', new Map([['a', 1]]), "Map(1) { 'a' => 1 }"],
    ['a set', new Set(['a']), "Set(1) { 'a' }"],
    ['an error', new RangeError('too far'), 'RangeError: too far'],
    ['bytes', Buffer.from('hi'), '{"type":"Buffer","data":[104,105]}'],
  ])('that returns %s loses none of it', async (_, given: unknown, text) => {
    const world = await createWorld();
    const gives = tool({ effect: 'read', run: () => given });
    const replies = [{ calls: [{ callId: 'c1', tool: 'gives' }] }, { text: 'Thanks.' }];
    await world.agent(replies, { tools: { gives } }).run('s', 'Go.').result;
    expect(settledIn(world.events)).toMatchObject([{ error: false, text }]);
  });
});
