import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

import { bundleCommand } from '../../tools/bundle.mjs';

// The tests bundle the command for themselves, so that no two of them wait for one build.
await bundleCommand(argv[2] ?? fileURLToPath(new URL('dist/rethread.js', import.meta.url)));
