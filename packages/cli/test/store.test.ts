import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { open } from '@rethread/store';
import { beforeAll, describe, expect, test } from 'vitest';

import { importLog } from '../../store/test/import-log.ts';
import { bundleCommand, createFolder, run, start } from './command.ts';

bundleCommand();
const folder = createFolder();
const url = `sqlite:${join(folder, 'sessions.db')}`;
const elsewhere = `sqlite:${join(folder, 'elsewhere.db')}`;

const message = (role: string, content: unknown): { kind: string; data: unknown } => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire: { role, content } },
});

const hostile = 'odd \u001b[31m \u0007 \u202e \u009b id';
/** What a terminal might obey or hide; line ends and tabs are our own. */
const control = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]`, 'u');

const onStore = (...args: readonly string[]): ReturnType<typeof run> => run([...args, '--store', url]);

const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  const { stdout } = await onStore(...args, '--json');
  return JSON.parse(stdout) as Record<string, unknown>;
};

beforeAll(async () => {
  const store = await open(url);
  const talk = await store.create({ id: 'talk', title: 'About \u001b[2Jclouds' });
  await talk.append([
    message('user', 'Why is the sky blue?'),
    message('assistant', 'Because \u001b[31mof scattering.'),
  ]);
  await talk.append([message('user', 'And the sea?'), message('assistant', 'It mirrors the sky.')]);
  const child = await talk.delegate({ id: 'child' });
  await child.append([message('user', 'look it up')]);
  await (await store.create({ id: hostile })).append(message('user', hostile));
  await store.close();
});

describe('rethread sessions and show', () => {
  test('list what is there, with titles and who works for whom', async () => {
    const { code, stdout, stderr } = await onStore('sessions');
    expect([code, stderr]).toEqual([0, `3 sessions in ${url}\n`]);
    expect(stdout).toMatch(/^talk {2,}\S+ {2,}5 {2,}About \\x1b\[2Jclouds$/m);
    expect(stdout).toMatch(/^child .*\(works for talk\)$/m);
    const { sessions } = await json('sessions');
    expect((sessions as { id: string }[]).map(({ id }) => id).sort()).toEqual(['child', hostile, 'talk']);
  });

  test('show a session with its children and the newest records', async () => {
    const { code, stdout } = await onStore('show', 'talk', '--last', '2');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^child {2,}child \(interrupted\)$/m);
    expect(stdout).toMatch(/4 .* message {2}assistant {2}It mirrors the sky\.$/m);
    expect(stdout).not.toContain('Why is the sky blue?');
    expect((await json('show', 'talk', '--all'))['log']).toHaveLength(5);
  });

  test('show a message in a dialect of the future as it is, and stats counts it', async () => {
    const place = `sqlite:${join(folder, 'future.db')}`;
    const store = await open(place);
    const wire = { thought: 'hello' };
    await importLog(store, 'future', [
      { kind: 'message', data: { dialect: 'telepathy', wire } },
      { kind: 'repair', data: { rule: 'odd', loss: 'none', at: { seq: 1 } } },
    ]);
    await store.close();
    const { code, stdout } = await run(['show', 'future', '--store', place]);
    expect([code, stdout.includes('message  {"thought":"hello"}')]).toEqual([0, true]);
    const stats = await run(['stats', '--json', '--store', place]);
    expect([stats.code, JSON.parse(stats.stdout)]).toMatchObject([0, { repairs: { total: 1 }, repairsByTool: {} }]);
  });

  test('print no control character of a session, on any stream, in any command', async () => {
    const commands = [['sessions'], ['show', 'talk', '--all'], ['show', hostile], ['search', 'odd'], ['verify']];
    for (const command of [
      ...commands,
      ['show', `${hostile}?`],
      ['fork', hostile, '--id', hostile],
      ['erase', hostile],
    ]) {
      for (const more of [[], ['--json']]) {
        const { stdout, stderr } = await onStore(...command, ...more);
        expect([command, control.exec(stdout + stderr)?.index]).toEqual([command, undefined]);
      }
    }
  });

  test('say in one sentence what cannot be done, with exit code 2', async () => {
    const missing = await onStore('show', 'nobody');
    expect([missing.code, missing.stderr]).toEqual([2, 'rethread: there is no session "nobody"\n']);
    const nowhere = await run(['sessions', '--store', 'ftp://x']);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringContaining('rethread: unknown store URL; it must start with'),
    ]);
    expect((await json('show', 'nobody'))['code']).toBe('missing');
    const odd = await onStore('show', 'talk', '--last', 'many');
    expect([odd.code, odd.stderr]).toEqual([2, 'rethread: "many" is not a whole number from 1 up\n']);
  });

  test('a store that is not there is not made by looking at it', async () => {
    const { code, stderr } = await run(['sessions'], { cwd: folder, env: { RETHREAD_STORE: '' } });
    expect([code, stderr, existsSync(join(folder, 'sessions'))]).toEqual([
      2,
      'rethread: there is no store file:./sessions\n',
      false,
    ]);
  });

  test('nor is one made in an empty folder, or of an empty file', async () => {
    const [empty, file] = [join(folder, 'nothing in it'), join(folder, 'nothing.db')];
    mkdirSync(empty);
    writeFileSync(file, '');
    for (const place of [`file:${empty}`, `sqlite:${file}`]) {
      const { code, stderr } = await run(['sessions', '--store', place]);
      expect([code, stderr]).toEqual([2, `rethread: there is no store ${place}\n`]);
    }
    expect([readdirSync(empty), statSync(file).size]).toEqual([[], 0]);
  });

  test('a store is found by a whole URL, whose escapes are read', async () => {
    for (const scheme of ['file', 'sqlite']) {
      const place = `${scheme}://${folder}/a%20${scheme}%3F`;
      const store = await open(place);
      await store.create({ id: 'here' });
      await store.close();
      const { code, stdout } = await run(['sessions', '--store', `${place}?durability=os`]);
      expect([code, stdout.includes('here')]).toEqual([0, true]);
    }
    const odd = await run(['sessions', '--store', 'file://host/x']);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('"file://host/x" names no place')]);
  });

  test('the store is named by a variable too', async () => {
    const { code, stdout } = await run(['sessions'], { env: { RETHREAD_STORE: url } });
    expect([code, stdout.includes('talk')]).toEqual([0, true]);
  });
});

