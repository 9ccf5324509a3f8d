/** A reason why not all content of an input can be in a history the provider accepts. */
export interface RatioException {
  readonly name: string;
  readonly why: string;
  /** Planted defects that may lower the ratio for this reason; all others must leave it at 1. */
  readonly defects: readonly string[];
}

/** The only reasons for which `preserved.ratio` may fall below 1 under the `preserve` policy. */
export const ratioExceptions: readonly RatioException[] = [
  {
    name: 'lone surrogates',
    why: 'half a character has no UTF-8 form and is replaced by U+FFFD',
    defects: [
      'lone surrogate in text',
      'lone surrogate in an argument',
      'lone surrogate in an argument key',
      'lone surrogate in arguments',
      'lone surrogate in a key',
      'lone surrogate in a name',
      'lone surrogate in an id',
      'lone surrogate in a result',
      'lone surrogate in a return',
      'lone surrogate in a prompt',
      'lone surrogate in an opaque part',
    ],
  },
  {
    name: 'blank text',
    why: 'the provider refuses a text of nothing but white space',
    defects: ['blank text', 'blank text alone', 'blank string', 'empty text in a result'],
  },
  {
    name: 'unpaired server parts',
    why: 'a call that the provider ran itself cannot be answered by anyone else, nor stand alone',
    defects: [
      'open server call',
      'open server call before user text',
      'orphan server result',
      'server result twice',
      'server result before its call',
      'server result in a user message',
      'server parts in a user message',
      'server parts after a call',
      'illegal server id',
      'open mcp call',
      'undeclared server tool',
      'open server call beside answered calls',
      'open builtin call',
      'orphan builtin return',
      'builtin return twice',
      'builtin return in a request',
    ],
  },
  {
    name: 'reasoning that a model binds',
    why: 'a signature is valid only for the bytes before it, and those had to change',
    defects: ['bound thinking after an edit', 'thinking after text', 'thinking last', 'thinking in a user message'],
  },
  {
    name: 'text beside sealed reasoning',
    why: 'the provider takes the text of such reasoning in its sealed form alone',
    defects: ['reasoning with its text'],
  },
  {
    name: 'files that a provider does not take',
    why: 'it refuses sound and film, so they are named in a text',
    defects: ['sound sent as a file', 'sound in an output'],
  },
  {
    name: 'media over the limit',
    why: 'the provider counts images over the whole request',
    defects: ['more images than allowed'],
  },
];
