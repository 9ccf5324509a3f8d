import { dropPart, replacePart, type Edit, type Proposal } from '../../model/edit.ts';
import { textPart, type ResultPart, type TextPart, type Part, type CallPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { isPlaceholder, TEXTS } from '../../model/synthetic.ts';
import { isBlank, readableJson } from '../../model/value.ts';
import { resultOf, callOf, spokenOf, wireOf } from './place.ts';

/** Takes a result out of its place: quoted as text of the user, or removed where the policy says so. */
export function quoteOrRemove(found: Case, why: string): Proposal {
  const { message, part = 0 } = found.fact;
  const at = { message, part };
  const result = resultOf(found, found.fact);
  const removed = `removed ${spokenOf('result', result.callId)}: ${why}`;
  if (isPlaceholder(result.text)) return dropInvented(at, result, removed);
  if (found.policy.orphanResult === 'remove') {
    return { edits: [dropPart(at)], action: 'drop', loss: 'lossy', note: removed };
  }
  const quote = quoteResult(result);
  const note = `quoted ${spokenOf('result', result.callId)} as text of the user: ${why}${markerGone(result)}`;
  return { edits: [quoteInPlace(found, at, quote)], action: 'demote', loss: 'none', note };
}

/** Removes a result that we invented: nothing that anybody said is lost with it. */
export function dropInvented(
  at: { message: number; part: number },
  { characters }: ResultPart,
  note: string,
): Proposal {
  return { edits: [{ ...dropPart(at), elsewhere: characters }], action: 'drop', loss: 'none', note };
}

/** Puts quoted text where a result stood; a message of one result becomes the user's, others are divided later. */
export function quoteInPlace(
  found: Case,
  at: { message: number; part: number; from?: number },
  quote: readonly TextPart[],
): Edit {
  const source = found.message(at.message);
  if (source.role !== 'tool' || source.parts.length > 1) return replacePart(at, ...quote);
  const messages = [{ role: 'user' as const, parts: quote, at: found.message(at.from ?? at.message).at }];
  return { kind: 'message', message: at.message, messages };
}

/** A result as text; media inside it cannot be quoted and is named by its JSON. */
export function quoteResult(result: ResultPart): TextPart[] {
  const text = `${TEXTS.orphan} ${result.text.toWellFormed()}`;
  return [textPart(text, result.characters, result.at)];
}

type PartEdit = Extract<Edit, { kind: 'part' }>;

/** Reasoning that is an entry of its own as text that says what it is; none where nobody can read it. */
export function quoteReasoningAt(found: Case, message: number): PartEdit {
  const at = { message, part: 0 };
  const [part] = found.message(message).parts;
  const text = part?.kind === 'reasoning' ? part.text.toWellFormed() : '';
  if (part === undefined || isBlank(text)) return dropPart(at);
  return replacePart(at, textPart(`${TEXTS.reasoning}\n${text}`, part.characters, part.at));
}

/** Reasoning as text under a mark that says what it is; undefined when there is nothing to read in it. */
export function reasoningAsText(part: Part, mark: string = TEXTS.reasoning): TextPart | undefined {
  const { thinking } = wireOf(part);
  const { text: own } = part as { readonly text?: string };
  const thought = Array.isArray(thinking) ? own : (thinking ?? own);
  const text = readableJson(thought);
  return isBlank(text) ? undefined : textPart(`${mark}\n${text}`, part.characters, part.at);
}

/** Turns a provider-run call and its result into text: the edits for both. */
export function quoteServerPair(found: Case): Edit[] {
  const { message, part = 0 } = found.fact;
  const call = callOf(found, found.fact);
  const edits: Edit[] = [replacePart({ message, part }, quoteCall(call))];
  for (let i = message; i < found.count && found.message(i).role === 'assistant'; i += 1) {
    const index = found.message(i).parts.findIndex((each) => answers(each, call.callId));
    const result = found.message(i).parts[index];
    if (result?.kind !== 'result') continue;
    edits.push(replacePart({ message: i, part: index }, quoteServerResult(call.tool, result)));
    break;
  }
  return edits;
}

function answers(part: Part, callId: string): boolean {
  return part.kind === 'result' && part.server && part.callId === callId;
}

function quoteCall(call: CallPart): TextPart {
  return textPart(`[${call.tool} ${readableJson(call.input ?? {})}]`, call.characters, call.at);
}

function quoteServerResult(tool: string, result: ResultPart): TextPart {
  return textPart(`[${tool} result] ${result.text.toWellFormed()}`, result.characters, result.at);
}

/** The mark by which a client asks that everything up to a part be cached. */
export function markerOf(part: Part | undefined): unknown {
  return wireOf(part)['cache_control'] ?? undefined;
}

/** What the report says where a part goes, or becomes another, that carried such a mark. */
export function markerGone(part: Part): string {
  return markerOf(part) === undefined ? '' : '; its cache marker is gone';
}