describe('rethread search', () => {
  test('finds records by words, in one session or in all', async () => {
    const { code, stdout, stderr } = await onStore('search', 'SKY mirrors');
    expect([code, stderr]).toEqual([0, '1 record found\n']);
    expect(stdout).toMatch(/^talk {2}4 {2}message {2}.*mirrors the sky/);
    expect((await onStore('search', 'sky', '--session', 'child')).code).toBe(1);
  });
});

test('a search that could not read a session to its end says so, whatever it found', async () => {
  const place = `file:${join(folder, 'half-searched')}`;
  const store = await open(place);
  for (const id of ['sound', 'hurt']) await (await store.create({ id })).append(message('user', 'about the sea'));
  await store.close();
  const log = join(folder, 'half-searched', 'sessions', 's-hurt', 'log.jsonl');
  writeFileSync(log, readFileSync(log, 'utf8').replace('about', 'abouT'));
  const { code, stdout, stderr } = await run(['search', 'sea', '--store', place, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    found: [{ session: 'sound' }],
    unsearched: [{ session: 'hurt', sentence: expect.stringContaining('damaged') }],
  });
  expect(stderr).toMatch(/^rethread: session "hurt": /);
});

describe('rethread fork, revert and unrevert', () => {
  const textOf = async (id: string): Promise<string> => {
    const store = await open(url);
    const history = await (await store.session(id)).project();
    await store.close();
    return (history?.messages ?? [])
      .flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
      .join('|');
  };

  test('a fork shares the records up to one', async () => {
    const { code, stdout } = await onStore('fork', 'talk', '--at', '1', '--id', 'fork', '--title', 'again');
    expect([code, stdout]).toEqual([0, 'fork\n']);
    expect(await textOf('fork')).toBe('Why is the sky blue?');
    expect((await onStore('fork', 'talk', '--at', '99')).code).toBe(2);
  });

  test('a revert goes back to a record or a time, and is taken back', async () => {
    const before = await textOf('talk');
    const { code, stdout } = await onStore('revert', 'talk', '--to', '2');
    expect([code, stdout]).toEqual([0, 'talk goes on from 2; record 6 says so.\n']);
    expect((await textOf('talk')).split('|')).toHaveLength(2);
    expect((await onStore('unrevert', 'talk')).code).toBe(0);
    expect(await textOf('talk')).toBe(before);
    const emptied = await onStore('revert', 'talk', '--to', '2001-01-01');
    expect([emptied.code, emptied.stderr]).toEqual([0, expect.stringContaining('its history is empty now; unrevert')]);
    expect(await textOf('talk')).toBe('');
    expect((await onStore('unrevert', 'talk')).code).toBe(0);
    expect(await textOf('talk')).toBe(before);
  });

  test.each(['yesterday', '-1', 'record 2', '2 ', '2001-13-01'])('%j is nothing to go back to', async (to) => {
    const before = await textOf('talk');
    const { code, stderr } = await onStore('revert', 'talk', '--to', to);
    expect([code, stderr]).toEqual([2, `rethread: ${JSON.stringify(to)} is no record and no time\n`]);
    expect(await textOf('talk')).toBe(before);
  });
});

