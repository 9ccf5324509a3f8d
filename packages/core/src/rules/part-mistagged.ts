import { replacePart, type Proposal } from '../model/edit.ts';
import type { Message, Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { agentPiece } from './remedies/agent-items.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';
import { refusedFileType, retagged } from './remedies/response-items.ts';
import { refusedFile } from './output-malformed.ts';

/** Each role has its own types of content, and the provider refuses those of the others. */
export const partMistagged: Rule = {
  id: 'part-mistagged',
  title: 'a piece of content has the type of another role or API',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-part-type'], 'openai-agents': ['or-part-type'] },
  trigger: 'part-mistagged',
  summary:
    'Content was copied from one role to another, or from a history of another API. Texts and pictures get the ' +
    'type they have here. Media in an answer move to a user message behind it. A file that the provider does not ' +
    'take is named, and anything else becomes text.',
  explain: (found) => `content of type ${typeOf(found)} is not allowed in a message of this role`,
  providerError: { 'openai-responses': refusal },
  repair: (found) => {
    const part = partOf(found);
    return part.kind === 'media' && tagOf(found) === 'output_text' ? moveMedia(found) : retag(found, part);
  },
};

function typeOf(found: Case): string {
  return String(wireOf(partOf(found))['type']);
}

/** The type that texts have in this message. */
function tagOf({ fact }: Case): string {
  return String([fact.detail].flat()[0]);
}

function refusal(found: Case): string {
  const { message, part } = placeOf(found);
  const file = refusedFileType(partOf(found).wire);
  if (tagOf(found) === 'output_text') {
    return `Invalid value: '${typeOf(found)}'. Supported values are: 'output_text' and 'refusal'.`;
  }
  if (file !== undefined) return refusedFile(`input[${String(message)}].content[${String(part)}]`, file);
  return `Invalid value: '${typeOf(found)}'. Supported values are: 'input_text', 'input_image', and 'input_file'.`;
}

function retag(found: Case, part: Part): Proposal {
  const own = found.fact.detail?.includes('openai-agents') === true;
  const wire = own ? agentPiece(part.wire, tagOf(found)) : retagged(part.wire, tagOf(found));
  const lost = !own && refusedFileType(part.wire) !== undefined;
  const characters = lost ? 0 : part.characters;
  return {
    edits: [replacePart(placeOf(found), { ...part, kind: 'opaque', wire, characters })],
    action: lost ? 'drop' : 'rewrite',
    loss: lost ? 'lossy' : 'none',
    note: lost ? 'named a file that the provider does not take' : `gave content of type ${typeOf(found)} its type here`,
  };
}

/** All media of the message move together, so that they stay side by side. */
function moveMedia(found: Case): Proposal {
  const { message } = found.fact;
  const source = found.message(message);
  const media = source.parts.filter((part) => part.kind === 'media');
  const rest: Message = { ...source, parts: source.parts.filter((part) => part.kind !== 'media') };
  const shown: Message = { role: 'user', parts: media, at: source.at };
  return {
    edits: [{ kind: 'message', message, messages: [rest, shown] }],
    action: 'relocate',
    loss: 'none',
    note: 'moved media out of an answer into a user message behind it',
  };
}
