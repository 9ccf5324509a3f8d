import type { Outcome, ResultPart } from '../model/part.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { withFields } from './langchain/form.ts';

type Wire = Record<string, unknown>;

/** The same result saying something else; undefined where it cannot say that in plain text. */
type Retold = ResultPart | undefined;

/** Only what was read from a wire has a form to keep, and what the provider made itself is sealed or its own. */
function wireOf({ wire, server }: ResultPart): Wire | undefined {
  return server || !isRecord(wire) ? undefined : wire;
}

function retold(part: ResultPart, wire: Wire, text: string): ResultPart {
  const { edited: _edited, ...rest } = part;
  return { ...rest, wire, text, characters: text.length };
}

/** Where a result has its content under one key and flags beside it: every other key stays as it is. */
export function retellContent(part: ResultPart, text: string): Retold {
  const wire = wireOf(part);
  return wire === undefined ? undefined : retold(part, withKeys(wire, { content: text }), text);
}

/** A message of LangChain, in whichever of its forms. */
export function retellMessage(part: ResultPart, text: string): Retold {
  const wire = wireOf(part);
  return wire === undefined ? undefined : retold(part, withFields(wire, { content: text }), text);
}

/** An object inside the result holds the content, under either spelling. */
export function retellResponse(part: ResultPart, text: string): Retold {
  const wire = wireOf(part);
  if (wire === undefined) return undefined;
  const key = isRecord(wire['function_response']) ? 'function_response' : 'functionResponse';
  const response = part.outcome === 'ok' ? { result: text } : { error: text };
  const inner = withKeys(wire[key], { response, parts: undefined });
  return retold(part, withKeys(wire, { [key]: inner }), text);
}

export function retellToolResult(part: ResultPart, text: string): Retold {
  const wire = wireOf(part);
  if (wire === undefined) return undefined;
  const inner = withKeys(wire['toolResult'], { content: [{ text }] });
  return retold(part, withKeys(wire, { toolResult: inner }), text);
}

/** Outputs of functions are texts, or lists of pieces; tools of the provider have outputs of a form of their own. */
export function retellOutput(part: ResultPart, text: string): Retold {
  const wire = wireOf(part);
  const output = wire === undefined ? undefined : outputAs(wire, text);
  return wire === undefined || output === undefined ? undefined : retold(part, withKeys(wire, { output }), text);
}

function outputAs(wire: Wire, text: string): unknown {
  switch (wire['type']) {
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'apply_patch_call_output':
      return text;
    case 'function_call_result':
      return typeof wire['output'] === 'string' ? text : { type: 'text', text };
    case 'shell_call_output':
      return shellOutput(wire['output'], text);
    default:
      return undefined;
  }
}

/** How the last command ended stays. */
function shellOutput(output: unknown, text: string): unknown {
  const last: unknown = Array.isArray(output) ? output.at(-1) : undefined;
  return isRecord(last) ? [withKeys(last, { stdout: text, stderr: '' })] : undefined;
}

const FORMS: Readonly<Partial<Record<Outcome, string>>> = { ok: 'text', error: 'error-text' };

/** A result of the AI SDK says by its form how it ended; a refusal to run says nothing that could be left out. */
export function retellForm(part: ResultPart, text: string): Retold {
  const wire = wireOf(part);
  const type = FORMS[part.outcome];
  if (wire === undefined || type === undefined || wire['output'] === undefined) return undefined;
  return retold(part, withKeys(wire, { output: { type, value: text } }), text);
}

/** A result that stands in the part of its call is written over it by the codec. */
export function retellState(part: ResultPart, text: string): Retold {
  if (wireOf(part) === undefined || FORMS[part.outcome] === undefined) return undefined;
  return { ...part, text, characters: text.length, edited: true };
}
