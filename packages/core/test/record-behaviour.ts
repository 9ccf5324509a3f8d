import { writeFileSync } from 'node:fs';
import { shelves } from './behaviour.ts';

const recorded = Object.fromEntries(shelves.map(({ name, digest }) => [name, digest()]));
writeFileSync(new URL('behaviour.json', import.meta.url), `${JSON.stringify(recorded, undefined, 2)}\n`);
