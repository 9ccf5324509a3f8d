import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { call, reply, text } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';

import { createInterrupts } from '../src/chat/interrupts.ts';
import { createWorld, isShown } from './agent-world.ts';
import { bundleCommand, createFolder, hasTerminals } from './command.ts';

bundleCommand('with packages');
const parent = createFolder();

/** What a terminal might obey or hide; line ends and tabs are our own. */
const control = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]`, 'u');

describe('rethread chat with a prompt', () => {
  test('answers on standard output and tells everything else on standard error, without any key', async () => {
    const { run, simulator } = await createWorld(parent);
    simulator.script('Hello.');
    const { code, stdout, stderr } = await run(['chat', 'say', 'hello']);
    expect([code, stdout]).toEqual([0, 'Hello.\n']);
    expect(stderr).toMatch(/^session \S+, anthropic\/claude-sonnet-5\n$/);
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true]);
  });

  test('reads the prompt from a pipe, and puts it where the dash stands', async () => {
    const { run, simulator, records } = await createWorld(parent);
    simulator.script('One.', 'Two.');
    expect((await run(['chat'], { input: 'from a pipe' })).stdout).toBe('One.\n');
    expect((await run(['chat', '--resume', 'last', 'what is', '-'], { input: 'this?' })).stdout).toBe('Two.\n');
    const said = JSON.stringify(await records());
    expect(said).toContain('"from a pipe"');
    expect(said).toContain('"what is this?"');
  });

  test.each([
    ['gpt-5', '/v1/responses'],
    ['openai/gpt-5', '/v1/responses'],
    ['openai-chat/gpt-4.1', '/v1/chat/completions'],
    ['anthropic/claude-opus-4-5', '/v1/messages'],
  ])('asks %s by %s', async (model, path) => {
    const { run, simulator } = await createWorld(parent);
    simulator.script('Yes.');
    const env = { OPENAI_BASE_URL: simulator.baseUrls.openai };
    expect((await run(['chat', '--model', model, 'there?'], { env })).stdout).toBe('Yes.\n');
    expect(simulator.verdicts).toMatchObject([{ accepted: true, path }]);
  });

  test.each(['/v1', '/v1/'])(
    'finds the API also where %s is in its address, as another client wants it',
    async (end) => {
      const { run, simulator } = await createWorld(parent);
      simulator.script('Yes.');
      const env = { ANTHROPIC_BASE_URL: `${simulator.baseUrls.anthropic}${end}` };
      expect((await run(['chat', 'there?'], { env })).stdout).toBe('Yes.\n');
    },
  );

  test('prints the outcome for machines', async () => {
    const { run, simulator } = await createWorld(parent);
    simulator.script('Hello.');
    const { stdout } = await run(['chat', '--json', 'hello']);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'rethread/turn@1', state: 'complete', text: 'Hello.', turn: 1 });
  });

  test('prints an answer once that broke off and was asked for again', async () => {
    const { run, simulator } = await createWorld(parent);
    simulator.script('A long answer in many pieces.', 'A long answer in many pieces.');
    simulator.inject('cut-events:4@1');
    const { code, stdout, stderr } = await run(['chat', 'talk']);
    expect([code, stdout]).toEqual([0, 'A long answer in many pieces.\n']);
    expect(stderr).toContain('the answer broke off');
  });

  test('prints no control character, of an answer, a call, a result or an error', async () => {
    const { run, simulator } = await createWorld(parent);
    const hostile = 'a\u001b[31mred\u0007\u202e \u009b2J\ttab\nline 😀';
    simulator.script(reply(text(hostile), call('read_file', { path: hostile })), hostile);
    for (const more of [[], ['--json'], ['--verbose']]) {
      const { stdout, stderr } = await run(['chat', hostile, ...more]);
      expect(control.exec(stdout + stderr)?.[0]).toBeUndefined();
      if (more.length === 0) expect(stdout).toContain('a\\x1b[31mred\\x07\\u202e \\x9b2J\ttab\nline 😀\n');
      simulator.script(hostile);
    }
  });
});

describe('the tools of rethread chat', () => {
  const results = async (path: string, name = 'read_file'): Promise<string> => {
    const world = await createWorld(parent);
    const { folder, run, simulator, records } = world;
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes/a.txt'), 'the moon');
    writeFileSync(join(folder, '.env'), 'KEY=secret');
    writeFileSync(join(parent, 'outside.txt'), 'not for you');
    symlinkSync(join(parent, 'outside.txt'), join(folder, 'link.txt'));
    simulator.script(reply(call(name, { path })), 'Done.');
    expect((await run(['chat', 'look'])).stdout).toBe('Done.\n');
    const settled = (await records()).filter(({ kind }) => kind === 'call.settled');
    return settled.map(({ data }) => (data as { text: string }).text).join('\n--\n');
  };

  test('read files and list directories below the working directory', async () => {
    expect(await results('notes/a.txt')).toBe('the moon');
    expect((await results('.', 'list_directory')).split('\n')).toEqual(['link.txt', 'notes/', 'store/']);
  });

  test.each([
    ['a path that leads up', '../outside.txt'],
    ['a path from the root', join(parent, 'outside.txt')],
    ['a path that leads down and up', 'notes/../../outside.txt'],
    ['a link', 'link.txt'],
    ['a file of the system', '/etc/passwd'],
  ])('do not follow %s out of the working directory', async (_, path) => {
    expect(await results(path)).toBe('Error: only what lies in the working directory can be read');
  });

  test('do not read what is hidden, and no directory', async () => {
    expect(await results('.env')).toBe('Error: hidden files are not read');
    expect(await results('notes')).toBe('Error: that is no file');
  });

  test('are not there where they are not wanted', async () => {
    const { run, simulator, records } = await createWorld(parent);
    simulator.script('Well.', reply(call('read_file', { path: 'a.txt' })), 'Well.');
    await run(['chat', 'look']);
    await run(['chat', '--no-tools', '--resume', 'last', 'look']);
    expect(JSON.stringify(await records())).toContain(String.raw`there is no tool \"read_file\"`);
  });
});

