import type { RefusalText } from './refusal.ts';

/** Every way in which a provider, or a server of models, says that a history is longer than the window. */
const TOO_LONG: readonly RegExp[] = [
  /prompt is too long/,
  /context_length_exceeded/,
  // OpenAI, and those who speak its dialect.
  /maximum (?:context|prompt) length/,
  /exceeds the context window/,
  /reduce the length of the (?:messages|input|prompt)/,
  /exceeded model token limit/,
  /Range of input length should be/,
  /prompt token count of \d+ exceeds the limit/,
  // Gemini
  /input token count.{0,40} exceeds the maximum number of tokens/,
  // Bedrock
  /[Ii]nput is too long for requested model/,
  // Servers of models that people run themselves.
  /exceeds the available context size/,
  /longer than the maximum model length/,
];

/** How providers refuse what only a shorter history helps against. All rest on one row of the contract page. */
export const LENGTH_REFUSALS: readonly RefusalText[] = [
  {
    row: 'an-context',
    rules: ['prompt-too-long'],
    text: /input length and `?max_tokens`? exceed context limit/,
    instead:
      'compact the history, or ask for a shorter answer: the two together are longer than the window of the model',
  },
  ...TOO_LONG.map((text) => ({
    row: 'an-context',
    rules: ['prompt-too-long'],
    text,
    instead: 'compact the history: it is longer than the window of the model',
  })),
];
