type Part = { readonly [key: string]: unknown } | null | undefined;

// Written out for each form: what they could share would meet many shapes, and a look at many shapes is a slow one.

/** What stands under the messages of a stretch, between one look at them and the next. */
const lists: unknown[] = [];

/** Touches messages that are lists of parts: first every list, then what is in it. */
export function glanceAtParts(list: readonly unknown[], from: number, to: number): number {
  const count = to - from;
  for (let i = 0; i < count; i += 1) lists[i] = (list[from + i] as Part)?.['content'];
  let seen = 0;
  for (let i = 0; i < count; i += 1) {
    const parts = lists[i];
    seen += lengthOf(Array.isArray(parts) ? parts[0] : parts);
  }
  for (let i = 0; i < count; i += 1) {
    const parts = lists[i];
    // Let go of, so that nothing is held that belongs to somebody else.
    lists[i] = undefined;
    if (!Array.isArray(parts)) continue;
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as Part;
      const type = part?.['type'];
      if (type === 'tool_result') seen += lengthOf(part?.['content']);
      else seen += lengthOf(type === 'tool_use' ? part?.['input'] : part?.['text']);
    }
  }
  return seen;
}

/** Touches contents whose parts hold calls and responses: first every list, then what is in it. */
export function glanceAtContents(list: readonly unknown[], from: number, to: number): number {
  const count = to - from;
  for (let i = 0; i < count; i += 1) lists[i] = (list[from + i] as Part)?.['parts'];
  let seen = 0;
  for (let i = 0; i < count; i += 1) {
    const parts = lists[i];
    if (Array.isArray(parts)) seen += lengthOf(parts[0]);
  }
  for (let i = 0; i < count; i += 1) {
    const parts = lists[i];
    lists[i] = undefined;
    if (!Array.isArray(parts)) continue;
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as Part;
      const call = part?.['functionCall'] as Part;
      const response = part?.['functionResponse'] as Part;
      if (call !== undefined) {
        seen += typeof call?.['args'] === 'object' ? 1 : 0;
      } else if (response !== undefined) {
        seen += lengthOf((response?.['response'] as Part)?.['result']);
      } else seen += lengthOf(part?.['text']);
    }
  }
  return seen;
}

/** Touches messages whose blocks hold uses and results of tools: first every list, then what is in it. */
export function glanceAtBlocks(list: readonly unknown[], from: number, to: number): number {
  const count = to - from;
  for (let i = 0; i < count; i += 1) lists[i] = (list[from + i] as Part)?.['content'];
  let seen = 0;
  for (let i = 0; i < count; i += 1) {
    const parts = lists[i];
    if (Array.isArray(parts)) seen += lengthOf(parts[0]);
  }
  for (let i = 0; i < count; i += 1) {
    const parts = lists[i];
    lists[i] = undefined;
    if (!Array.isArray(parts)) continue;
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as Part;
      const call = part?.['toolUse'] as Part;
      const result = part?.['toolResult'] as Part;
      if (call !== undefined) {
        seen += typeof call?.['input'] === 'object' ? 1 : 0;
      } else if (result !== undefined) {
        const pieces = result?.['content'];
        if (Array.isArray(pieces)) seen += lengthOf((pieces[0] as Part)?.['text']);
      } else seen += lengthOf(part?.['text']);
    }
  }
  return seen;
}

/** Touches messages that have their calls beside their content. */
export function glanceAtCalls(list: readonly unknown[], from: number, to: number): number {
  let seen = touch(list, from, to);
  for (let i = from; i < to; i += 1) {
    const message = list[i] as Part;
    seen += lengthOf(message?.['content']);
    const calls = message?.['tool_calls'];
    if (!Array.isArray(calls)) continue;
    for (let at = 0; at < calls.length; at += 1) {
      const callee = (calls[at] as Part)?.['function'] as Part;
      seen += lengthOf(callee?.['arguments']);
    }
  }
  return seen;
}

/** Touches items: what calls and outputs hold, and the pieces of what was said. */
export function glanceAtItems(list: readonly unknown[], from: number, to: number): number {
  let seen = touch(list, from, to);
  for (let i = from; i < to; i += 1) {
    const item = list[i] as Part;
    const content = item?.['content'];
    if (content === undefined) seen += lengthOf(item?.['output'] ?? item?.['arguments']);
    else seen += lengthOf(Array.isArray(content) ? content[0] : content);
  }
  return seen;
}

/**
 * Touches the messages themselves. To ask what shape a message has is to guess and to wait; whether it is a list is
 * guessed right, so that nothing waits and all of them come together.
 */
function touch(list: readonly unknown[], from: number, to: number): number {
  let lists = 0;
  for (let i = from; i < to; i += 1) if (Array.isArray(list[i])) lists += 1;
  return lists;
}

/** To ask for the length of something is to touch it. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}
