import { describe, expect, test } from 'vitest';

import { cutHeader, cutWithHead } from './torture/cuts.ts';
import { cutPowerEverywhere, failEveryCall } from './torture/faults.ts';
import { stopEveryMend } from './torture/mends.ts';
import { fightOften } from './torture/rivals.ts';
import { flipBits, haveAccidents, mendEach } from './torture/rot.ts';
import type { Tally } from './torture/world.ts';

const minutes = 60_000;

describe('a log survives every fault', () => {
  test('a log with a cut first line is refused by name and not touched', async () => {
    const tally: Tally = {};
    await cutHeader(tally);
    expect(tally['cut points, first line']).toBeGreaterThan(100);
  });

  test(
    'records lost from the end are noticed while the head note survives',
    async () => {
      const tally: Tally = {};
      await cutWithHead(tally);
      expect(tally['cut points, with the head']).toBeGreaterThan(1_000);
    },
    3 * minutes,
  );

  test(
    'a flipped bit is found, and every other record comes back',
    async () => {
      const tally: Tally = {};
      await flipBits(tally, { bytes: 8_192, step: 5 });
      expect(tally['bits flipped']).toBeGreaterThan(13_000);
    },
    3 * minutes,
  );

  test(
    'smears, zeros and lost, doubled, swapped or foreign records are named, and nothing altered comes back',
    async () => {
      const tally: Tally = {};
      await haveAccidents(12_000, tally);
      expect(tally['accidents']).toBeGreaterThan(11_000);
    },
    3 * minutes,
  );

  test(
    'damage in the middle refuses appends until it is mended, and the old bytes stay',
    async () => {
      const tally: Tally = {};
      await mendEach(80, tally);
      expect(tally).toEqual({ 'mended, prefix': 40, 'mended, salvage': 40 });
    },
    3 * minutes,
  );

  test(
    'a mend may be stopped at any call, and so may the next one',
    async () => {
      const tally: Tally = {};
      await stopEveryMend(tally, { first: 10, second: 61 });
      expect(tally['mended after 1 stop']).toBeGreaterThan(150);
      expect(tally['mended after 2 stops']).toBeGreaterThan(250);
    },
    5 * minutes,
  );

  test(
    'a failing system call loses no acknowledged record and is reported',
    async () => {
      const tally: Tally = {};
      await failEveryCall(tally, 7);
      expect(tally['failing calls told']).toBeGreaterThan(300);
    },
    5 * minutes,
  );

  test(
    'a power failure at any call loses no acknowledged record',
    async () => {
      const tally: Tally = {};
      await cutPowerEverywhere(tally, 12, 2);
      expect(tally['power cuts']).toBeGreaterThan(800);
    },
    5 * minutes,
  );

  test(
    'competing writers never both win',
    async () => {
      const tally: Tally = {};
      await fightOften(150, tally);
      expect(tally['refused as stale']).toBeGreaterThan(100);
    },
    3 * minutes,
  );
});
