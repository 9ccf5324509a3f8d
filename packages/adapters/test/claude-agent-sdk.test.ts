import { open, type Store } from '@rethread/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ClaudeSessionStore, type SessionStoreEntry } from '../src/claude-agent-sdk.ts';

let store: Store;
let sessions: ClaudeSessionStore;
beforeEach(async () => {
  store = await open('memory:');
  sessions = new ClaudeSessionStore(store);
});
afterEach(() => store.close());

const main = { projectKey: '-home-me-project', sessionId: '0b7c' };
const agent = { ...main, subpath: 'subagents/agent-1' };
const entries = (...names: string[]): SessionStoreEntry[] => names.map((name) => ({ type: 'user', name }));

describe('the session store for the Claude Agent SDK', () => {
  test('gives entries back as they were appended, in the order of the appends', async () => {
    const first = [{ type: 'user', uuid: 'u1', message: { content: [{ nested: [1, null] }] } }];
    await sessions.append(main, first);
    await Promise.all([sessions.append(main, entries('b', 'c')), sessions.append(main, entries('d'))]);
    expect(await sessions.load(main)).toEqual([...first, ...entries('b', 'c', 'd')]);
    expect(await new ClaudeSessionStore(store).load(main)).toEqual([...first, ...entries('b', 'c', 'd')]);
  });

  test('knows nothing of keys that were never written, and an empty append writes nothing', async () => {
    await sessions.append(main, []);
    expect(await sessions.load(main)).toBeNull();
    expect(await sessions.load(agent)).toBeNull();
    expect(await sessions.listSessions(main.projectKey)).toEqual([]);
    expect(await sessions.listSubkeys(main)).toEqual([]);
    await sessions.delete(main);
  });

  test('keeps projects, sessions and subagents apart', async () => {
    const other = { ...main, projectKey: '-home-me-other' };
    const second = { ...main, sessionId: '0b7c:2/x' };
    await sessions.append(main, entries('main'));
    await sessions.append(agent, entries('agent'));
    await sessions.append(other, entries('other'));
    await sessions.append(second, entries('second'));
    for (const [key, name] of [
      [main, 'main'],
      [agent, 'agent'],
      [other, 'other'],
      [second, 'second'],
    ] as const) {
      expect(await sessions.load(key)).toEqual(entries(name));
    }
    const listed = await sessions.listSessions(main.projectKey);
    expect(listed.map(({ sessionId }) => sessionId).sort()).toEqual(['0b7c', '0b7c:2/x']);
    expect(listed.every(({ mtime }) => Number.isSafeInteger(mtime) && Math.abs(Date.now() - mtime) < 60_000)).toBe(
      true,
    );
    expect(await sessions.listSubkeys(main)).toEqual(['subagents/agent-1']);
    expect(await sessions.listSubkeys(second)).toEqual([]);
  });

  test('lists no session that only has a subagent', async () => {
    await sessions.append(agent, entries('agent'));
    expect(await sessions.listSessions(main.projectKey)).toEqual([]);
  });

  test('stores an entry once by its uuid, and entries without one every time', async () => {
    const batch = [{ type: 'user', uuid: 'u1' }, { type: 'title' }, { type: 'user', uuid: 'u1' }];
    await sessions.append(main, batch);
    await sessions.append(main, batch);
    await new ClaudeSessionStore(store).append(main, [...batch, { type: 'user', uuid: 'u2' }]);
    const types = (await sessions.load(main))?.map(({ type, uuid }) => uuid ?? type);
    expect(types).toEqual(['u1', 'title', 'title', 'title', 'u2']);
  });

  test('deletes a session with its subagents, or one subagent', async () => {
    const second = { ...main, subpath: 'subagents/agent-2' };
    for (const key of [main, agent, second, { ...main, sessionId: 'other' }]) await sessions.append(key, entries('x'));
    await sessions.delete(agent);
    expect([await sessions.load(agent), await sessions.load(second)]).toEqual([null, entries('x')]);
    await sessions.delete(main);
    expect([await sessions.load(main), await sessions.load(second)]).toEqual([null, null]);
    expect(await sessions.load({ ...main, sessionId: 'other' })).toEqual(entries('x'));
    await sessions.append(main, [{ type: 'user', uuid: 'u1' }]);
    expect(await sessions.load(main)).toHaveLength(1);
  });

  test('refuses an empty subpath', async () => {
    await expect(sessions.load({ ...main, subpath: '' })).rejects.toThrow(/subpath/);
  });
});
