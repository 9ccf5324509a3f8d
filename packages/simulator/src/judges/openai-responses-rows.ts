import type { Docket, Matter } from './docket.ts';
import type { ResponsesProfile } from './openai-responses-entries.ts';
import type { ResponseMemory } from './openai-responses-memory.ts';

/** The rows of CONTRACTS.md section 3 that a request shows; strict JSON is a row of section 1 but binds everyone. */
export const RESPONSES_CHECKS = [
  'shape',
  'an-json-utf16',
  'or-call-answered',
  'or-output-orphan',
  'or-reason-follow',
  'or-id-prefix',
  'or-id-len',
  'or-id-dup',
  'or-item-lost',
  'or-encrypted',
  'or-reason-shape',
  'or-part-type',
  'or-callid',
  'or-args',
  'or-nonempty',
  'or-reference',
  'or-program',
  'or-compaction',
] as const;

/** The rows that only a server sees, because they depend on what it made with what. */
export const RESPONSES_MEMORY_CHECKS = ['or-needs-reason', 'or-parallel-order'] as const;

export type ResponsesRow = (typeof RESPONSES_CHECKS)[number] | (typeof RESPONSES_MEMORY_CHECKS)[number];

const BETWEEN: ReadonlySet<string> = new Set<ResponsesRow>([
  'or-call-answered',
  'or-output-orphan',
  'or-reference',
  'or-reason-follow',
  'or-needs-reason',
  'or-parallel-order',
  'or-id-dup',
  'or-item-lost',
  'or-encrypted',
]);

/** When the API would find this out, as it answers with what it finds first: JSON, form, what is between items. */
export function responsesStage({ row }: { readonly row: string }): number {
  if (row === 'an-json-utf16') return 0;
  return BETWEEN.has(row) ? 2 : 1;
}

/** A matter that may come with what the server remembers. */
export interface ResponsesMatter extends Matter {
  readonly memory?: ResponseMemory | undefined;
}

/** What every part of the walk needs to know. */
export interface ResponsesHearing {
  readonly matter: ResponsesMatter;
  readonly docket: Docket<ResponsesRow>;
  readonly profile: ResponsesProfile;
}

/** One field of the input: as the API names it, and as a JSON pointer below the list. */
export interface Place {
  readonly param: string;
  readonly pointer: string;
}

export const placeOf = (i: number, field: string): Place => ({
  param: `input[${i}].${field}`,
  pointer: `/${i}/${field}`,
});
