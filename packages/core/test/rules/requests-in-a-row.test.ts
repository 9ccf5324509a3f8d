import { describe, expect, test } from 'vitest';
import { repair } from '../../src/index.ts';
import { prepareHistory, runCleanupLoop } from '../../src/resume/index.ts';
import { SPEAKERS } from '../speakers.ts';

describe('a request gives way to a later one', () => {
  const discard = { policy: 'discard' } as const;

  test.for(SPEAKERS)('results that came behind it are moved to their call before: %s', ([, { user, say, results }]) => {
    const list = [user('1'), say('', 'a'), user('wait'), ...results('a'), say('k')];
    expect(JSON.stringify(runCleanupLoop(list).messages)).toMatch(/"a".*output of a.*"wait".*"k"/u);
  });

  test.for(SPEAKERS)('words of the system behind it are none: %s', ([, { dialect, user, system, say }]) => {
    const list = [user('1'), system('Be brief.'), say('k')];
    expect(runCleanupLoop(list)).toMatchObject({ changed: false, messages: list });
    expect(repair(list, dialect, discard).output).toContainEqual(user('1'));
    expect(JSON.stringify(prepareHistory(prepareHistory(list)))).toMatch(/"1".*Be brief\./u);
  });

  test('also where they became words of the user, and roles have to alternate', () => {
    const said = (role: string, ...texts: string[]): object => ({ role, content: texts.map((text) => ({ text })) });
    const list = [said('user', '1'), said('system', 'Be brief.'), said('assistant', 'k')];
    const whole = [said('user', '1', '[system] Be brief.'), said('assistant', 'k')];
    expect(repair(list, 'bedrock-converse', discard).output).toEqual(whole);
    const asked = [list[0], said('user', '[tool output] x'), said('user', '2'), list[2]];
    const two = [said('user', '[tool output] x', '2'), said('assistant', 'k')];
    expect(repair(asked, 'bedrock-converse', discard).output).toEqual(two);
  });
});
