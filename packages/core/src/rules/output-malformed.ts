import { replacePart, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../model/value.ts';
import { resultOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';
import { mendAgentOutput } from './remedies/agent-items.ts';
import { refusedFileType, retagged } from './remedies/response-items.ts';

const MAXIMUM = 10_485_760;
const REMARK = '\n[the rest of this output was too long to send]';

/** The output of a tool is a text or a list of pieces of the kinds that users may send. */
export const outputMalformed: Rule = {
  id: 'output-malformed',
  title: 'the output of a tool is not in the form of the provider',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-responses': ['or-args', 'or-part-type', 'or-callid'],
    'openai-agents': ['or-args', 'or-part-type'],
  },
  trigger: 'output-malformed',
  summary:
    'A tool returned nothing, a value that is not text, or pieces in the types of another API. Values become ' +
    'text and pieces get the types of this API; a file that it does not take is named, and an output that is ' +
    'too long is cut.',
  explain: (found) => `the output of ${spokenOf('call', resultOf(found, found.fact).callId)} cannot be sent as it is`,
  providerError: { 'openai-responses': refusal },
  repair,
};

function refusal(found: Case): string | undefined {
  const { output } = wireOf(resultOf(found, found.fact));
  const at = `input[${String(found.fact.message)}].output`;
  if (typeof output === 'string') {
    return (
      `Invalid '${at}': string too long. Expected a string with maximum length ${String(MAXIMUM)}, ` +
      `but got a string with length ${String(output.length)} instead.`
    );
  }
  const pieces: unknown[] = Array.isArray(output) ? output : [];
  const file = pieces.findIndex((piece) => refusedFileType(piece) !== undefined);
  if (file >= 0) return refusedFile(`${at}[${String(file)}]`, String(refusedFileType(pieces[file])));
  const strange = pieces.map((piece) => wireOf({ wire: piece })['type']).find((type) => !isInput(type));
  if (typeof strange !== 'string') return undefined;
  return `Invalid value: '${strange}'. Supported values are: 'input_text', 'input_image', and 'input_file'.`;
}

/** What the provider says of a file that it does not take. */
export function refusedFile(at: string, type: string): string {
  return (
    `Invalid file data: '${at}.file_data'. Expected a base64-encoded data URL with a valid file MIME type (e.g. ` +
    `'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ=='), but got unsupported MIME type '${type}'. Please see ` +
    'https://platform.openai.com/docs/assistants/tools/file-search#supported-files for supported file types.'
  );
}

function isInput(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('input_');
}

function repair(found: Case): Proposal {
  const result = resultOf(found, found.fact);
  if (found.fact.detail === 'openai-agents') return mendAgentOutput(found, result);
  const { output } = wireOf(result);
  const sent = asOutput(output);
  const lost = typeof output === 'string' ? output.length - MAXIMUM + REMARK.length : lostIn(output);
  const edited = {
    ...result,
    wire: withKeys(result.wire, { output: sent }),
    characters: Math.max(0, result.characters - lost),
  };
  return {
    edits: [replacePart(placeOf(found), edited)],
    action: 'rewrite',
    loss: lost > 0 ? 'lossy' : 'none',
    note: `put the output of ${spokenOf('call', result.callId)} into the form of the provider`,
  };
}

function asOutput(output: unknown): unknown {
  if (typeof output === 'string') return output.slice(0, MAXIMUM - REMARK.length).toWellFormed() + REMARK;
  if (output === undefined || output === null) return '';
  if (Array.isArray(output)) return Array.from(output as unknown[], asPiece);
  return isRecord(output) && typeof output['type'] === 'string' ? [asPiece(output)] : readableJson(output);
}

function asPiece(piece: unknown): unknown {
  const { type, text } = wireOf({ wire: piece });
  const taken =
    type === 'input_text' ? typeof text === 'string' : isInput(type) && refusedFileType(piece) === undefined;
  return taken ? piece : retagged(piece, 'input_text');
}

/** Characters of the files that are only named. */
function lostIn(output: unknown): number {
  const pieces: unknown[] = Array.isArray(output) ? output : [output];
  return charactersOf(pieces.filter((piece) => refusedFileType(piece) !== undefined));
}
