import { runNode } from './run.mjs';
import { setUp } from './setup.mjs';

// In `node setup && node script` the shell would run the script on the Node that it found before the installation.
const code = await setUp();
process.exitCode = code === 0 ? await runNode(process.argv.slice(2)) : code;
