import { describe, expect, test } from 'vitest';

import { bundleCommand, createFolder, place, run } from './command.ts';
import { broken, lines } from './sessions.ts';

bundleCommand();
const folder = createFolder();

describe('with --json a command that cannot do its work says so in one document on standard output', () => {
  const { path } = place(folder, 'session.jsonl', lines(broken));

  test.each([
    [['turns', '--json'], "missing required argument 'session'"],
    [['doctor', '--json', path, path], 'the same file is named twice'],
    [['doctor', '--json', '--refusal', './no.txt', path], '--refusal ./no.txt cannot be read: no such file'],
    [['doctor', '--json', '--dialect', 'latin', path], "argument 'latin' is invalid"],
    [['doctor', '--json', '--fix', '--undo', path], "option '--undo' cannot be used with option '--fix'"],
    [['explain', '--json', 'no-such-thing'], 'there is no rule no-such-thing'],
    [['sessions', '--json', '--bogus'], "unknown option '--bogus'"],
    [['simulate', '--json', '--port', '70000'], 'A whole number from 0 to 65535 is needed.'],
    [['simulate', '--json', '--script', './no.json'], './no.json cannot be read: no such file'],
    [['diagnose', '--json'], "unknown command 'diagnose'"],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(sentence) });
    expect(stderr).toContain('rethread: ');
  });

  test('a file whose name looks like the flag does not ask for it', async () => {
    expect((await run(['doctor', '--fix', '--undo', '--', '--json'])).stdout).toBe('');
  });
});
