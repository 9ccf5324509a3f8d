import type { AppendJob, AppendTimings } from './append.ts';
import type { CompactJob, CompactTimings } from './compact-timings.ts';
import type { HistoryJob, HistoryTimings } from './history-timings.ts';
import type { InMemoryJob, InMemoryTimings } from './in-memory-timings.ts';
import type { MemoryJob, MemoryUse } from './memory.ts';
import type { PeersJob, PeerTimings } from './peers.ts';
import type { SimulatorJob, SimulatorTimings } from './simulator-client.ts';
import type { TokensJob, TokenTimings } from './token-timings.ts';
import type { VisitsJob, Visits } from './visits.ts';

export type Jobs = {
  append: (job: AppendJob) => Promise<AppendTimings>;
  compact: (job: CompactJob) => Promise<CompactTimings>;
  history: (job: HistoryJob) => Promise<HistoryTimings>;
  inMemory: (job: InMemoryJob) => Promise<InMemoryTimings>;
  memory: (job: MemoryJob) => Promise<MemoryUse>;
  peers: (job: PeersJob) => Promise<PeerTimings>;
  simulator: (job: SimulatorJob) => Promise<SimulatorTimings>;
  tokens: (job: TokensJob) => Promise<TokenTimings>;
  visits: (job: VisitsJob) => Promise<Visits>;
};

// Each job loads only its own modules, so that none is measured in a process that another has warmed.
const jobs: Jobs = {
  append: async (job) => (await import('./append.ts')).measureAppend(job),
  compact: async (job) => (await import('./compact-timings.ts')).measureCompact(job),
  history: async (job) => (await import('./history-timings.ts')).measureHistory(job),
  inMemory: async (job) => (await import('./in-memory-timings.ts')).measureInMemory(job),
  memory: async (job) => (await import('./memory.ts')).measureMemory(job),
  peers: async (job) => (await import('./peers.ts')).measurePeers(job),
  simulator: async (job) => (await import('./simulator-client.ts')).measureSimulator(job),
  tokens: async (job) => (await import('./token-timings.ts')).measureTokens(job),
  visits: async (job) => (await import('./visits.ts')).countVisits(job),
};

const [, , name = '', input = ''] = process.argv;
const job = jobs[name as keyof Jobs] as (job: unknown) => Promise<unknown>;
process.stdout.write(JSON.stringify(await job(JSON.parse(input))));
