import type { AppendJob, AppendTimings } from './append.ts';
import type { FirstCall, FirstCallJob } from './first-call.ts';
import type { HistoryJob, HistoryTimings } from './history-timings.ts';
import type { MemoryJob, MemoryUse } from './memory.ts';
import type { PeersJob, PeerTimings } from './peers.ts';
import type { VisitsJob, Visits } from './visits.ts';

export type Jobs = {
  append: (job: AppendJob) => Promise<AppendTimings>;
  'first-call': (job: FirstCallJob) => Promise<FirstCall>;
  history: (job: HistoryJob) => Promise<HistoryTimings>;
  memory: (job: MemoryJob) => Promise<MemoryUse>;
  peers: (job: PeersJob) => Promise<PeerTimings>;
  visits: (job: VisitsJob) => Promise<Visits>;
};

// Each job loads only its own modules: a first call is not the first when something else has warmed the process.
const jobs: Jobs = {
  append: async (job) => (await import('./append.ts')).measureAppend(job),
  'first-call': async (job) => (await import('./first-call.ts')).measureFirstCall(job),
  history: async (job) => (await import('./history-timings.ts')).measureHistory(job),
  memory: async (job) => (await import('./memory.ts')).measureMemory(job),
  peers: async (job) => (await import('./peers.ts')).measurePeers(job),
  visits: async (job) => (await import('./visits.ts')).countVisits(job),
};

const [, , name = '', input = ''] = process.argv;
const job = jobs[name as keyof Jobs] as (job: unknown) => Promise<unknown>;
process.stdout.write(JSON.stringify(await job(JSON.parse(input))));
