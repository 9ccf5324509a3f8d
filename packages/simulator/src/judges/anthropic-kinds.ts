type Home = 'user' | 'assistant';

/** What is known of a part by its type alone. Kinds are shared, so that they can be told apart by identity. */
export interface Kind {
  readonly type: string;
  /** The keys a part may have, where that is known. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Three keys that nearly every part of this kind has, asked for before the set is. */
  readonly usual: readonly [string, string, string];
  /** The only role that may hold such a part. */
  readonly home: Home | undefined;
  readonly isServerResult: boolean;
  /** Whether such a part belongs to another provider's API and so never to this one, now or later. */
  readonly isForeign: boolean;
}

const COMMON = 'type cache_control';

function known(type: string, home: Home | undefined, names: string): Kind {
  const fields = names.split(' ');
  const [a = 'type', b = 'type', c = 'type'] = fields;
  const keys = new Set([...(isThinking(type) ? ['type'] : COMMON.split(' ')), ...fields]);
  return { type, keys, usual: [a, b, c], home, isServerResult: false, isForeign: false };
}

function open(
  type: string,
  home: Home | undefined,
  more: Pick<Partial<Kind>, 'isServerResult' | 'isForeign'> = {},
): Kind {
  const unsaid = { keys: undefined, usual: ['type', 'type', 'type'], isServerResult: false, isForeign: false } as const;
  return { type, home, ...unsaid, ...more };
}

export const isThinking = (type: string): boolean => type === 'thinking' || type === 'redacted_thinking';

export const TEXT: Kind = known('text', undefined, 'text citations');
export const CALL: Kind = known('tool_use', 'assistant', 'id name input caller toolset_name');
export const RESULT: Kind = known('tool_result', 'user', 'tool_use_id content is_error toolset_name');
export const THINKING: Kind = known('thinking', 'assistant', 'thinking signature');
export const REDACTED: Kind = known('redacted_thinking', 'assistant', 'data');
export const SERVER_CALL: Kind = known('server_tool_use', 'assistant', 'id name input caller');
export const MCP_CALL: Kind = open('mcp_tool_use', 'assistant');
export const IMAGE: Kind = known('image', 'user', 'source transformations');
export const DOCUMENT: Kind = known('document', 'user', 'source title context citations');

const FOREIGN: readonly Kind[] =
  'image_url input_text input_image output_text function_call tool_call refusal input_audio file'
    .split(' ')
    .map((type) => open(type, undefined, { isForeign: true }));

const KINDS: ReadonlyMap<string, Kind> = new Map(
  [TEXT, CALL, RESULT, THINKING, REDACTED, SERVER_CALL, MCP_CALL, IMAGE, DOCUMENT, ...FOREIGN].map((kind) => [
    kind.type,
    kind,
  ]),
);

/** The kind of a type; one that is not known is told only from the results of the provider's own tools. */
export function kindOf(type: string): Kind {
  const kind = KINDS.get(type);
  if (kind !== undefined) return kind;
  return type.endsWith('_tool_result') ? open(type, 'assistant', { isServerResult: true }) : open(type, undefined);
}

export const isServerResult = (type: string): boolean => type !== 'tool_result' && type.endsWith('_tool_result');
