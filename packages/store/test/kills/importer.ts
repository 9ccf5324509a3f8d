import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { createEnvironment } from '../../src/environment.ts';
import { importSession } from '../../src/import.ts';
import { openDriver } from './open-driver.ts';

// Imports a file and prints its line count; after that many lines the stream stalls.
const [url = '', path = '', stop = ''] = process.argv.slice(2);
const environment = createEnvironment();
const [driver, owner] = [await openDriver(url), environment.owner()];
const context = {
  driver,
  environment,
  owner,
  leaseMs: 60_000,
  recordLimit: 1e8,
  writers: new Map(),
  recoveries: new Map(),
};

async function* slowly(): AsyncGenerator<Uint8Array> {
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (index === Number(stop)) {
      await pause(30);
      writeSync(1, 'stopped\n');
      await pause(600_000);
    }
    yield Buffer.from(line === '' ? '' : `${line}\n`);
    if (index % 100 === 0) {
      writeSync(1, `${index}\n`);
      await pause(1);
    }
  }
}

const { digest } = await importSession(context, slowly(), {});
writeSync(1, `whole ${digest}\n`);
await driver.close();
