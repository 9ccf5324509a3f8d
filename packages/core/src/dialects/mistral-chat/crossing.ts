import type { Abilities, Conversion, Packing } from '../../model/conversion.ts';
import type { CallPart, Media } from '../../model/part.ts';
import { asJsonText, ONLY_OK } from '../conversion/adapt.ts';
import { unpack } from '../openai-chat/crossing-read.ts';
import { maybe, type Wire } from '../conversion/keys.ts';
import { base64Of, dataUrl, publicUrl } from '../conversion/media.ts';
import { packChat, readChoice, readTools, writeTool } from '../openai-chat/crossing.ts';

function abilities({ profile }: Packing): Abilities {
  return {
    seals: () => false,
    thoughts: profile.reasoningParts !== false,
    server: () => false,
    outcomes: ONLY_OK,
  };
}

/** What crosses between the Mistral chat API and others. */
export const mistralChat: Conversion = {
  settings: {
    maxTokens: [['max_tokens']],
    temperature: [['temperature']],
    topP: [['top_p']],
    stop: [['stop']],
    stream: [['stream']],
    seed: [['random_seed']],
    parallel: [['parallel_tool_calls']],
  },
  fields: new Set(['messages', 'model', 'tools', 'tool_choice']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, max: 64 },
  choicePath: '/tool_choice',
  modelKey: 'model',
  can: abilities,
  unpack,
  pack: (messages, how) =>
    packChat(messages, abilities(how), {
      ...how,
      media: writeMedia,
      callWire: writeCall,
      thoughtWire,
      toolNames: true,
    }),
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: ({ mode, names = [] }) => {
    const [name, ...more] = names;
    if (name === undefined) return { tool_choice: mode };
    return mode === 'any' && more.length === 0 ? { tool_choice: { type: 'function', function: { name } } } : undefined;
  },
};

function thoughtWire(text: string): Wire {
  return { type: 'thinking', thinking: [{ type: 'text', text }] };
}

function writeCall({ callId: id, tool, input }: CallPart): Wire {
  return { id, type: 'function', function: { name: tool, arguments: asJsonText(input) } };
}

function writeMedia(media: Media): Wire | undefined {
  const { type, name } = media;
  const url = publicUrl(media) ?? dataUrl(media);
  if (type === 'image') return url === undefined ? undefined : { type: 'image_url', image_url: { url } };
  if (type === 'audio') {
    const audio = publicUrl(media) ?? base64Of(media);
    return audio === undefined ? undefined : { type: 'input_audio', input_audio: audio };
  }
  if (type === 'video' || url === undefined) return undefined;
  return { type: 'document_url', document_url: url, ...maybe('document_name', name) };
}
