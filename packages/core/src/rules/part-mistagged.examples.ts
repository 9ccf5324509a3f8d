import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ user, say, picture, outputText, text }) => ({
    'types that came later': { clean: [user({ ...text('hi'), beam: 'blue' })] },
    'texts with the type of the other side': {
      before: [user(outputText('hi')), say('Hello', { type: 'refusal', refusal: 'No.' })],
      after: [user(text('hi')), say(outputText('Hello'), { type: 'refusal', refusal: 'No.' })],
    },
    'pictures and files of other APIs': {
      before: [
        user(
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
          { type: 'image_url', image_url: 'https://example.com/1.png' },
          { type: 'image', source: { type: 'url', url: 'https://example.com/1.png' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'file', file: { file_id: 'file_1' } },
        ),
      ],
      after: [
        user(
          picture,
          picture,
          picture,
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_file', file_id: 'file_1' },
        ),
      ],
    },
    'what has no type here': {
      before: [
        user(
          { type: 'image_url', image_url: 7 },
          { type: 'image', source: { type: 'base64' } },
          { type: 'refusal', refusal: 'No.' },
        ),
        say({ type: 'hologram', beam: 'blue' }),
      ],
      after: [
        user('{"type":"image_url","image_url":7}', '{"type":"image","source":{"type":"base64"}}', 'No.'),
        say(outputText('{"type":"hologram","beam":"blue"}')),
      ],
    },
    'a picture in an answer': {
      before: [say(outputText('Here.'), picture)],
      after: [say(outputText('Here.')), user(picture)],
    },
    'sounds sent as files': {
      before: [
        user(
          { type: 'input_file', filename: 'a.mp3', file_data: 'data:audio/mpeg;base64,SUQz' },
          { type: 'input_file', file_data: 'data:audio/mpeg;base64,SUQz' },
        ),
      ],
      after: [
        user('[a.mp3: a file of type audio/mpeg cannot be sent]', '[file: a file of type audio/mpeg cannot be sent]'),
      ],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, say, picture, outputText, text }) => ({
    'texts with the type of the other side': {
      before: [user(outputText('hi')), say(text('Hello'), { type: 'refusal', refusal: 'No.' })],
      after: [user(text('hi')), say('Hello', { type: 'refusal', refusal: 'No.' })],
    },
    'pictures and files in the keys of the APIs': {
      before: [
        user(
          { type: 'input_image', image_url: 'https://example.com/1.png' },
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
          { type: 'image', image: 'https://example.com/1.png' },
          { type: 'input_file', file_id: 'file_1' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'file', file: { file_data: 'data:text/plain;base64,QQ==', filename: 'a.txt' } },
          { type: 'input_file', file: 'file-1' },
          { type: 'input_file', file: 'example.com/a.pdf' },
        ),
      ],
      after: [
        user(
          picture,
          picture,
          picture,
          { type: 'input_file', file: { id: 'file_1' } },
          { type: 'input_file', file: { url: 'https://example.com/a.pdf' } },
          { filename: 'a.txt', type: 'input_file', file: 'data:text/plain;base64,QQ==' },
          { type: 'input_file', file: { id: 'file-1' } },
          { type: 'input_file', file: { url: 'example.com/a.pdf' } },
        ),
      ],
    },
    'a picture that is nowhere, and one in an answer': {
      before: [user({ type: 'input_image' }), say('Here.', picture)],
      after: [user(text('{"type":"input_image"}')), say('Here.'), user(picture)],
    },
  })),
];
