import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { createFaultLog } from '../src/fault.ts';
import { readRecords, rereadRecords } from '../src/files/log-file.ts';
import { createLineParser } from '../src/files/parse-line.ts';
import { createLineSplitter } from '../src/files/split-lines.ts';
import { collect } from './collect.ts';
import { temporaryFolder } from './temporary-folder.ts';

const isRecord = (value: object): boolean => 'id' in value;

async function read(content: string | Uint8Array) {
  const file = join(temporaryFolder({ log: content }), 'log');
  const faults = createFaultLog();
  const records = await collect(readRecords({ file, isRecord, faults }));
  const found = faults.list().map(({ kind, place }) => {
    if (place.kind !== 'line') throw new Error('a fault of a line has its place');
    return `${kind} ${place.line}:${place.byte}+${place.bytes}`;
  });
  return { file, records, values: records.map(({ value }) => value), found };
}

const [a, b, c] = ['{"id":1}', '{"id":2,"text":"a } { b \\" c"}', '{"id":3}'];
const values = [{ id: 1 }, { id: 2, text: 'a } { b " c' }, { id: 3 }];

describe('every line is read or reported', () => {
  const cases: readonly (readonly [name: string, content: string, read: { kept: number[]; faults?: string[] }])[] = [
    ['whole lines', `${a}\n${b}\n${c}\n`, { kept: [0, 1, 2] }],
    ['blank lines', `${a}\n\n  \n${c}\n`, { kept: [0, 2] }],
    ['no final line feed', `${a}\n${c}`, { kept: [0, 2], faults: ['no-final-newline 2:9+8'] }],
    ['a torn tail', `${a}\n{"id":3`, { kept: [0], faults: ['torn 2:9+7'] }],
    ['a torn line', `${a}\n{"id":3\n${b}\n`, { kept: [0, 1], faults: ['torn 2:9+7'] }],
    ['glued records', `${a}${b}\n${c}\n`, { kept: [0, 1, 2], faults: ['glued 1:8+30'] }],
    ['a record behind a torn one', `{"id":9,"te${a}\n`, { kept: [0], faults: ['torn 1:0+11', 'glued 1:11+8'] }],
    [
      'a record behind a torn text',
      `{"id":9,"text":"wor${a}\n`,
      { kept: [0], faults: ['torn 1:0+19', 'glued 1:19+8'] },
    ],
    ['an object inside of a torn record', `{"id":9,"in":{"kind":"text"}\n`, { kept: [], faults: ['torn 1:0+28'] }],
    ['a byte order mark', `\uFEFF${a}\n`, { kept: [0], faults: ['bom 1:0+11'] }],
    ['carriage returns, named once', `${a}\r\n${c}\r\n`, { kept: [0, 2], faults: ['crlf 1:0+9'] }],
    ['zeros before a record', `${a}\n\0\0\0${c}\n`, { kept: [0, 2], faults: ['nul 2:12+8'] }],
    ['zeros behind a record', `${a}\0\0\n${c}\n`, { kept: [0, 2], faults: ['nul 1:8+2'] }],
    ['nothing but zeros', `${a}\n\0\0\0\0`, { kept: [0], faults: ['nul 2:13+0'] }],
    ['text that is no JSON', `${a}\nhello\n${c}\n`, { kept: [0, 2], faults: ['not-json 2:9+5'] }],
    ['JSON that is no record', `${a}\n[1]\n7\n`, { kept: [0], faults: ['not-json 2:9+3', 'not-json 3:13+1'] }],
  ];

  test.each(cases)('%s', async (_, content, { kept, faults = [] }) => {
    const { values: found, found: reported } = await read(content);
    expect(found).toEqual(kept.map((at) => values[at]));
    expect(reported).toEqual(faults);
  });

  test('separators of Unicode within a text divide nothing', async () => {
    const { values: found, found: reported } = await read('{"id":1,"t":"\u2028\u0085"}\n');
    expect(found).toEqual([{ id: 1, t: '\u2028\u0085' }]);
    expect(reported).toEqual([]);
  });

  test('bytes that are not UTF-8 are read as U+FFFD, and reported', async () => {
    const { values: found, found: reported } = await read(Buffer.from('{"id":1,"t":"\xff"}\n', 'latin1'));
    expect(found).toEqual([{ id: 1, t: '\uFFFD' }]);
    expect(reported).toEqual(['bad-utf8 1:0+16']);
  });

  test('a record that is nested too deeply is reported', async () => {
    const { values: found, found: reported } = await read(
      `{"id":1,"t":${'['.repeat(5000)}${']'.repeat(5000)}}\n${c}\n`,
    );
    expect(found).toEqual([{ id: 3 }]);
    expect(reported).toEqual(['too-deep 1:0+10013']);
  });

  test('a key called __proto__ is a key like any other', async () => {
    const { values: found } = await read('{"id":1,"__proto__":{"polluted":true}}\n');
    expect(Object.keys(found[0] ?? {})).toEqual(['id', '__proto__']);
    expect('polluted' in {}).toBe(false);
  });
});

test('a line that is too long is not held, and those behind it are read', () => {
  const splitter = createLineSplitter(10);
  const faults = createFaultLog();
  const parse = createLineParser({ file: 'log', isRecord, faults });
  const chunks = ['{"id":', '1,"text":"', 'x'.repeat(100), `"}\n{"id":3}\n`].map((text) => Buffer.from(text));
  const records = chunks.flatMap((chunk) => splitter.push(chunk)).flatMap(parse);
  expect(records.map(({ value }) => value)).toEqual([{ id: 3 }]);
  expect(faults.list().map(({ kind, note }) => [kind, note.match(/\d+/)?.[0]])).toEqual([['too-long', '118']]);
});

test('records are found again by their places, in any order', async () => {
  const { file, records } = await read(`\uFEFF${a}${b}\n\0\0${c}\n`);
  const places = [2, 0, 1].map((at) => records[at]?.place).filter((place) => place !== undefined);
  const again = await rereadRecords(file, places, createFaultLog());
  expect(again).toEqual([values[2], values[0], values[1]]);
});

test('a record that has changed since it was read first is named', async () => {
  const { file, records } = await read(`${a}\n${b}\n${c}\n`);
  writeFileSync(file, `${a}\n{"id`);
  const faults = createFaultLog();
  const again = await rereadRecords(
    file,
    records.map(({ place }) => place),
    faults,
  );
  expect(again).toEqual([values[0], undefined, undefined]);
  expect(faults.list().map(({ kind, place }) => [kind, place.kind === 'line' && place.line])).toEqual([
    ['unreadable', 2],
    ['unreadable', 3],
  ]);
});

test('a file that is compressed with zstd is read like any other', async () => {
  const content = `${a}\n${b}\n${c}\n`;
  const { file, records, values: found, found: reported } = await read(zstdCompressSync(Buffer.from(content)));
  expect(found).toEqual(values);
  expect(reported).toEqual([]);
  const places = records.map(({ place }) => place);
  expect(await rereadRecords(file, places, createFaultLog())).toEqual(values);
});

test('a compressed file that was cut off is read as far as it goes, and reported', async () => {
  const whole = zstdCompressSync(Buffer.from(`${a}\n${`${c}\n`.repeat(1000)}`));
  const file = join(temporaryFolder({ log: whole.subarray(0, whole.length - 8) }), 'log');
  const faults = createFaultLog();
  await collect(readRecords({ file, isRecord, faults }));
  expect(faults.list().map(({ kind }) => kind)).toEqual(['unreadable']);
});