describe('rethread export, import and verify', () => {
  test('move a session to another store with the same digest', async () => {
    const file = join(folder, 'talk.jsonl');
    const exported = await onStore('export', 'talk', '-o', file);
    expect([exported.code, statSync(file).mode & 0o777]).toEqual([0, 0o600]);
    const again = await onStore('export', 'talk', '-o', file);
    expect([again.code, again.stderr]).toEqual([2, `rethread: ${file} is there already; name another file\n`]);
    const piped = await onStore('export', 'talk');
    expect(piped.stdout).toBe(readFileSync(file, 'utf8'));
    const imported = await run(['import', '-', '--store', elsewhere, '--json'], { input: piped.stdout });
    const { digest, records } = JSON.parse(imported.stdout) as { digest: string; records: number };
    const { verdicts } = await json('verify', 'talk');
    expect(verdicts).toMatchObject([{ session: 'talk', ok: true, records, digest }]);
    const there = await run(['verify', '--store', elsewhere]);
    expect([there.code, there.stdout]).toEqual([0, `talk  sound  ${records} records  ${digest}\n`]);
  });

  test('tell the digest of what was exported, also while the session is written to', async () => {
    const file = join(folder, 'growing.jsonl');
    const store = await open(`${url}?durability=os`);
    const growing = await store.create({ id: 'growing' });
    await growing.append(Array.from({ length: 20_000 }, () => message('user', 'first')));
    const exporting = onStore('export', 'growing', '-o', file, '--json');
    const end = new AbortController();
    void exporting.finally(() => end.abort());
    while (!end.signal.aborted) await growing.append(message('user', 'and more'));
    const records = readFileSync(file, 'utf8').split('\n').slice(1, -2);
    const digest = createHash('sha256')
      .update(records.map((line) => `${line}\n`).join(''))
      .digest('hex');
    expect(JSON.parse((await exporting).stdout)).toMatchObject({ records: records.length, digest: `sha256:${digest}` });
    await growing.erase();
    await store.close();
  });

  test('pass over what is erased while everything is verified', async () => {
    const place = `sqlite:${join(folder, 'many.db')}`;
    const store = await open(`${place}?durability=os`);
    const long = Array.from({ length: 3_000 }, () => message('user', 'x'));
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await (await store.create({ id })).append(long);
    const verifying = start(['verify', '--store', place]);
    await verifying.printed(/sound/);
    for (const id of ['h', 'g', 'f']) await (await store.session(id)).erase();
    const { code, stderr } = await verifying.ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d+ sound, 0 damaged\n$/)]);
    await store.close();
  });

  test('tell of what cannot even be opened, and verify the others all the same', async () => {
    const place = join(folder, 'planted');
    const store = await open(`file:${place}`);
    for (const id of ['a', 'z']) await (await store.create({ id })).append(message('user', id));
    await store.close();
    const sessions = join(place, 'sessions');
    mkdirSync(join(sessions, 's-m'));
    symlinkSync('/etc/hosts', join(sessions, 's-m', 'log.jsonl'));
    symlinkSync('/etc', join(sessions, 's-n'));
    const { code, stdout, stderr } = await run(['verify', '--store', `file:${place}`]);
    expect([code, stderr]).toEqual([1, '2 sound, 2 damaged\n']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^a  sound  1 record  sha256:/),
      'm  DAMAGED  0 records',
      expect.stringMatching(/^  unsafe: .*log\.jsonl is not a plain file/),
      's-n  DAMAGED  0 records',
      expect.stringMatching(/^  unreadable: .*s-n is not a folder/),
      expect.stringMatching(/^z  sound  1 record  sha256:/),
      '',
    ]);
  });

  test('take nothing in from a file that is damaged or missing', async () => {
    const file = join(folder, 'talk.jsonl');
    const damaged = readFileSync(file, 'utf8').replace('scattering', 'scatterinG');
    const refused = await run(['import', '-', '--store', elsewhere, '--id', 'other'], { input: damaged });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('a digest that does not match the records'),
    ]);
    const missing = await run(['import', join(folder, 'none'), '--store', elsewhere, '--id', 'other']);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      `rethread: ${join(folder, 'none')} cannot be read: no such file\n`,
    ]);
    const whole = await run(['import', folder, '--store', elsewhere]);
    expect([whole.code, whole.stderr]).toEqual([2, `rethread: ${folder} cannot be read: it is a folder\n`]);
    const unmade = join(folder, 'unmade');
    expect((await run(['import', join(folder, 'none'), '--store', `file:${unmade}`])).code).toBe(2);
    expect(existsSync(unmade)).toBe(false);
    expect((await run(['show', 'other', '--store', elsewhere])).code).toBe(2);
  });
});

