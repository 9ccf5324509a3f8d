import type { Conversion } from '../../model/conversion.ts';
import type { Media } from '../../model/part.ts';
import { ONLY_OK } from '../conversion/adapt.ts';
import { maybe } from '../conversion/keys.ts';
import { base64Of, dataUrl, publicUrl } from '../conversion/media.ts';
import { arrangeChat } from '../openai-chat/arrange.ts';
import { readChoice, readTools, writeTool } from '../openai-chat/request.ts';

type Wire = Record<string, unknown>;

/** What crosses between the Mistral chat API and others. */
export const conversion: Conversion = {
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
  can: ({ profile }) => ({
    seals: () => false,
    thoughts: profile.reasoningParts !== false,
    server: () => false,
    outcomes: ONLY_OK,
    input: 'text',
  }),
  arrange: (message, how) => arrangeChat(message, how, { writeMedia, toolNames: true }),
  media: (media, { role }) =>
    role === 'user' ? (writeMedia(media) ?? 'the target takes no such media') : 'only users show media there',
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: ({ mode, names = [] }) => {
    const [name, ...more] = names;
    if (name === undefined) return { tool_choice: mode };
    return mode === 'any' && more.length === 0 ? { tool_choice: { type: 'function', function: { name } } } : undefined;
  },
};

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
