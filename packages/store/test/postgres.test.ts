import { describe, test } from 'vitest';

import { conformance } from '../src/conformance/index.ts';
import { openPostgres } from '../src/drivers/postgres.ts';
import { freshDatabase } from './postgres-server.ts';

describe('the PostgreSQL driver passes the conformance suite', () => {
  let database: Promise<string> | undefined;
  conformance({
    test,
    open: async (place, options) => {
      const url = new URL(await (database ??= freshDatabase()));
      // Every place of the suite is a schema, so that one database is enough.
      url.searchParams.set('schema', place.toLowerCase().replaceAll('-', '_'));
      return openPostgres(url.href, options);
    },
  });
});
