import { repair, type Report, type RepairOptions } from '@rethread/core';

import { isNews, repairOptions, type Choices } from './reporting.ts';

/** What the SDK tells before each step, as far as it is needed here; all versions from 5 on tell this. */
export type Step<M = unknown> = { readonly messages: M[]; readonly model: string | { readonly modelId: string } };

/** What a function of one's own may answer: settings for the step, among them other messages or another model. */
type Settings = object | null | undefined | void;

export type MessageOptions = Choices & {
  /** The model that the messages are for: without its name what depends on the model is read strictly. */
  readonly model?: string;
  /** Set this where it is set for the SDK; otherwise system messages leave the list. */
  readonly allowSystemInMessages?: boolean;
  /** With `leave` the calls of the last message stay open: somebody may still answer them. */
  readonly open?: RepairOptions['open'];
};

export type RepairedMessages<M> = {
  readonly messages: M[];
  /** System messages that were taken out of the list: they belong in `instructions`. */
  readonly lifted: readonly M[];
  readonly report: Report;
};

/**
 * A `prepareStep` that repairs the messages of every step before the SDK looks at them. A function of one's own runs
 * first, and what it returns is kept.
 */
export function repairingPrepareStep(
  own?: undefined,
  options?: Choices,
): <M>(step: Step<M>) => Promise<{ messages: M[] } | undefined>;
// The option of the SDK may be undefined, and the step of the function is inferred from the type of that option.
export function repairingPrepareStep<F extends ((step: never) => unknown) | undefined>(
  own: F,
  options?: Choices,
): ((step: Parameters<NonNullable<F>>[0]) => Promise<Awaited<ReturnType<NonNullable<F>>>>) & F;
export function repairingPrepareStep(
  own?: (step: never) => unknown,
  options: Choices = {},
): (step: Step) => Promise<Settings> {
  return async (step) => {
    const settings = await (own as ((step: Step) => Settings | PromiseLike<Settings>) | undefined)?.(step);
    const chosen = (settings ?? {}) as Partial<Step>;
    const messages = chosen.messages ?? step.messages;
    const model = nameOf(chosen.model ?? step.model);
    // Whether system messages may stand in the list, the SDK has decided before the first step.
    const { output, changed, report } = repair(
      { messages, allowSystemInMessages: true },
      { dialect: 'ai-sdk-model', ...(model !== undefined && { model }) },
      repairOptions(options),
    );
    if (isNews(report)) options.onReport?.(report);
    return changed ? { ...settings, messages: output.messages } : settings;
  };
}

/** Repairs model messages before `generateText` or `streamText` get them, which refuse some at once. */
export function repairModelMessages<M>(messages: readonly M[], options: MessageOptions = {}): RepairedMessages<M> {
  return repairList(messages, 'ai-sdk-model', options);
}

/** Repairs messages of the user interface before `convertToModelMessages`, which loses or refuses what is broken. */
export function repairUIMessages<M>(messages: readonly M[], options: MessageOptions = {}): RepairedMessages<M> {
  return repairList(messages, 'ai-sdk-ui', options);
}

function repairList<M>(
  messages: readonly M[],
  dialect: 'ai-sdk-model' | 'ai-sdk-ui',
  options: MessageOptions,
): RepairedMessages<M> {
  const { model, open, allowSystemInMessages } = options;
  const target = { dialect, purpose: 'request', ...(model !== undefined && { model }) } as const;
  const choices = { ...repairOptions(options), ...(open !== undefined && { open }) };
  const repaired = repair<unknown>(
    allowSystemInMessages === true ? { messages, allowSystemInMessages } : messages,
    target,
    choices,
  );
  const { output, changed, lifted, report } = repaired;
  if (isNews(report)) options.onReport?.(report);
  // What is no list of messages is not changed, and comes back as it was given.
  const list = Array.isArray(output) ? output : changed ? (output as { messages: M[] }).messages : messages;
  return { messages: list as M[], lifted: (lifted ?? []) as M[], report };
}

function nameOf(model: Step['model']): string | undefined {
  return typeof model === 'string' ? model : model.modelId;
}
