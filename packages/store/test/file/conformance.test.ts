import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, test } from 'vitest';

import { conformance } from '../../src/conformance/index.ts';
import { openFile, openFileOn } from '../../src/drivers/file.ts';
import { FaultFiles } from '../fault-files.ts';

describe('the file driver on a real file system', () => {
  const root = mkdtempSync(join(tmpdir(), 'rethread-conformance-'));
  afterAll(() => rmSync(root, { recursive: true }));
  conformance({ test, open: (place, options) => openFile(`file:${join(root, place)}`, options) });
});

describe('the file driver in memory', () => {
  const files = new FaultFiles();
  files.makeFolder('/stores');
  conformance({ test, open: (place, options) => openFileOn(files)(`file:/stores/${place}`, options) });
});

describe('the file driver on a disk that takes half of every write', () => {
  const files = new FaultFiles();
  files.shortWrites = true;
  files.makeFolder('/stores');
  conformance({ test, open: (place, options) => openFileOn(files)(`file:/stores/${place}`, options) });
});
