import type { DemoSession } from './session.ts';

export const halfOfTheFunctions: DemoSession = {
  title: 'Gemini: one response for two calls',
  story: 'Two functions were called side by side, and the process was killed after the first had answered.',
  dialect: 'gemini',
  history: [
    { role: 'user', parts: [{ text: 'Compare the weather in Oslo and Lisbon.' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'get_weather', args: { city: 'Oslo' } } },
        { functionCall: { name: 'get_weather', args: { city: 'Lisbon' } } },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { output: '4 °C, rain' } } }] },
  ],
};
