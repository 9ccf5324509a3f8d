import type { AgentEvents, AgentEventsJob } from './agent-events.ts';
import type { AgentMemory, AgentMemoryJob } from './agent-memory.ts';
import type { AgentRecovery, AgentRecoveryJob } from './agent-recovery.ts';
import type { AppendJob, AppendTimings } from './append.ts';
import type { CompactJob, CompactTimings } from './compact-timings.ts';
import type { HistoryJob, HistoryTimings } from './history-timings.ts';
import type { InMemoryJob, InMemoryTimings } from './in-memory-timings.ts';
import type { MemoryJob, MemoryUse } from './memory.ts';
import type { PeersJob, PeerTimings } from './peers.ts';
import type { SimulatorJob, SimulatorTimings } from './simulator-client.ts';
import type { StoreAppendJob, StoreAppends } from './store-append.ts';
import type { StoreGrowth, StoreGrowthJob } from './store-growth.ts';
import type { PeerGrowth, StorePeerJob } from './store-peer.ts';
import type { Listing, Read, StoreReadJob } from './store-reading.ts';
import type { TokensJob, TokenTimings } from './token-timings.ts';
import type { VisitsJob, Visits } from './visits.ts';

export type Jobs = {
  agentEvents: (job: AgentEventsJob) => Promise<AgentEvents>;
  agentMemory: (job: AgentMemoryJob) => Promise<AgentMemory>;
  agentRecovery: (job: AgentRecoveryJob) => Promise<AgentRecovery>;
  append: (job: AppendJob) => Promise<AppendTimings>;
  compact: (job: CompactJob) => Promise<CompactTimings>;
  history: (job: HistoryJob) => Promise<HistoryTimings>;
  inMemory: (job: InMemoryJob) => Promise<InMemoryTimings>;
  memory: (job: MemoryJob) => Promise<MemoryUse>;
  peers: (job: PeersJob) => Promise<PeerTimings>;
  simulator: (job: SimulatorJob) => Promise<SimulatorTimings>;
  storeAppend: (job: StoreAppendJob) => Promise<StoreAppends>;
  storeGrowth: (job: StoreGrowthJob) => Promise<StoreGrowth>;
  storeListing: (job: { sessions: number }) => Promise<Listing>;
  storePeer: (job: StorePeerJob) => Promise<PeerGrowth[]>;
  storeRead: (job: StoreReadJob) => Promise<Read>;
  tokens: (job: TokensJob) => Promise<TokenTimings>;
  visits: (job: VisitsJob) => Promise<Visits>;
};

// Each job loads only its own modules, so that none is measured in a process that another has warmed.
const jobs: Jobs = {
  agentEvents: async (job) => (await import('./agent-events.ts')).measureAgentEvents(job),
  agentMemory: async (job) => (await import('./agent-memory.ts')).measureAgentMemory(job),
  agentRecovery: async (job) => (await import('./agent-recovery.ts')).measureAgentRecovery(job),
  append: async (job) => (await import('./append.ts')).measureAppend(job),
  compact: async (job) => (await import('./compact-timings.ts')).measureCompact(job),
  history: async (job) => (await import('./history-timings.ts')).measureHistory(job),
  inMemory: async (job) => (await import('./in-memory-timings.ts')).measureInMemory(job),
  memory: async (job) => (await import('./memory.ts')).measureMemory(job),
  peers: async (job) => (await import('./peers.ts')).measurePeers(job),
  simulator: async (job) => (await import('./simulator-client.ts')).measureSimulator(job),
  storeAppend: async (job) => (await import('./store-append.ts')).measureStoreAppends(job),
  storeGrowth: async (job) => (await import('./store-growth.ts')).measureStoreGrowth(job),
  storeListing: async (job) => (await import('./store-listing.ts')).measureListing(job),
  storePeer: async (job) => (await import('./store-peer.ts')).measureStorePeer(job),
  storeRead: async (job) => (await import('./store-reading.ts')).readStore(job),
  tokens: async (job) => (await import('./token-timings.ts')).measureTokens(job),
  visits: async (job) => (await import('./visits.ts')).countVisits(job),
};

const [, , name = '', input = ''] = process.argv;
const job = jobs[name as keyof Jobs] as (job: unknown) => Promise<unknown>;
process.stdout.write(JSON.stringify(await job(JSON.parse(input))));
