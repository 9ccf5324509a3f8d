import { posix } from 'node:path';

import type { Files, FileState, Opening } from '../src/drivers/file/files.ts';

const sectorBytes = 512;

/** The effect of a power failure on an unsynced sector. */
export type Fate = 'kept' | 'dropped' | 'zeroed' | 'garbage';

type Node = {
  readonly ino: number;
  readonly kind: 'file' | 'folder' | 'link' | 'pipe';
  live: Uint8Array;
  size: number;
  /** The disk contents; `dirty` sectors are newer in `live`. */
  durable: Uint8Array;
  durableSize: number;
  dirty: Set<number>;
  readonly names: Map<string, Node>;
  durableNames: Map<string, Node>;
  links: number;
  changedMs: number;
};

export type Fault = {
  /** The failing call, counted from 1. */
  readonly at: number;
  readonly code: string;
  /** Whether every later call of the same kind fails too. */
  readonly forEver?: boolean;
  /** A write takes this many bytes before it fails. */
  readonly short?: number;
};

export class SystemError extends Error {
  readonly code: string;
  constructor(code: string, what: string) {
    super(`${code}: ${what}`);
    this.code = code;
  }

  /** Without a stack trace, which would dominate the run: a torture creates millions of errors. */
  static of(code: string, what: string): SystemError {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      return new SystemError(code, what);
    } finally {
      Error.stackTraceLimit = limit;
    }
  }
}

/** Ends everything at a call, like a power failure. */
export class PowerCut extends Error {}

type Opened = { readonly node: Node; readonly append: boolean };

/** A file system in memory with a live and a durable state. Its calls are counted and can fail. */
export class FaultFiles implements Files {
  calls = 0;
  /** The names of all calls in order, if recording is on. */
  trace: string[] | undefined;
  fault: Fault | undefined;
  cutAt: number | undefined;
  shortWrites = false;
  clockMs = 1_000;
  syncs = 0;
  #nodes = 0;
  #next = 10;
  #root: Node = this.#make('folder');
  readonly #open = new Map<number, Opened>();

