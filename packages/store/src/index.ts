export {
  type Appended,
  type Batch,
  type Damage,
  type Driver,
  type DriverOptions,
  type DriverVerdict,
  type Durability,
  type Entry,
  type Erased,
  type ForkPoint,
  type Head,
  type Hit,
  type InfoChange,
  type Lease,
  type ListQuery,
  type Mending,
  type NewSession,
  type OpenDriver,
  type Range,
  type SearchQuery,
  type SessionInfo,
  type Stored,
} from './driver.ts';
export { createEnvironment, type Environment, type Notice } from './environment.ts';
export { ownerName, type Owner } from './owner.ts';
export { decodeRecord, encodeRecord, type NewRecord, type StoredRecord } from './record.ts';
export { StoreError, type StoreErrorCode, type StoreErrorDetails } from './store-error.ts';
export type { ChildLink, ChildReport } from './children.ts';
export type { NewCheckpoint, Shorten, ShortenLogOptions } from './compaction.ts';
export type { CreateOptions } from './context.ts';
export type { EraseOptions, Receipt } from './erase.ts';
export type { ExportEnd, ExportHeader } from './export.ts';
export type { RevertTarget } from './revert.ts';
export type { Imported, ImportOptions } from './import.ts';
export type { ByteSource } from './lines.ts';
export { open, type OpenOptions } from './open.ts';
export type { Page, PageOptions } from './page.ts';
export type { Audit, Recovered, RecoverOptions } from './recover.ts';
export type { Found, SearchOptions } from './search.ts';
export { isFound } from './search-text.ts';
export { type FollowOptions, type ForkOptions, Session } from './session.ts';
export { type ListOptions, Store, type StoreOptions } from './store.ts';
export type { SessionDamage, SessionVerdict } from './verify.ts';
export type { AppendOptions } from './writer.ts';
