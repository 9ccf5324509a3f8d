import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-responses'], ({ answered, text, thought }) => ({
  'reasoning of an open model': {
    model: 'openai/gpt-oss-20b',
    clean: [{ ...thought('rs_1', ''), content: [text('So.', 'reasoning_text')] }, answered('msg_1')],
  },
  'reasoning with its text': {
    before: [
      { type: 'reasoning', id: 'rs_1', summary: [], content: [text('A greeting.', 'reasoning_text')] },
      answered('msg_1'),
    ],
    after: [{ type: 'reasoning', id: 'rs_1', summary: [text('A greeting.', 'summary_text')] }, answered('msg_1')],
  },
  'text beside sealed reasoning': {
    before: [{ ...thought('rs_1', ''), content: [text('A greeting.', 'reasoning_text')] }, answered('msg_1')],
    after: [thought('rs_1', ''), answered('msg_1')],
  },
  'a summary that is a text, and a seal that is none': {
    before: [{ type: 'reasoning', id: 'rs_1', summary: 'A greeting.', encrypted_content: 7 }, answered('msg_1')],
    after: [{ type: 'reasoning', id: 'rs_1', summary: [text('A greeting.', 'summary_text')] }, answered('msg_1')],
  },
  'reasoning of an open model without a summary': {
    model: 'gpt-oss-20b',
    before: [{ type: 'reasoning', id: 'rs_1', content: [text('So.', 'reasoning_text')] }, answered('msg_1')],
    after: [
      { type: 'reasoning', id: 'rs_1', content: [text('So.', 'reasoning_text')], summary: [] },
      answered('msg_1'),
    ],
  },
}));
