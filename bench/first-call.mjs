import { readFileSync } from 'node:fs';

import { repair } from '@rethread/core';

// Plain JavaScript on purpose: Node's type stripping would warm the process, which would then be fresh no more.
const text = readFileSync(0, 'utf8');
const start = performance.now();
const history = JSON.parse(text);
const parsed = performance.now();
repair(history, /** @type {import('@rethread/core').Dialect} */ (process.argv[2]));
const called = performance.now();
process.stdout.write(JSON.stringify({ parseMs: parsed - start, callMs: called - parsed }));
