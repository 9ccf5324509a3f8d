import type { DemoSession } from './session.ts';

const call = (id: string, city: string): object => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
});

export const chatCallUnanswered: DemoSession = {
  title: 'Chat completions: the next question came too early',
  story: 'Two tools were called, one answered, and the user asked the next question before the other did.',
  dialect: 'openai-chat',
  history: [
    { role: 'system', content: 'You are a travel assistant.' },
    { role: 'user', content: 'Where is it warmer today, in Oslo or in Lisbon?' },
    { role: 'assistant', content: null, tool_calls: [call('call_oslo', 'Oslo'), call('call_lisbon', 'Lisbon')] },
    { role: 'tool', tool_call_id: 'call_oslo', content: '4 °C, rain' },
    { role: 'user', content: 'Never mind. Which one has the better trains?' },
  ],
};
