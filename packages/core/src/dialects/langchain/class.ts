import type { CodecMemory } from '../../model/codec-memory.ts';
import { isRecord, withKeys } from '../../model/value.ts';

type Wire = Record<string, unknown>;
type Constructor = new (fields: unknown) => object;

/** The class that all messages of a framework have in common is the last one that can tell its type. */
const TELLING = ['getType', '_getType', 'toDict'];

function baseOf(message: object): object | undefined {
  let base: object | undefined;
  let at = Object.getPrototypeOf(message) as object | null;
  while (at !== null && at !== Object.prototype) {
    const own = at;
    if (TELLING.some((name) => Object.hasOwn(own, name))) base = own;
    at = Object.getPrototypeOf(at) as object | null;
  }
  return base;
}

/** A class of messages beside those that are there, which the framework takes for its own of that name. */
function classBeside(base: object, type: string, name: string): object {
  const Base = base.constructor as Constructor;
  const Sibling = class extends Base {
    constructor(fields: unknown) {
      super(fields);
      Object.assign(this, { type }, isRecord(fields) ? fields : {});
    }

    static lc_name(): string {
      return name;
    }

    _getType(): string {
      return type;
    }

    getType(): string {
      return type;
    }
  };
  return Sibling.prototype;
}

/** By type: the classes that were made beside a base. */
const noClasses = (_base: object): Map<string, object> => new Map<string, object>();

function prototypeFor(base: object, { type, name }: Kind, memory: CodecMemory): object {
  const known = memory.once(base, noClasses);
  const prototype = known.get(type) ?? classBeside(base, type, name);
  known.set(type, prototype);
  return prototype;
}

/** Fields by which objects of a kind are told from others, beside their type. */
const MARKS: Readonly<Record<string, Wire>> = {
  ai: { tool_calls: [], invalid_tool_calls: [] },
  tool: { lc_direct_tool_output: true },
};

type Kind = { readonly type: string; readonly name: string; readonly fields: Wire };

/** A new object of a kind that no message of the list is of, made after one of another; undefined if none can be. */
export function siblingOf(model: Wire, kind: Kind, memory: CodecMemory): Wire | undefined {
  const { type, fields } = kind;
  const base = baseOf(model);
  if (base === undefined) return undefined;
  try {
    const shell = Object.create(prototypeFor(base, kind, memory)) as Wire;
    for (const symbol of Object.getOwnPropertySymbols(model)) {
      Object.defineProperty(shell, symbol, Object.getOwnPropertyDescriptor(model, symbol) ?? {});
    }
    const { lc_serializable: serialisable, lc_namespace: namespace } = model;
    return withKeys(shell, {
      lc_serializable: serialisable,
      lc_kwargs: fields,
      lc_namespace: namespace,
      ...MARKS[type],
      type,
      ...fields,
    });
  } catch {
    // What only looks like an object of the framework has no class to extend.
    return undefined;
  }
}
