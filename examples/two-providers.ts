// One conversation with two providers: Anthropic begins it, OpenAI continues it, with the same history.
//   npm i @anthropic-ai/sdk openai @rethread/store
//   node two-providers.ts
import Anthropic from '@anthropic-ai/sdk';
import { open } from '@rethread/store';
import OpenAI from 'openai';

const store = await open('file:./talks');
const session = await store.create();

await session.appendMessage('anthropic-messages', { role: 'user', content: 'Which files are there?' });
const claude = new Anthropic();
const tools = [{ name: 'ls', description: 'Lists files', input_schema: { type: 'object' as const } }];
const first = await claude.messages.create({
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  tools,
  messages: (await session.recover('anthropic-messages')).sendable?.wire as Anthropic.MessageParam[],
});
await session.appendMessage('anthropic-messages', { role: 'assistant', content: first.content });
console.log('Claude:', first.content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' '));

// The tool was never run, and the conversation goes on with another provider.
await session.appendMessage('openai-chat', { role: 'user', content: 'Never mind. What did I ask?' });
const { sendable, report, losses = [] } = await session.recover({ dialect: 'openai-chat', model: 'gpt-4.1' });
for (const { note } of report.repairs) console.log('repaired:', note);
for (const { what, why } of losses) console.log('lost:', what, why);

const second = await new OpenAI().chat.completions.create({
  model: 'gpt-4.1',
  messages: sendable?.wire as OpenAI.ChatCompletionMessageParam[],
  tools: tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, description, parameters: input_schema },
  })),
});
const [answer] = second.choices;
if (answer !== undefined) await session.appendMessage('openai-chat', answer.message);
console.log('GPT:', answer?.message.content);
await store.close();
