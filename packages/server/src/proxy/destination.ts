import type { UpstreamOptions } from './options.ts';

/** A provider that requests may be sent to; there are no others. */
export type Upstream = {
  readonly name: string;
  readonly origin: URL;
  /** Stands before the path of every request; never ends with a slash. */
  readonly base: string;
  readonly protocol: 'http/1.1' | 'h2';
};

export type Destination = { readonly upstream: Upstream; readonly path: string };

/** Reads the providers of a configuration; throws on one that is no HTTP address. */
export function readUpstreams(upstreams: Readonly<Record<string, string | UpstreamOptions>>): Map<string, Upstream> {
  return new Map(
    Object.entries(upstreams).map(([name, given]) => {
      const { url, http2 = false } = typeof given === 'string' ? { url: given } : given;
      if (name !== '' && !/^[A-Za-z0-9][\w-]*$/.test(name))
        throw new Error(`invalid upstream name ${JSON.stringify(name)}`);
      const address = URL.parse(url);
      if (address === null || !/^https?:$/.test(address.protocol) || address.hostname === '') {
        throw new Error(`invalid upstream ${JSON.stringify(name)}: use an address such as https://api.example.com`);
      }
      if (address.username !== '' || address.password !== '' || address.search !== '' || address.hash !== '') {
        throw new Error(`invalid upstream ${JSON.stringify(name)}: leave out user, password, query and fragment`);
      }
      const base = address.pathname.replace(/\/+$/, '');
      return [name, { name, origin: new URL(address.origin), base, protocol: http2 ? 'h2' : 'http/1.1' }];
    }),
  );
}

/**
 * Finds where a request goes. The first segment of the path names the provider; with a provider that has the empty
 * name, every other path goes there. A client cannot name a host.
 */
export function destinationOf(target: string, upstreams: ReadonlyMap<string, Upstream>): Destination | undefined {
  const [, name = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(target) ?? [];
  const named = name === '' ? undefined : upstreams.get(name);
  if (named !== undefined) {
    return { upstream: named, path: named.base + (rest.startsWith('/') ? rest : `/${rest}`) };
  }
  const whole = upstreams.get('');
  return whole === undefined ? undefined : { upstream: whole, path: whole.base + target };
}

/** Whether a request target is a plain path that stays below where it begins. */
export function isPlainPath(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') && !/[#\\]|\/(?:\.|%2e){2}(?:\/|$)/i.test(path);
}
