import { decode, type Message } from '@rethread/core';
import { openSession, sessions, type SessionRef, type SessionsOptions } from '@rethread/formats';
import type { Session, SessionInfo, Store } from '@rethread/store';

/** Where sessions are looked for. */
export type LibraryOptions = {
  /** A store of our own, beside the sessions of the tools on this system. */
  readonly store?: Store | undefined;
  /** Where tools keep their sessions (default: this system). */
  readonly system?: SessionsOptions['system'];
};

/** A session that was found, of a tool or of the store. */
export type Found =
  | { readonly source: 'tool'; readonly ref: SessionRef }
  | { readonly source: 'store'; readonly info: SessionInfo };

/** What the next request of a session contains. */
export type Content = {
  readonly dialect: string | undefined;
  readonly messages: readonly Message[];
};

/** Sessions of tools and of a store, which are only read. */
export class Library {
  readonly #options: LibraryOptions;

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** All sessions: those of the store first, then those of the tools, the newest first. */
  async *all(): AsyncGenerator<Found> {
    const { store, system } = this.#options;
    const infos: SessionInfo[] = [];
    for await (const info of store?.list() ?? []) infos.push(info);
    infos.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
    for (const info of infos) yield { source: 'store', info };
    for await (const ref of sessions(system === undefined ? {} : { system })) yield { source: 'tool', ref };
  }

  /**
   * Finds a session by `last`, by its id or the first characters of it, or by its path. Only paths of sessions are
   * opened: the name may come from text that a model has read.
   */
  async find(name: string): Promise<Found | undefined> {
    let newest: { readonly found: Found; readonly at: number } | undefined;
    let begins: Found | undefined;
    for await (const found of this.all()) {
      const at = timeOf(found);
      if (name === 'last') newest = newest === undefined || at > newest.at ? { found, at } : newest;
      else if (idOf(found) === name || pathOf(found) === name) return found;
      else if (name.length >= 4 && idOf(found).startsWith(name)) begins ??= found;
    }
    return newest?.found ?? begins;
  }

  async read(found: Found): Promise<Content> {
    if (found.source === 'store') {
      const history = await (await this.session(found.info.id))?.project();
      return { dialect: history?.dialect, messages: history?.messages ?? [] };
    }
    const { dialect, messages } = await (await openSession(found.ref)).active();
    return { dialect, messages: decode(messages, dialect)?.messages ?? [] };
  }

  async session(id: string): Promise<Session | undefined> {
    return this.#options.store?.session(id);
  }
}

export function idOf(found: Found): string {
  return found.source === 'store' ? found.info.id : (found.ref.id ?? found.ref.path);
}

export function pathOf(found: Found): string | undefined {
  return found.source === 'store' ? undefined : found.ref.path;
}

export function timeOf(found: Found): number {
  return found.source === 'store' ? Date.parse(found.info.updatedAt) : found.ref.modified;
}
