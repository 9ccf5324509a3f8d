import { conformance } from '@rethread/store/conformance';
import { describe, test } from 'vitest';

import { openMemory } from '../src/drivers/memory.ts';

describe('the memory driver', () => {
  conformance({ test, open: (place, options) => openMemory(`memory:${place}`, options) });
});