describe('rethread chat line by line', () => {
  test('takes each line as a turn of one session, and comes back to it', async () => {
    const { run, simulator } = await createWorld(parent);
    simulator.script('One.', 'Two.', 'Three.');
    const first = await run(['chat', '--lines'], { input: 'first\n\nsecond\n' });
    expect([first.code, first.stdout]).toEqual([0, 'One.\nTwo.\n']);
    const id = /rethread chat --resume (\S+)\n$/.exec(first.stderr)?.[1] ?? '';
    const again = await run(['chat', '--lines', '--resume', id], { input: 'third' });
    expect(again.stdout).toBe('Three.\n');
    expect((await run(['sessions'])).stdout).toMatch(/ first\n$/);
  });

  test('leaves no session behind where nothing was said', async () => {
    const { run, simulator } = await createWorld(parent);
    const { code, stdout, stderr } = await run(['chat', '--lines'], { input: '\n \n' });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain('--resume');
    expect(JSON.parse((await run(['sessions', '--json'])).stdout)).toMatchObject({ sessions: [] });
    expect(simulator.verdicts).toEqual([]);
  });

  test.skipIf(!hasTerminals).each([
    ['Ctrl-C', ['\u0003', '\u0003'], 130],
    ['Ctrl-D', ['\u0004'], 0],
  ] as const)('leaves no session behind where it is left at once by %s', async (_, keys, ends) => {
    const { start, run } = await createWorld(parent);
    const chat = start(['chat'], { terminal: true, staysOpen: true });
    await chat.printed(/> /);
    for (const [index, key] of keys.entries()) {
      if (index > 0) await chat.printed(/Ctrl-C once more ends it/);
      chat.type(key);
    }
    expect((await chat.ended).code).toBe(ends);
    expect(JSON.parse((await run(['sessions', '--json'])).stdout)).toMatchObject({ sessions: [] });
  });

  test('an error ends the turn and not the dialogue', async () => {
    const { run, simulator } = await createWorld(parent);
    simulator.script({ failure: 'No such thing.', status: 400 }, 'Back again.');
    const { code, stdout, stderr } = await run(['chat', '--lines'], { input: 'one\ntwo\n' });
    expect([code, stdout]).toEqual([0, 'Back again.\n']);
    expect(stderr).toMatch(/rethread: the model could not be asked \(.*400\)/);
  });
});

