import type { Part } from '../../model/part.ts';
import { withKeys } from '../../model/value.ts';
import { wireOf } from './place.ts';

/** Documented to stand for a signature that is not there. */
export const STAND_IN = 'skip_thought_signature_validator';

const SPELLINGS = ['thoughtSignature', 'thought_signature'];

/** The same part with another signature, or none, in the spelling of its other fields. */
export function withSignature<P extends Part>(part: P, signature: string | undefined): P {
  const wire = wireOf(part);
  const present = SPELLINGS.filter((key) => Object.hasOwn(wire, key));
  const usual = Object.hasOwn(wire, 'function_call') ? 'thought_signature' : 'thoughtSignature';
  const keys = present.length === 0 ? [usual] : present;
  return { ...part, wire: withKeys(wire, Object.fromEntries(keys.map((key) => [key, signature]))) };
}
