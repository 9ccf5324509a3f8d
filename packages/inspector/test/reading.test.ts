import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openSession } from '@rethread/formats';
import { describe, expect, test } from 'vitest';

import { readAnsi } from '../src/page/ansi.ts';
import { editOf, isDiff } from '../src/page/edit-diff.ts';
import { Heights } from '../src/page/heights.ts';
import { fileRef } from '../src/reader/file-ref.ts';
import { readSession, type OpenSession } from '../src/reader/open-session.ts';
import { viewRows } from '../src/reader/view-rows.ts';
import { call, ClaudeLog, everything, FIXTURE_FILES, makeHome, text } from './home.ts';

async function read(path: string): Promise<OpenSession> {
  const ref = await fileRef(path);
  if (ref === undefined) throw new Error('there is no file');
  return readSession({ ...ref, key: 'k' }, () => undefined);
}

async function readText(words: string): Promise<OpenSession> {
  const home = makeHome();
  try {
    return await read(home.write('session', words));
  } finally {
    home.remove();
  }
}

describe('a session of any tool', () => {
  test.each(FIXTURE_FILES)('%s: every record that is sent is shown as words', async (_, fixture) => {
    const open = await read(fixture);
    const sent = Array.from({ length: open.store.length }, (_, entry) => entry).filter((entry) =>
      open.index.isSent(entry),
    );
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter((entry) => !open.index.isSaid(entry))).toEqual([]);
    await open.store.close();
  });

  test.each(FIXTURE_FILES)('%s: the rows hold every record once, in its order', async (_, fixture) => {
    const open = await read(fixture);
    const rows = await viewRows(open, 0, open.index.rows);
    const entries = rows
      .flatMap(({ said, others }) => [...said, ...others].map(({ entry }) => entry))
      .sort((a, b) => a - b);
    let records = 0;
    for await (const _ of (await openSession(fixture)).entries()) records += 1;
    expect(entries).toEqual(Array.from({ length: records }, (_, entry) => entry));
    await open.store.close();
  });
});

describe('rows', () => {
  test('a step has its calls and their results; what follows is a row of its own', async () => {
    const open = await readText(everything());
    expect(open.overview.marks.map(({ kind }) => kind)).toEqual(['compaction', 'interruption']);
    expect(Array.from({ length: open.index.rows }, (_, row) => open.index.kindOf(row)).join(' ')).toBe(
      'user step mark user user step step user step user user',
    );
  });

  test('a call knows the row of a late result, and that there is none', async () => {
    const log = new ClaudeLog()
      .user('Go')
      .answer([call('late', 'Bash', {}), call('never', 'Bash', {})])
      .user('Are you there?')
      .results(['late', 'at last'], ['unknown', 'for nobody']);
    const open = await readText(log.text);
    expect(open.index.elsewhere.get(1)).toEqual(
      new Map([
        ['late', 3],
        ['never', -1],
      ]),
    );
    expect(open.index.elsewhere.get(3)).toEqual(
      new Map([
        ['late', 1],
        ['unknown', -1],
      ]),
    );
  });

  test('a line that cannot be read has a row where it stands', async () => {
    const home = makeHome();
    const lines = new ClaudeLog()
      .user('One')
      .answer([text('Two')])
      .text.split('\n');
    const path = join(home.folder, 'torn.jsonl');
    writeFileSync(path, [lines[0], '{"type":"user","uuid":"u9","mess', lines[1], ''].join('\n'));
    const open = await read(path);
    const rows = await viewRows(open, 0, open.index.rows);
    expect(rows.map(({ kind }) => kind)).toEqual(['user', 'fault', 'step']);
    expect(rows[1]?.fault?.where).toBe('line 2');
    home.remove();
  });
});

describe('the heights of rows', () => {
  test('are found and changed as if they were added up', () => {
    const plain = Array.from({ length: 1000 }, (_, row) => 20 + ((row * 37) % 90));
    const heights = new Heights(plain.length, (row) => plain[row] ?? 0);
    for (let row = 0; row < 1000; row += 7) {
      plain[row] = 10 + (row % 300);
      heights.measure(row, plain[row] ?? 0);
    }
    let top = 0;
    for (const [row, height] of plain.entries()) {
      expect(heights.top(row)).toBe(top);
      expect(heights.find(top)).toBe(row);
      expect(heights.find(top + height - 1)).toBe(row);
      top += height;
    }
    expect(heights.total).toBe(top);
    expect([heights.find(-5), heights.find(top + 99), new Heights(0, () => 1).find(3)]).toEqual([0, 999, 0]);
  });
});

describe('output', () => {
  test('of a terminal is divided by its colours, and nothing else of it is obeyed', () => {
    const spans = readAnsi('a\u001B[1;31mb\u001B[0m\u001B]0;title\u0007c\u001B[2J\u001B[38;5;200md');
    expect(spans).toEqual([
      { text: 'a', style: '' },
      { text: 'b', style: 'ansi-bold ansi-red' },
      { text: 'c', style: '' },
      { text: 'd', style: '' },
    ]);
  });

  test('of an edit or a patch is a difference', () => {
    const edit = editOf(JSON.stringify({ old_string: 'a\nb', new_string: 'a\nc' }));
    expect(edit).toEqual([
      { sign: ' ', text: 'a' },
      { sign: '-', text: 'b' },
      { sign: '+', text: 'c' },
    ]);
    expect(
      editOf('*** Begin Patch\n+new\n-old\n*** End Patch')
        ?.map(({ sign }) => sign)
        .join(''),
    ).toBe('@+-@');
    expect(editOf('{"command":"ls"}')).toBeUndefined();
    expect([isDiff('@@ -1 +1 @@\n-a\n+b'), isDiff('a list:\n- one\n+ two')]).toEqual([true, false]);
  });
});
