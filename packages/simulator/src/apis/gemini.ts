import type { JsonObject } from '../judges/docket.ts';
import { inputObject, inputText, type CallPart, type Stop } from '../models/reply.ts';
import { bearer, type Api } from './api.ts';
import { Frames, pieces } from './frames.ts';
import { geminiErrors } from './gemini-errors.ts';
import type { Rendering } from './rendering.ts';

/** The Gemini API; the path says whether it streams. */
export const gemini: Api = {
  name: 'gemini',
  errors: geminiErrors,
  limitBytes: 20 * 1024 * 1024,
  requestIdHeader: 'x-request-id',
  key: (request, query) => {
    const header = request.headers['x-goog-api-key'];
    if (typeof header === 'string' && header !== '') return header;
    return new URLSearchParams(query).get('key') ?? bearer(request);
  },
  preliminary: () => undefined,
  json: (rendering) => answerOf(rendering, partsOf(rendering), finishOf(rendering)),
  stream,
};

const FINISHES: Readonly<Record<Stop, string>> = {
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  pause: 'STOP',
  refusal: 'SAFETY',
};

const brokenCall = ({ reply }: Rendering): CallPart | undefined =>
  reply.parts.find((part): part is CallPart => part.kind === 'call' && inputObject(part) === undefined);

const finishOf = (rendering: Rendering): string =>
  brokenCall(rendering) === undefined ? FINISHES[rendering.stop] : 'MALFORMED_FUNCTION_CALL';

/** The parts; the first call carries the signature of the step, or else the last text does. */
function partsOf(rendering: Rendering): JsonObject[] {
  if (brokenCall(rendering) !== undefined) return [];
  const parts: JsonObject[] = [];
  let reasoned: string | undefined;
  let unsigned = true;
  for (const [index, part] of rendering.reply.parts.entries()) {
    if (part.kind === 'text') parts.push({ text: part.text });
    else if (part.kind === 'opaque') parts.push(part.value);
    else if (part.kind === 'reasoning') {
      reasoned = part.seal ?? '';
      if (part.redacted !== true) parts.push({ text: part.text, thought: true });
    } else if (part.kind === 'call') {
      const functionCall = callOf(rendering, part, index);
      const signature =
        reasoned === undefined || reasoned === ''
          ? rendering.seal({ kind: 'call', content: { functionCall } })
          : reasoned;
      parts.push(unsigned ? { functionCall, thoughtSignature: signature } : { functionCall });
      unsigned = false;
    }
  }
  if (unsigned && reasoned !== undefined) signLast(rendering, parts, reasoned);
  return parts;
}

/** Signs what comes last. Clients join the pieces of a text, so its signature only says that it is of a text. */
function signLast(rendering: Rendering, parts: JsonObject[], given: string): void {
  const last = parts.at(-1);
  if (last === undefined) return;
  const signed = last.thought === true ? { text: '' } : last;
  const kind = typeof signed.text === 'string' ? 'text' : 'other';
  const thoughtSignature = given === '' ? rendering.seal({ kind, content: undefined }) : given;
  if (signed !== last) parts.push({ ...signed, thoughtSignature });
  else parts.splice(-1, 1, { ...last, thoughtSignature });
}

function callOf(rendering: Rendering, part: CallPart, index: number): JsonObject {
  const call = { name: part.tool, args: inputObject(part) ?? {} };
  if (part.id !== undefined) return { id: part.id, ...call };
  // Calls have had ids since Gemini 3.
  return /gemini-(?:1|2)\b/.test(rendering.model) ? call : { id: rendering.id('fc_', index), ...call };
}

function answerOf(rendering: Rendering, parts: readonly JsonObject[], finish?: string): JsonObject {
  const { usage } = rendering;
  const broken = finish === 'MALFORMED_FUNCTION_CALL' ? brokenCall(rendering) : undefined;
  const candidate = {
    content: parts.length === 0 ? { role: 'model' } : { parts, role: 'model' },
    ...(finish !== undefined && { finishReason: finish }),
    ...(broken !== undefined && { finishMessage: `Malformed function call: ${broken.tool}(${inputText(broken)}` }),
    index: 0,
  };
  return {
    candidates: [candidate],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - usage.reasoning,
      totalTokenCount: usage.input + usage.output,
      ...(usage.cached > 0 && { cachedContentTokenCount: usage.cached }),
      ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
    },
    modelVersion: rendering.model,
    responseId: rendering.id('r'),
  };
}

function stream(rendering: Rendering): Frames {
  const frames = new Frames();
  const chunks: JsonObject[][] = [];
  let called = -1;
  for (const part of partsOf(rendering)) {
    if (typeof part.text !== 'string') {
      if (called < 0 && part.functionCall !== undefined) called = chunks.length;
      chunks.push([part]);
      continue;
    }
    const { text, thoughtSignature, ...rest } = part;
    for (const piece of pieces(text)) chunks.push([{ ...rest, text: piece }]);
    // The signature of a streamed text comes late, on a part without text.
    if (thoughtSignature !== undefined) chunks.push([{ text: '', thoughtSignature }]);
  }
  const finish = finishOf(rendering);
  if (chunks.length === 0) chunks.push([]);
  for (const [index, parts] of chunks.entries()) {
    frames.data(answerOf(rendering, parts, index === chunks.length - 1 ? finish : undefined));
    if (index === called) frames.markCall();
  }
  return frames;
}
