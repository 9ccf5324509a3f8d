import { say as sayInChat, text } from './openai-chat.ts';
import type { Said } from './content.ts';

export { added, call, closed, custom, developer, rawCall, request, result, system, text, user } from './openai-chat.ts';

/** As in a chat with OpenAI, but nothing said is an empty text. */
export const say = (...said: Said[]): object => {
  const message = sayInChat(...said);
  return { ...message, content: message.content ?? '' };
};

export const thought: object = { type: 'thinking', thinking: [text('A greeting.')] };
export const picture = (url: string): object => ({ type: 'image_url', image_url: url });
