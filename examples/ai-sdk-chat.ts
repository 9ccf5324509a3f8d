// A web chat that survives a refresh, a second tab, and kill -9 of its server.
//   npm i ai @ai-sdk/anthropic @rethread/adapters @rethread/store
//   node ai-sdk-chat.ts
import { createServer } from 'node:http';

import { createAnthropic } from '@ai-sdk/anthropic';
import { durableStream, loadUIMessages, resumeStream, stopStream } from '@rethread/adapters/ai-sdk-store';
import { durableTool } from '@rethread/adapters/durable-tool';
import { open, StoreError, type Session } from '@rethread/store';
import { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool, type UIMessage } from 'ai';

const store = await open('file:./chats');
const model = createAnthropic({ baseURL: `${process.env['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com'}/v1` });

/** The tool of this chat. A refund must not happen twice, so its effect is `once`. */
const refundIn = (session: Session) =>
  tool({
    description: 'Pays back an order',
    inputSchema: jsonSchema<{ order: string }>({
      type: 'object',
      properties: { order: { type: 'string' } },
      required: ['order'],
    }),
    execute: durableTool({
      session,
      name: 'refund',
      effect: 'once',
      run: async ({ order }: { order: string }, { key }) => `order ${order} is paid back, receipt ${key.slice(0, 8)}`,
    }),
  });

async function sessionOf(id: string): Promise<Session> {
  try {
    return await store.session(id);
  } catch (error) {
    if (StoreError.is(error) && error.code === 'missing') return store.create({ id });
    throw error;
  }
}

/** The handler of the chat. It takes and returns the web's own objects, so it also runs in Next.js or Hono. */
export async function handle(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, , , id = '', what] = pathname.split('/');
  if (request.method === 'GET' && what === 'stream')
    return resumeStream(await sessionOf(id), searchParams.get('after'));
  if (request.method === 'DELETE') return Response.json({ stopped: await stopStream(await sessionOf(id)) });
  if (request.method === 'GET') return Response.json(await loadUIMessages(await sessionOf(id)));
  const { id: chat, message } = (await request.json()) as { id: string; message?: UIMessage };
  const session = await sessionOf(chat);
  return durableStream(session, {
    ...(message === undefined ? {} : { message }),
    run: async ({ messages, signal }) =>
      streamText({
        model: model('claude-sonnet-4-5'),
        messages: await convertToModelMessages(messages),
        tools: { refund: refundIn(session) },
        stopWhen: stepCountIs(5),
        abortSignal: signal,
      }),
  });
}

const server = createServer(async (request, response) => {
  const body = request.method === 'POST' ? { body: request, duplex: 'half' } : {};
  const init = { method: request.method, ...body } as RequestInit;
  const answer = await handle(new Request(`http://localhost${request.url}`, init));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) if (!response.write(chunk) && response.destroyed) break;
  response.end();
});
server.listen(Number(process.env['PORT'] ?? 3000), () => {
  const address = server.address();
  console.log(`listening on port ${typeof address === 'object' ? address?.port : address}`);
});