  #make(kind: Node['kind']): Node {
    this.#nodes += 1;
    return {
      ino: this.#nodes,
      kind,
      live: new Uint8Array(0),
      size: 0,
      durable: new Uint8Array(0),
      durableSize: 0,
      dirty: new Set(),
      names: new Map(),
      durableNames: new Map(),
      links: 1,
      changedMs: 0,
    };
  }

  /** Counts a call and makes it fail if it is due. */
  #call(name: string, path: string): void {
    this.calls += 1;
    this.trace?.push(name);
    if (this.cutAt !== undefined && this.calls >= this.cutAt) throw new PowerCut(`power cut at call ${this.calls}`);
    const { fault } = this;
    if (fault === undefined || this.calls < fault.at) return;
    if (this.calls > fault.at && fault.forEver !== true) return;
    if (name === 'write' && fault.short !== undefined && this.calls === fault.at) return;
    throw SystemError.of(fault.code, `${name} ${path}`);
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (let from = 0, to = 0; from < path.length && node !== undefined; from = to + 1) {
      to = path.indexOf('/', from);
      if (to === -1) to = path.length;
      if (to > from) node = node.names.get(path.slice(from, to));
    }
    return node;
  }

  #need(path: string): Node {
    const node = this.#find(path);
    if (node === undefined) throw SystemError.of('ENOENT', path);
    return node;
  }

  #folder(path: string): { parent: Node; name: string } {
    const parent = this.#need(posix.dirname(path));
    if (parent.kind !== 'folder') throw SystemError.of('ENOTDIR', path);
    return { parent, name: posix.basename(path) };
  }

  #file(file: number): Opened {
    const opened = this.#open.get(file);
    if (opened === undefined) throw SystemError.of('EBADF', String(file));
    return opened;
  }

  get openFiles(): number {
    return this.#open.size;
  }

  open(path: string, how: Opening): number {
    this.#call('open', path);
    const { parent, name } = this.#folder(path);
    let node = parent.names.get(name);
    const creates = how === 'create' || how === 'create-append';
    if (creates && node !== undefined) throw SystemError.of('EEXIST', path);
    if (!creates && node === undefined) throw SystemError.of('ENOENT', path);
    if (node !== undefined && node.kind !== 'file') throw SystemError.of('ELOOP', path);
    if (node === undefined) {
      node = this.#make('file');
      parent.names.set(name, node);
    }
    this.#next += 1;
    this.#open.set(this.#next, { node, append: how === 'append' || how === 'create-append' });
    return this.#next;
  }

  close(file: number): void {
    // A failed close still closes the file.
    this.#open.delete(file);
    this.#call('close', String(file));
  }

  read(file: number, into: Uint8Array, at: number): number {
    this.#call('read', String(file));
    const { node } = this.#file(file);
    const count = Math.max(0, Math.min(into.length, node.size - at));
    into.set(node.live.subarray(at, at + count));
    return count;
  }

  write(file: number, bytes: Uint8Array, at?: number): number {
    const { node, append } = this.#file(file);
    this.#call('write', String(file));
    const { fault } = this;
    let taken = bytes;
    if (fault?.short !== undefined && this.calls === fault.at) taken = bytes.subarray(0, fault.short);
    else if (this.shortWrites && bytes.length > 1) taken = bytes.subarray(0, Math.ceil(bytes.length / 2));
    const from = append || at === undefined ? node.size : at;
    const end = from + taken.length;
    if (end > node.live.length) {
      const room = new Uint8Array(Math.max(end, node.live.length * 2, 256));
      room.set(node.live.subarray(0, node.size));
      node.live = room;
    }
    node.live.set(taken, from);
    node.size = Math.max(node.size, end);
    node.changedMs = this.clockMs;
    for (let sector = Math.floor(from / sectorBytes); sector * sectorBytes < end; sector += 1) node.dirty.add(sector);
    return taken.length;
  }

  async writeLater(file: number, bytes: Uint8Array, at: number): Promise<number> {
    await Promise.resolve();
    return this.write(file, bytes, at);
  }

  sync(file: number): void {
    const { node } = this.#file(file);
    try {
      this.#call('sync', String(file));
    } catch (error) {
      // Unwritten data is dropped and counts as written, as in the kernels we know.
      if (error instanceof SystemError) node.dirty.clear();
      throw error;
    }
    this.syncs += 1;
    if (node.durable.length < node.size) {
      const longer = new Uint8Array(node.live.length);
      longer.set(node.durable.subarray(0, node.durableSize));
      node.durable = longer;
    }
    for (const sector of node.dirty) {
      const from = sector * sectorBytes;
      node.durable.set(node.live.subarray(from, Math.min(from + sectorBytes, node.size)), from);
    }
    node.durableSize = node.size;
    node.dirty.clear();
  }

  async syncLater(file: number): Promise<void> {
    await Promise.resolve();
    this.sync(file);
  }

  syncFolder(path: string): void {
    this.#call('sync-folder', path);
    const node = this.#need(path);
    node.durableNames = new Map(node.names);
  }

  #state(node: Node): FileState {
    const { size, links, changedMs } = node;
    return { kind: node.kind === 'file' || node.kind === 'folder' ? node.kind : 'other', size, links, changedMs };
  }

  state(file: number): FileState {
    this.#call('state', String(file));
    return this.#state(this.#file(file).node);
  }

  look(path: string): FileState | undefined {
    this.#call('look', path);
    const node = this.#find(path);
    return node === undefined ? undefined : this.#state(node);
  }

  isThere(path: string): boolean {
    this.#call('is-there', path);
    return this.#find(path) !== undefined;
  }

  names(path: string): string[] {
    this.#call('names', path);
    return [...this.#need(path).names.keys()].sort();
  }

  makeFolder(path: string): void {
    this.#call('make-folder', path);
    const { parent, name } = this.#folder(path);
    if (parent.names.has(name)) throw SystemError.of('EEXIST', path);
    parent.names.set(name, this.#make('folder'));
  }

  removeFolder(path: string): void {
    this.#call('remove-folder', path);
    const { parent, name } = this.#folder(path);
    if (this.#need(path).names.size > 0) throw SystemError.of('ENOTEMPTY', path);
    parent.names.delete(name);
  }

  rename(from: string, to: string): void {
    this.#call('rename', from);
    const node = this.#need(from);
    const source = this.#folder(from);
    const target = this.#folder(to);
    const there = target.parent.names.get(target.name);
    if (there?.kind === 'folder' && there.names.size > 0) throw SystemError.of('ENOTEMPTY', to);
    if (there !== undefined && there.kind !== node.kind) throw SystemError.of('ENOTDIR', to);
    if (there !== undefined) there.links -= 1;
    source.parent.names.delete(source.name);
    target.parent.names.set(target.name, node);
  }

  link(from: string, to: string): void {
    this.#call('link', from);
    const node = this.#need(from);
    const { parent, name } = this.#folder(to);
    if (parent.names.has(name)) throw SystemError.of('EEXIST', to);
    parent.names.set(name, node);
    node.links += 1;
  }

  unlink(path: string): void {
    this.#call('unlink', path);
    const node = this.#need(path);
    const { parent, name } = this.#folder(path);
    if (node.kind === 'folder') throw SystemError.of('EISDIR', path);
    parent.names.delete(name);
    node.links -= 1;
  }

  misfit(): undefined {
    return undefined;
  }

  /** The present bytes of a file, without a counted call. */
  peek(path: string): Buffer {
    const node = this.#need(path);
    return Buffer.from(node.live.subarray(0, node.size));
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  list(path: string): string[] {
    return [...this.#need(path).names.keys()].sort();
  }

  /** Replaces the bytes of a file in both states, like bit rot or a careless tool; creates a missing file. */
  poke(path: string, bytes: Uint8Array): void {
    let node = this.#find(path);
    if (node === undefined) {
      node = this.#make('file');
      const { parent, name } = this.#folder(path);
      parent.names.set(name, node);
      parent.durableNames.set(name, node);
    }
    node.live = Uint8Array.from(bytes);
    node.size = bytes.length;
    node.durable = Uint8Array.from(bytes);
    node.durableSize = bytes.length;
    node.dirty.clear();
  }

  /** Removes a file or folder in both states. */
  drop(path: string): void {
    const { parent, name } = this.#folder(path);
    for (const names of [parent.names, parent.durableNames]) names.delete(name);
  }

  /**
   * The file system after a power failure. `choose` decides the fate of every unsynced sector. A name is lost unless
   * its folder was synced or `keepNames` is set.
   */
  afterPowerCut(choose: (sector: number) => Fate, keepNames: () => boolean = () => false): FaultFiles {
    const copy = new FaultFiles();
    copy.clockMs = this.clockMs;
    const made = new Map<Node, Node>();
    const revive = (node: Node): Node => {
      const known = made.get(node);
      if (known !== undefined) return known;
      const fresh = copy.#make(node.kind);
      made.set(node, fresh);
      fresh.links = 0;
      if (node.kind === 'file') reviveBytes(node, fresh, choose);
      const names = new Map(node.durableNames);
      for (const [name, child] of node.names) if (names.get(name) !== child && keepNames()) names.set(name, child);
      for (const name of names.keys()) if (!node.names.has(name) && keepNames()) names.delete(name);
      for (const [name, child] of names) {
        const there = revive(child);
        there.links += 1;
        fresh.names.set(name, there);
        fresh.durableNames.set(name, there);
      }
      return fresh;
    };
    copy.#root = revive(this.#root);
    return copy;
  }

  /** A copy that ignores the calls of the original, as after the end of a process. */
  afterKill(): FaultFiles {
    return this.afterPowerCut(
      () => 'kept',
      () => true,
    );
  }
}

function reviveBytes(node: Node, fresh: Node, choose: (sector: number) => Fate): void {
  // A file on disk can be longer than its synced part, if the length was written first.
  const fates = new Map([...node.dirty].sort((a, b) => a - b).map((sector) => [sector, choose(sector)]));
  let size = node.durableSize;
  for (const [sector, fate] of fates) {
    if (fate !== 'dropped') size = Math.max(size, Math.min(node.size, (sector + 1) * sectorBytes));
  }
  const bytes = new Uint8Array(size);
  bytes.set(node.durable.subarray(0, node.durableSize));
  for (const [sector, fate] of fates) {
    const from = sector * sectorBytes;
    const to = Math.min(from + sectorBytes, size);
    if (fate === 'kept') bytes.set(node.live.subarray(from, to), from);
    if (fate === 'kept' || fate === 'dropped') continue;
    // Synced bytes that were rewritten unchanged survive any fate of their sector.
    for (let at = from; at < to; at += 1) {
      if (at < node.durableSize && node.live[at] === node.durable[at]) continue;
      bytes[at] = fate === 'zeroed' ? 0 : (at * 167 + sector * 31) & 255;
    }
  }
  fresh.live = bytes;
  fresh.size = size;
  fresh.durable = bytes.slice();
  fresh.durableSize = size;
}
