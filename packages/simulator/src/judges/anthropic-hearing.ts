import type { AnthropicRow } from './anthropic-rows.ts';
import type { Docket, Matter } from './docket.ts';
import type { ClaudeProfile } from './model-profile.ts';

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

/** What one walk over the messages gathers; the place is where the walk stands now. */
export interface Hearing {
  readonly docket: Docket<AnthropicRow>;
  readonly matter: Matter;
  readonly profile: ClaudeProfile;
  message: number;
  part: number;
  /** Index inside the content of a tool result, or -1. */
  inner: number;
  markers: number;
  images: number;
  firstToolPart: string | undefined;
  readonly serverUses: ServerUse[];
  readonly mentions: ToolMention[];
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
