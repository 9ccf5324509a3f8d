import type { Loss, Severity } from '../model/finding.ts';
import type { Layer } from '../model/rule.ts';

/** A finding that the engine itself makes, outside any contract. */
export type EngineRule = {
  readonly id: string;
  readonly title: string;
  readonly layer: Layer;
  readonly severity: Severity;
  readonly loss: Loss;
  readonly summary: string;
};

export const ENGINE_RULES: readonly EngineRule[] = [
  {
    id: 'dialect-unknown',
    title: 'this is not a history in a known dialect',
    layer: 'structure',
    severity: 'rejected',
    loss: 'none',
    summary:
      'The input is not a list of messages, nor a request with one, or nothing in it shows its dialect. It is ' +
      'returned as it was. Name the dialect if you know it.',
  },
  {
    id: 'passes-exhausted',
    title: 'the history was still refused after the last pass',
    layer: 'structure',
    severity: 'degraded',
    loss: 'lossy',
    summary:
      'Edits did not come to an end within the allowed passes. Whole turns are left out from the end until ' +
      'the rest is accepted; if nothing is, what can be read is quoted in one message. Please report such a ' +
      'history.',
  },
  {
    id: 'option-invalid',
    title: 'an option is unknown or has an invalid value',
    layer: 'structure',
    severity: 'wasteful',
    loss: 'none',
    summary:
      'A target or an option is misspelt, or has a value that is not valid. Its default was used. The finding names ' +
      'the option and what is valid. The history itself is not concerned.',
  },
];
