import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-chat'], ({ user, say, call, developer, picture, result, text }) => ({
    'a picture from the user, a refusal alone': {
      clean: [
        user(picture('https://example.com/a.png')),
        say({ type: 'refusal', refusal: 'I cannot say who this is.' }),
      ],
    },
    'a tool that returned a picture': {
      before: [
        user('what is on the screen?'),
        say(call('call_1', 'look'), call('call_2', 'look')),
        result('call_1', [text('Screen 1'), picture('https://example.com/1.png')]),
        result('call_2', [picture('https://example.com/2.png')]),
      ],
      after: [
        user('what is on the screen?'),
        say(call('call_1', 'look'), call('call_2', 'look')),
        result('call_1', [text('Screen 1')]),
        result('call_2', ''),
        user(TEXTS.orphan, picture('https://example.com/1.png')),
        user(TEXTS.orphan, picture('https://example.com/2.png')),
      ],
    },
    'media in instructions and in answers': {
      before: [
        developer({ type: 'file', file: { file_id: 'file_1' } }),
        say('Here.', picture('https://example.com/1.png')),
        say(picture('https://example.com/2.png'), call('call_1', 'look')),
        result('call_1', 'a cat'),
      ],
      after: [
        user({ type: 'file', file: { file_id: 'file_1' } }),
        say(text('Here.')),
        user(picture('https://example.com/1.png')),
        user(picture('https://example.com/2.png')),
        say(call('call_1', 'look')),
        result('call_1', 'a cat'),
      ],
    },
    'a refusal beside text, and pieces of other providers': {
      before: [
        user('who is this?'),
        say(
          'A picture.',
          { type: 'refusal', refusal: 'I cannot say who this is.' },
          { type: 'output_text', text: 'Sorry.' },
          { type: 'hologram', beam: 'blue' },
        ),
      ],
      after: [
        user('who is this?'),
        say('A picture.', 'I cannot say who this is.', 'Sorry.', '{"type":"hologram","beam":"blue"}'),
      ],
    },
    'what was said beside the content': { clean: [user('who?'), { ...say(), refusal: 'I cannot say.' }] },
    'what was said beside the content, to one who refuses keys that it does not know': {
      model: 'groq/llama-3.3-70b-versatile',
      before: [user('who?'), { ...say(), refusal: 'I cannot say.' }, { ...say('Hm.'), audio: { id: 'audio_1' } }],
      after: [user('who?'), say('I cannot say.'), say('Hm.\n[audio] {"id":"audio_1"}')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, picture, result, text, thought }) => ({
    'a tool that returned a picture': {
      before: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', [text('Screen'), picture('https://example.com/1.png')]),
      ],
      after: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', [text('Screen')]),
        say(TEXTS.separator),
        user(TEXTS.orphan, picture('https://example.com/1.png')),
      ],
    },
    'a refusal in the words of another provider, and nothing else': {
      before: [user('hi'), { role: 'assistant', content: null, refusal: 'No.' }],
      after: [user('hi'), say('No.')],
    },
    'a call in the form that came before the present one': {
      before: [
        user('hi'),
        { role: 'assistant', content: null, function_call: { name: 'ls', arguments: '{}' } },
        user('well?'),
      ],
      after: [user('hi'), say('[function_call] {"name":"ls","arguments":"{}"}'), user('well?')],
    },
    'a model that takes its reasoning back': {
      model: 'magistral-medium-latest',
      clean: [user('hi'), say(thought, 'Hello')],
    },
    'one that does not': {
      before: [user('hi'), say(thought, { type: 'thinking' }, 'Hello')],
      after: [user('hi'), say(`${TEXTS.thought}\nA greeting.`, 'Hello')],
    },
    'a thought that was cut off, to one that does not': {
      before: [user('hi'), say({ ...thought, closed: false })],
      after: [user('hi'), say(text(`${TEXTS.reasoning}\nA greeting.`))],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ user, say }) => ({
    'parts that the schema of a framework does not know': {
      before: [
        user({ type: 'hologram', beam: 'blue' }),
        say('Like this.', { type: 'image', image: 'https://example.com/a.png' }),
      ],
      after: [
        user('{"type":"hologram","beam":"blue"}'),
        say('Like this.'),
        user({ type: 'image', image: 'https://example.com/a.png' }),
      ],
    },
  })),
];