describe('Ctrl-C', () => {
  test('stops the turn, keeps what came, and says how to go on', async () => {
    const { start, run, simulator, stored } = await createWorld(parent);
    simulator.script('This answer never comes to its end.', 'Here is the rest.');
    simulator.inject('stall:4@1');
    const chat = start(['chat', 'talk']);
    await stored(isShown);
    chat.signal('SIGINT');
    const { code, stdout, stderr } = await chat.ended;
    expect(code).toBe(130);
    expect('This answer never comes to its end.').toContain(stdout.trim());
    expect(stdout.trim()).not.toBe('');
    const [, id = ''] = /^stopped\nGo on with: rethread resume (\S+)$/m.exec(stderr) ?? [];
    const resumed = await run(['resume', id]);
    expect([resumed.code, resumed.stdout]).toEqual([0, 'Here is the rest.\n']);
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  });

  test('twice ends the program, also while it waits for a line', async () => {
    const { start, run, simulator, stored } = await createWorld(parent);
    simulator.script('This answer never comes to its end.', 'Here is the rest.');
    simulator.inject('stall:4@1');
    const chat = start(['chat', '--lines'], { input: 'talk\n', staysOpen: true });
    await stored(isShown);
    chat.signal('SIGINT');
    await stored(({ data }) => (data as { state?: string }).state === 'aborted');
    chat.signal('SIGINT');
    expect((await chat.ended).code).toBe(130);
    expect((await run(['resume', 'last'])).stdout).toBe('Here is the rest.\n');
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  });

  const CTRL_C = '\u0003';

  test.skipIf(!hasTerminals)('at a terminal stops the turn, and pressed again ends the program', async () => {
    const { start, run, simulator, stored } = await createWorld(parent);
    simulator.script('This answer never comes to its end.', 'Here is the rest.');
    simulator.inject('stall:4@1');
    const chat = start(['chat'], { terminal: true, staysOpen: true });
    await chat.printed(/> /);
    chat.type('talk\r');
    await stored(isShown);
    chat.type(CTRL_C);
    await chat.printed(/stopped[^]*> /);
    chat.type(CTRL_C);
    expect((await chat.ended).code).toBe(130);
    expect((await run(['resume', 'last'])).stdout).toBe('Here is the rest.\n');
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  });

  test.skipIf(!hasTerminals)(
    'at the prompt of a terminal warns once, and a line in between makes up for it',
    async () => {
      const { start, simulator } = await createWorld(parent);
      simulator.script('Hello.');
      const chat = start(['chat'], { terminal: true, staysOpen: true });
      await chat.printed(/> /);
      chat.type(CTRL_C);
      await chat.printed(/Ctrl-C once more ends it/);
      chat.type('hi\r');
      await chat.printed(/Hello\.[^]*> /);
      chat.type(CTRL_C);
      await chat.printed(/Hello\.[^]*Ctrl-C once more ends it/);
      chat.type(CTRL_C);
      expect((await chat.ended).code).toBe(130);
    },
  );

  test('is one press for each turn, and two in a row are the end', () => {
    const told: string[] = [];
    const interrupts = createInterrupts({ warn: () => told.push('warn'), quit: () => told.push('quit') });
    const over = interrupts.during(() => told.push('stop one'));
    interrupts.press();
    over();
    interrupts.during(() => told.push('stop two'))();
    interrupts.press();
    interrupts.forget();
    interrupts.press();
    interrupts.press();
    expect(told).toEqual(['stop one', 'warn', 'warn', 'quit']);
  });
});

describe('what cannot be done is said in one sentence', () => {
  const sentence = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { run, folder } = await createWorld(parent);
    const { code, stderr } = await run(args, { env });
    expect([code, stderr.split('\n').length]).toEqual([2, 2]);
    // Not even a store is made where nothing can be done with it.
    expect(readdirSync(folder)).toEqual([]);
    return stderr;
  };

  test('no key, an unknown model, nothing to say, no session', async () => {
    const nobody = { ANTHROPIC_BASE_URL: '' };
    expect(await sentence(['chat', 'hi'], nobody)).toContain('set ANTHROPIC_API_KEY or OPENAI_API_KEY');
    const real = { ANTHROPIC_BASE_URL: 'https://api.example.com' };
    expect(await sentence(['chat', 'hi'], real)).toContain('there is no key: set ANTHROPIC_API_KEY');
    expect(await sentence(['chat', '--model', 'zeus', 'hi'])).toContain('nobody knows how to ask "zeus"');
    expect(await sentence(['chat'])).toBe('rethread: there is nothing to answer\n');
    expect(await sentence(['chat', '--resume', 'last', 'hi'])).toContain('there is no store file:');
    expect(await sentence(['chat', '--resume', 'nobody', 'hi'])).toContain('there is no store file:');
  });

  test('no such session in a store that is there', async () => {
    const { run, leave } = await createWorld(parent);
    await leave('somebody', [{ kind: 'note', data: {} }]);
    const { code, stderr } = await run(['chat', '--resume', 'nobody', 'hi']);
    expect([code, stderr]).toEqual([2, 'rethread: there is no session "nobody"\n']);
  });
});
