import type { Lose, Spot } from '../../model/loss.ts';
import type { Mark, Seal } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { inside, loseKeys, markOf, maybe, textOf, timeOf, type Wire } from '../conversion/keys.ts';

/** What the options of a part say that other dialects can say too. */
export type Options = { readonly seal?: Seal; readonly cache?: Mark; readonly item?: string };

/** Providers whose options are read, and the names their makers have here. */
const KNOWN: ReadonlySet<string> = new Set(['anthropic', 'bedrock', 'openai', 'google']);
const SEALS: ReadonlySet<string> = new Set([
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'itemId',
  'thoughtSignature',
]);
const SEALS_AND_MARKS: ReadonlySet<string> = new Set([...SEALS, 'cacheControl', 'cachePoint']);

/** Reads the options that each provider has on a part, under whichever key they are. */
export function readOptions(held: unknown, spot: Spot, lose: Lose): Options {
  if (!isRecord(held)) return {};
  loseKeys(held, KNOWN, { spot, lose });
  const found: { seal?: Seal; cache?: Mark; item?: string } = {};
  for (const maker of KNOWN) {
    const options = held[maker];
    if (!isRecord(options)) continue;
    loseKeys(options, SEALS_AND_MARKS, { spot: inside(spot, maker), lose });
    Object.assign(found, maybe('seal', sealOf(maker, options, inside(spot, maker))));
    Object.assign(found, maybe('cache', markOf(options['cacheControl'] ?? options['cachePoint'], inside(spot, maker))));
    Object.assign(found, maybe('item', textOf(options['itemId'])));
  }
  return found;
}

function sealOf(provider: string, options: Wire, { path }: Spot): Seal | undefined {
  const maker = provider === 'bedrock' ? 'anthropic' : provider;
  const { signature, redactedData, thoughtSignature, reasoningEncryptedContent: encrypted, itemId } = options;
  const id = maybe('id', textOf(itemId));
  if (typeof signature === 'string') return { maker, form: 'signature', value: signature, path };
  if (typeof redactedData === 'string') return { maker, form: 'redacted', value: redactedData, path };
  if (typeof thoughtSignature === 'string') return { maker, form: 'signature', value: thoughtSignature, path };
  if (typeof encrypted === 'string') return { maker, form: 'encrypted', value: encrypted, ...id, path };
  return typeof itemId === 'string' ? { maker, form: 'reference', value: itemId, id: itemId, path } : undefined;
}

/** Options that carry a seal, a mark or an id; none where there is nothing to carry. */
export function writeOptions({ seal, cache, item }: Options): Wire | undefined {
  const options: Record<string, Wire> = {};
  if (seal !== undefined) options[seal.maker] = { ...options[seal.maker], ...writeSeal(seal) };
  if (cache !== undefined)
    options['anthropic'] = { ...options['anthropic'], cacheControl: { type: 'ephemeral', ...timeOf(cache) } };
  if (item !== undefined) options['openai'] = { ...options['openai'], itemId: item };
  return Object.keys(options).length === 0 ? undefined : options;
}

function writeSeal({ maker, form, value, id }: Seal): Wire {
  if (form === 'redacted') return { redactedData: value };
  if (form === 'encrypted') return { ...maybe('itemId', id), reasoningEncryptedContent: value };
  if (form === 'reference') return { itemId: value };
  return maker === 'google' ? { thoughtSignature: value } : { signature: value };
}

/** Seals that the framework carries back to those who made them. */
export function carriesSeal({ maker }: Seal): boolean {
  return KNOWN.has(maker);
}
