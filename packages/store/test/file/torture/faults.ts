import { blobWorkload, type Ledger, settleLedger } from './workload.ts';
import { FaultFiles } from '../../fault-files.ts';
import { add, chanceOf, Machine, must, type Tally } from './world.ts';

const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'EINTR', 'EAGAIN'];

type Plan = { readonly at: number; readonly code: string; readonly forEver: boolean; readonly short?: number };

async function withFault(plan: Plan, tally: Tally): Promise<boolean> {
  const machine = new Machine();
  const files = new FaultFiles();
  files.fault = plan;
  const ledger: Ledger = await blobWorkload(files, machine);
  const reached = files.calls >= plan.at;
  files.fault = undefined;
  const what = `call ${plan.at} fails with ${plan.code}${plan.forEver ? ' for ever' : ''}`;
  // A new process finds what the system has, or after a power failure what was synced.
  machine.dead.add(1);
  machine.now += 60_000;
  const power = files.afterPowerCut(() => 'dropped');
  await settleLedger(files, machine, { ledger, what });
  await settleLedger(power, machine, { ledger, what: `${what}, then the power is cut` });
  add(tally, 'failing calls survived');
  if (ledger.failures > 0) add(tally, 'failing calls told');
  return reached;
}

/** Fails every call with every error, once and forever, until a run finishes without reaching it. */
export async function failEveryCall(tally: Tally, step = 1): Promise<void> {
  for (const code of codes) {
    for (const forEver of [false, true]) {
      for (let at = 1; await withFault({ at, code, forEver }, tally); at += step);
    }
  }
  for (const short of [0, 1, 7, 100]) {
    for (let at = 1; await withFault({ at, code: 'ENOSPC', forEver: true, short }, tally); at += step);
  }
}

/** Cuts the power at every call, with unsynced sectors kept, dropped, zeroed or filled with garbage. */
export async function cutPowerEverywhere(tally: Tally, choices: number, step = 1): Promise<void> {
  const fates = ['kept', 'dropped', 'zeroed', 'garbage'] as const;
  for (let at = 1; ; at += step) {
    const machine = new Machine();
    const files = new FaultFiles();
    files.cutAt = at;
    const ledger = await blobWorkload(files, machine);
    if (files.calls < at) break;
    machine.dead.add(1);
    machine.now += 60_000;
    for (let choice = 0; choice < choices; choice += 1) {
      const chance = chanceOf(at * 1_000 + choice);
      const uniform = fates[choice];
      const after = files.afterPowerCut(
        () => uniform ?? fates[Math.floor(chance() * 4)] ?? 'kept',
        () => (choice < 2 ? choice === 0 : chance() < 0.5),
      );
      await settleLedger(after, machine, { ledger, what: `power cut at call ${at}, choice ${choice}` });
      add(tally, 'power cuts');
    }
  }
  must((tally['power cuts'] ?? 0) > 0, () => 'no power cut was tried');
}
