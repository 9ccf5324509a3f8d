import type { AnthropicRow } from './anthropic-rows.ts';
import type { Docket, JsonObject, Matter } from './docket.ts';
import type { ClaudeProfile } from './model-profile.ts';
import type { TextScan } from './text-scan.ts';

/** A server tool's call, remembered because requests must declare its tool. */
export interface ServerUse {
  readonly name: unknown;
  readonly id: string;
  readonly message: number;
  readonly part: number;
}

/** A mention of a tool by name, which requests must declare. */
export interface ToolMention {
  readonly name: unknown;
  readonly pointer: string;
}

/** Thinking with its seal, remembered because a seal is judged when the latest turn is known. */
export interface SealedThinking {
  readonly message: number;
  readonly part: number;
  readonly content: readonly unknown[];
  readonly thinking: JsonObject;
}

/** What one walk over the messages gathers; the place is where the walk stands now. */
export interface Hearing {
  readonly docket: Docket<AnthropicRow>;
  readonly matter: Matter;
  readonly profile: ClaudeProfile;
  readonly scan: TextScan;
  message: number;
  part: number;
  /** Index inside the content of a tool result, or -1. */
  inner: number;
  markers: number;
  images: number;
  firstToolPart: string | undefined;
  readonly serverUses: ServerUse[];
  readonly mentions: ToolMention[];
  readonly sealed: SealedThinking[];
}

/** JSON pointer of the part the walk stands on; string content is its own only part. */
export function pointerHere(hearing: Hearing): string {
  const { message, part, inner } = hearing;
  if (part < 0) return `/${message}/content`;
  return inner < 0 ? `/${message}/content/${part}` : `/${message}/content/${part}/content/${inner}`;
}

/** The same place as the provider writes it in its refusals. */
export function placeHere(hearing: Hearing): string {
  const { message, part, inner } = hearing;
  const place = `messages.${message}.content.${part}`;
  return inner < 0 ? place : `${place}.tool_result.content.${inner}`;
}

export function refuseHere(hearing: Hearing, row: AnthropicRow, text: string): void {
  hearing.docket.refuse(row, pointerHere(hearing), text);
}

/** How the provider puts it that a field should be a string: it is missing, or it is something else. */
export const stringFault = (value: unknown): string =>
  value === undefined ? 'Field required' : 'Input should be a valid string';
