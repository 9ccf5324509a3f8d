/** When to compact: every condition of one object must hold. Each is exceeded, not reached. */
export type Trigger = {
  readonly tokens?: number;
  /** Share of the model's window, from 0 to 1. */
  readonly fraction?: number;
  readonly messages?: number;
  readonly turns?: number;
};

/** Beyond this a history is worth a summary, unless the caller says otherwise. */
export const SUMMARY_THRESHOLD = 40_000;

/** What is known of a history that is to be measured against a trigger. */
export type Measured = {
  readonly messages: number;
  readonly turns: number;
  /** True when the history has more tokens than this; not counted further than needed. */
  readonly exceeds: (tokens: number) => boolean;
  /** The window of the model; infinite where it is not known, and then no share of it is ever exceeded. */
  readonly windowTokens: number;
};

/** True when all conditions of one trigger hold, of a list when those of any do. One without conditions never does. */
export function isTriggered(trigger: Trigger | readonly Trigger[], measured: Measured): boolean {
  return isList(trigger) ? trigger.some((each) => holds(each, measured)) : holds(trigger, measured);
}

function isList(trigger: Trigger | readonly Trigger[]): trigger is readonly Trigger[] {
  return Array.isArray(trigger);
}

function holds({ tokens, fraction, messages, turns }: Trigger, measured: Measured): boolean {
  const conditions: boolean[] = [];
  // What is cheap to know comes first, so that most histories are not counted at all.
  if (messages !== undefined) conditions.push(measured.messages > messages);
  if (turns !== undefined) conditions.push(measured.turns > turns);
  if (conditions.includes(false)) return false;
  if (tokens !== undefined) conditions.push(measured.exceeds(tokens));
  if (fraction !== undefined) conditions.push(measured.exceeds(fraction * measured.windowTokens));
  return conditions.length > 0 && !conditions.includes(false);
}