describe('rethread mend', () => {
  test('makes a damaged session usable again, and says what it keeps', async () => {
    const place = `file:${join(folder, 'damaged')}`;
    const mend = (...args: string[]): ReturnType<typeof run> => run(['mend', 'talk', '--store', place, ...args]);
    await run(['import', '-', '--store', place], { input: readFileSync(join(folder, 'talk.jsonl'), 'utf8') });
    const sound = await mend('--keep', 'prefix');
    expect([sound.code, sound.stdout]).toEqual([0, 'talk is sound; there is nothing to mend\n']);
    const log = join(folder, 'damaged', 'sessions', 's-talk', 'log.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace('scattering', 'scatterinG'));
    expect((await run(['verify', '--store', place])).code).toBe(1);
    const shown = await run(['show', 'talk', '--store', place]);
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('mend makes it usable')]);
    expect(shown.stdout).toMatch(/^DAMAGED {2}session "talk": the log is damaged/m);
    expect(shown.stdout).toContain('Why is the sky blue?');
    const told = await run(['show', 'talk', '--store', place, '--json', '--last', '1']);
    expect(JSON.parse(told.stdout)).toMatchObject({ id: 'talk', damaged: expect.any(String), log: [{ seq: 1 }] });
    const exported = await run(['export', 'talk', '--store', place, '-o', join(folder, 'part.jsonl'), '--json']);
    expect([exported.code, JSON.parse(exported.stdout)]).toMatchObject([2, { code: 'damaged' }]);
    expect(exported.stderr).toMatch(/^rethread: session "talk": the log is damaged/);
    expect(existsSync(join(folder, 'part.jsonl'))).toBe(false);
    expect((await mend()).code).toBe(2);
    await run(['fork', 'talk', '--store', place, '--id', 'fork']);
    const shared = await mend('--keep', 'prefix');
    expect([shared.code, shared.stderr]).toEqual([
      2,
      'rethread: session "talk" shares its records with "fork"; erase those forks first, or keep all sound records with --keep salvage\n',
    ]);
    const mended = await mend('--keep', 'salvage', '--json');
    expect([mended.code, JSON.parse(mended.stdout)]).toMatchObject([
      0,
      { schema: 'rethread/mend@1', mended: true, keep: 'salvage', damages: [{ kind: 'checksum' }] },
    ]);
    expect((await run(['verify', '--store', place])).code).toBe(0);
  });
});

describe('an import that is not over', () => {
  test('is told from a whole session, and is whole afterwards', async () => {
    const place = `sqlite:${join(folder, 'halves.db')}`;
    const store = await open(place);
    const lines = readFileSync(join(folder, 'talk.jsonl'), 'utf8').split('\n');
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const importing = store.import(
      (async function* () {
        for (const [index, line] of lines.entries()) {
          if (index === 3) await stopped;
          yield Buffer.from(line === '' ? '' : `${line}\n`);
        }
      })(),
    );
    let listed = await run(['sessions', '--store', place]);
    for (let tries = 0; !listed.stdout.includes('talk') && tries < 50; tries += 1) {
      listed = await run(['sessions', '--store', place]);
    }
    expect([listed.code, listed.stdout]).toEqual([1, expect.stringContaining('HALF IMPORTED')]);
    expect((await run(['export', 'talk', '--store', place])).stderr).toMatch(/is an incomplete import/);
    expect((await run(['import', join(folder, 'talk.jsonl'), '--store', place])).stderr).toMatch(
      /is written by process/,
    );
    goOn();
    await importing;
    await store.close();
    expect((await run(['sessions', '--store', place])).code).toBe(0);
  });
});

describe('rethread erase', () => {
  test('removes nothing without a yes, and nothing that others share', async () => {
    const asked = await onStore('erase', 'talk');
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('say --yes to do it')]);
    const shared = await onStore('erase', 'talk', '--yes');
    expect([shared.code, shared.stderr]).toEqual([
      2,
      'rethread: session "talk" shares its records with "fork"; erase those forks first, or erase them too with --forks\n',
    ]);
    expect((await onStore('show', 'talk')).code).toBe(0);
    const { records } = await json('show', 'fork');
    const fork = await onStore('erase', 'fork');
    expect(fork.stderr).toBe(
      `rethread: this would remove fork (again) with ${Number(records)} record for good; say --yes to do it\n`,
    );
  });

  test('prints a receipt, and the session is gone', async () => {
    const { code, stdout } = await onStore('erase', 'talk', '--yes', '--forks');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^erased talk: \d+ records, [\d,]+ bytes, sha256:[\da-f]{64}\nerased fork: /);
    expect((await onStore('show', 'talk')).code).toBe(2);
    expect((await onStore('search', 'scattering')).code).toBe(1);
  });
});
