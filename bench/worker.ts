// Each job loads only its own modules, so that none is measured in a process that another has warmed.
const jobs = {
  agentEvents: () => import('./agent-events.ts'),
  agentRecovery: () => import('./agent-recovery.ts'),
  append: () => import('./repair-append.ts'),
  compact: () => import('./compact-time.ts'),
  counts: () => import('./repair-counts.ts'),
  doctor: () => import('./doctor-work.ts'),
  history: () => import('./repair-history.ts'),
  peers: () => import('./repair-peers.ts'),
  simulator: () => import('./simulator-client.ts'),
  storeAppend: () => import('./store-append.ts'),
  storeGrowth: () => import('./store-growth.ts'),
  storePostgres: () => import('./store-postgres.ts'),
  storeRead: () => import('./store-reading.ts'),
  tokens: () => import('./compact-tokens.ts'),
};

export type Jobs = typeof jobs;
type Module<Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]>>;
export type JobOf<Name extends keyof Jobs> = Parameters<Module<Name>['measure']>[0];
export type OutcomeOf<Name extends keyof Jobs> = Awaited<ReturnType<Module<Name>['measure']>>;

const [, , name = '', input = ''] = process.argv;
const { measure } = (await jobs[name as keyof Jobs]()) as { measure: (job: unknown) => Promise<unknown> };
process.stdout.write(JSON.stringify(await measure(JSON.parse(input))));
