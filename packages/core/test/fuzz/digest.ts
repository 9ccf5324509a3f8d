import { createHash } from 'node:crypto';
import { repair } from '../../src/index.ts';
import { sampleAt } from './histories.ts';
import { seedAt } from './random.ts';

/** One digest over the outputs and reports of many repairs, for comparing processes with one another. */
const [seed = '0', count = '0'] = process.argv.slice(2);
const hash = createHash('sha256');
for (let index = 0; index < Number(count); index += 1) {
  const sample = sampleAt(seedAt(Number(seed), index));
  hash.update(JSON.stringify(repair(sample.input, sample.target, sample.options)));
}
process.stdout.write(hash.digest('hex'));
