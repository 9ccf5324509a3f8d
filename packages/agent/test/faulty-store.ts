import { Session, type Store, StoreError } from '@rethread/store';

/** The fate of one operation: normal; never answered and not done; done and never answered; or refused. */
export type StoreFault = 'fine' | 'lost' | 'unanswered' | 'refused';

/** Decides about each operation by name and number. */
export type StorePlan = (operation: string, count: number) => StoreFault;

const OPERATIONS: ReadonlySet<string> = new Set([
  'create',
  'session',
  'recoverSession',
  'load',
  'append',
  'info',
  'children',
  'compact',
  'close',
]);

const never = (): Promise<never> => new Promise(() => undefined);

/** A store with operations that are never answered: a dead disk, a lost connection, or an ended process. */
export function faultyStore(
  store: Store,
  plan: StorePlan,
  before: (operation: string) => Promise<void> = async () => undefined,
): Store {
  let count = 0;
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (object, key) => {
        const value: unknown = Reflect.get(object, key, object);
        if (typeof value !== 'function') return value;
        if (typeof key !== 'string' || !OPERATIONS.has(key)) return value.bind(object) as unknown;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          count += 1;
          const fault = plan(key, count);
          if (fault === 'lost') return never();
          if (fault === 'refused') throw new StoreError('full', 'no space is left', { session: 's' });
          await before(key);
          const done: unknown = await (Reflect.apply(value, object, given) as Promise<unknown>);
          if (fault === 'unanswered') return never();
          return done instanceof Session ? wrap(done) : done;
        };
      },
    });
  return wrap(store);
}
