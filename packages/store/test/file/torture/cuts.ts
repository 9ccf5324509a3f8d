import type { Driver } from '../../../src/driver.ts';
import {
  add,
  batchesOf,
  batchOf,
  codeOf,
  entryOf,
  folderOf,
  logPath,
  Machine,
  makeLog,
  must,
  openOn,
  readAll,
  readBack,
  storeOf,
  storeWith,
  take,
  type Tally,
  textsOf,
} from './world.ts';

/** For every record, where its batch ends in the log. */
function endsOf(log: Buffer): { readonly header: number; readonly ends: number[] } {
  const lines = log.toString('latin1').split('\n').slice(0, -1);
  let offset = 0;
  let waiting = 0;
  const ends: number[] = [];
  for (const line of lines) {
    offset += line.length + 1;
    waiting += 1;
    if (/"more":\d+\}\]$|"more":\d+,[^{}]*\}\]$/.test(line)) continue;
    for (; waiting > 0; waiting -= 1) ends.push(offset);
  }
  return { header: ends.shift() ?? 0, ends };
}

type Cut = {
  readonly id: string;
  readonly log: Buffer;
  readonly at: number;
  readonly expected: readonly string[];
  readonly state: 'torn' | 'whole';
};

/** A cut log must contain every complete batch before the cut. Every eighth one is also read backward and verified. */
async function readCut(driver: Driver, { id, at, expected, state }: Cut): Promise<void> {
  const all = expected.join('\n');
  must(textsOf(await readAll(driver, id)).join('\n') === all, () => `cut at ${at}: read forward`);
  if (at % 8 !== 0) return;
  must(textsOf(await readBack(driver, id)).join('\n') === all, () => `cut at ${at}: read backward`);
  const { damages } = await driver.verify(id);
  const kinds = damages.map(({ kind }) => kind).join();
  must(kinds === (state === 'torn' ? 'torn-tail' : ''), () => `cut at ${at}: ${JSON.stringify(damages)}`);
}

/** Opens cut logs, appends to each, and opens them again. */
async function openCuts(cuts: readonly Cut[]): Promise<void> {
  const machine = new Machine();
  const files = storeOf(new Map(cuts.map(({ id, log, at }) => [id, log.subarray(0, at)])));
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  for (const cut of cuts) await readCut(driver, cut);
  await Promise.all(
    cuts.map(async ({ id, expected }) => {
      const lease = await take(driver, environment, id);
      await driver.append(batchOf(lease, [entryOf(expected.length + 1, 'behind the cut')]));
    }),
  );
  await driver.close();
  const told = machine.notices.flatMap(({ kind, session }) => (kind === 'torn-tail' ? [String(session)] : [])).sort();
  const torn = cuts.flatMap(({ id, state }) => (state === 'torn' ? [id] : [])).sort();
  must(told.join() === torn.join(), () => `torn: ${torn.join()}; told: ${told.join()}`);
  machine.now += 60_000;
  const again = await openOn(files, machine.environment());
  for (const cut of cuts) {
    const expected = [...cut.expected, ...textsOf([entryOf(cut.expected.length + 1, 'behind the cut')])];
    await readCut(again, { ...cut, expected, state: 'whole' });
    if (cut.at % 8 !== 0) continue;
    const lines = files
      .peek(`${folderOf(cut.id)}/log.jsonl`)
      .toString()
      .split('\n');
    for (const line of lines) if (line.trim() !== '') JSON.parse(line);
  }
  await again.close();
}

const together = 48;

/** Cuts logs at every byte until there were enough cuts. */
export async function cutEverywhere(wanted: number, tally: Tally, firstSeed = 1): Promise<void> {
  let done = 0;
  for (let seed = firstSeed; done < wanted; seed += 1) {
    const batches = batchesOf(seed, 8 + (seed % 7), 200);
    const texts = textsOf(batches.flat());
    const ids = Array.from({ length: together }, (_, index) => `c${index + 10}`);
    const logs = await Promise.all(ids.map(async (id) => ({ id, log: (await makeLog(batches, id)).bytes })));
    const { header, ends } = endsOf(logs[0]?.log ?? Buffer.alloc(0));
    const last = Math.min(logs[0]?.log.length ?? 0, header + wanted - done - 1);
    for (let from = header; from <= last; from += together) {
      const cuts = logs.slice(0, last + 1 - from).map(({ id, log }, index): Cut => {
        const at = from + index;
        // Without its head, a log that ends at a batch is complete.
        const state = at === header || ends.includes(at) ? 'whole' : 'torn';
        return { id, log, at, expected: texts.slice(0, ends.filter((end) => end <= at).length), state };
      });
      await openCuts(cuts);
      for (const { state } of cuts) add(tally, `cut points, ${state}`);
      done += cuts.length;
    }
  }
}

/** If the first line itself is cut, the session is listed as damaged, and nothing is written to its log. */
export async function cutHeader(tally: Tally): Promise<void> {
  const { bytes: log } = await makeLog(batchesOf(3, 4));
  const { header } = endsOf(log);
  for (let cut = 0; cut < header; cut += 1) {
    const machine = new Machine();
    const environment = machine.environment();
    const files = storeWith(log.subarray(0, cut));
    const driver = await openOn(files, environment);
    must((await codeOf(readAll(driver))) === 'damaged', () => `header cut at ${cut}: read`);
    const lease = await take(driver, environment);
    const code = await codeOf(driver.append(batchOf(lease, [entryOf(1, 'x')])));
    must(code === 'damaged', () => `header cut at ${cut}: ${code}`);
    must(files.peek(logPath).equals(log.subarray(0, cut)), () => `header cut at ${cut}: the log changed`);
    for await (const { id, damaged } of driver.list({})) must(id === 's' && damaged !== undefined, () => 'list');
    add(tally, 'cut points, first line');
  }
}

/** Records lost from the end are noticed, refused and mended while the head note survives. */
export async function cutWithHead(tally: Tally): Promise<void> {
  const batches = batchesOf(5, 12);
  const { bytes: log, files: original } = await makeLog(batches);
  const texts = textsOf(batches.flat());
  const { header } = endsOf(log);
  const head = original.peek('/store/sessions/s-s/head.json');
  for (let cut = header; cut < log.length; cut += 1) {
    const machine = new Machine();
    const environment = machine.environment();
    const files = storeWith(log.subarray(0, cut));
    files.poke('/store/sessions/s-s/head.json', head);
    const driver = await openOn(files, environment);
    // The head proves that every batch was complete, so every surviving line counts.
    const expected = texts.slice(0, log.subarray(header, cut).filter((byte) => byte === 0x0a).length);
    must((await codeOf(readAll(driver))) === 'damaged', () => `cut at ${cut} with a head: read`);
    const { damages } = await driver.verify('s');
    must(
      damages.some(({ kind }) => kind === 'tail-lost'),
      () => `cut at ${cut} with a head: ${JSON.stringify(damages)}`,
    );
    const lease = await take(driver, environment);
    const next = entryOf(expected.length + 1, 'behind the cut');
    must((await codeOf(driver.append(batchOf(lease, [next])))) === 'damaged', () => `cut at ${cut}: append`);
    const mended = await driver.mend?.(lease, 'prefix');
    must(mended?.damages.length === 0, () => `cut at ${cut}: mended ${JSON.stringify(mended)}`);
    await driver.append(batchOf(lease, [next]));
    const all = [...expected, ...textsOf([next])].join('\n');
    must(textsOf(await readAll(driver)).join('\n') === all, () => `cut at ${cut}: after mending`);
    await driver.close();
    add(tally, 'cut points, with the head');
  }
}
