/** How providers and servers of models say that a history is longer than the window. */
export const TOO_LONG: readonly string[] = [
  'prompt is too long: 200001 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
  'The input token count (1189423) exceeds the maximum number of tokens allowed (1048576).',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  '{"error":{"code":"context_length_exceeded","message":"no"}}',
  'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
  'Please reduce the length of the messages or completion.',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  'Invalid request: Your request exceeded model token limit: 262144',
  'Range of input length should be [1, 98304]',
  'prompt token count of 155012 exceeds the limit of 128000',
  'Input is too long for requested model.',
  'the request exceeds the available context size. try increasing the context size or enable context shift',
  'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
];
