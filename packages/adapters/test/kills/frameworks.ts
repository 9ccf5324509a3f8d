import { createAnthropic } from '@ai-sdk/anthropic';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, type AIMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { open, StoreError, type Session, type Store } from '@rethread/store';
import { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool as aiTool, type UIMessage } from 'ai';
import OpenAI from 'openai';

import { repairUIMessages } from '../../src/ai-sdk.ts';
import { durableStream, loadUIMessages } from '../../src/ai-sdk-store.ts';
import { durableTool, type Effect } from '../../src/durable-tool.ts';
import { RethreadSaver } from '../../src/langgraph.ts';
import { durableModels, DurableSession } from '../../src/openai-agents-store.ts';
import { FAREWELL, type Order } from './errand.ts';

const KEY = 'sk-simulated-key-0003';
const QUESTION = 'Run the errand.';
const schema = {
  type: 'object' as const,
  properties: { round: { type: 'number' as const }, token: { type: 'string' as const } },
  required: ['round', 'token'],
  additionalProperties: true as const,
};

type Errand = {
  readonly store: Store;
  readonly session: string;
  readonly urls: { readonly anthropic: string; readonly openai: string };
  readonly tools: readonly {
    readonly name: string;
    readonly effect: Effect;
    readonly run: (order: Order, call: { readonly key: string }) => Promise<string>;
  }[];
  readonly show: (text: string) => void;
  readonly sign: (event: string) => void;
};

async function sessionOf({ store, session }: Errand): Promise<Session> {
  try {
    return await store.session(session);
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'missing') throw error;
    return store.create({ id: session });
  }
}

async function aiSdk(errand: Errand): Promise<void> {
  const { urls, tools, show, sign } = errand;
  const session = await sessionOf(errand);
  const baseURL = `${urls.anthropic}/v1`;
  const model = createAnthropic({ apiKey: KEY, baseURL })('claude-sonnet-4-5');
  const toolSet = Object.fromEntries(
    tools.map((each) => [
      each.name,
      aiTool({ inputSchema: jsonSchema<Order>(schema), execute: durableTool<Order, string>({ session, ...each }) }),
    ]),
  );
  const stored = await loadUIMessages(session);
  if (JSON.stringify(stored.at(-1) ?? '').includes(FAREWELL)) return;
  const message: UIMessage = { id: 'question', role: 'user', parts: [{ type: 'text', text: QUESTION }] };
  const response = await durableStream(session, {
    ...(stored.length === 0 ? { message } : {}),
    run: async ({ messages, signal }) =>
      streamText({
        model,
        messages: await convertToModelMessages(messages),
        tools: toolSet,
        abortSignal: signal,
        stopWhen: stepCountIs(10),
      }),
  });
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    for (const [, json = ''] of chunk.matchAll(/^data: (\{.*\})$/gm)) {
      const { type, delta } = JSON.parse(json) as { readonly type: string; readonly delta?: string };
      if (type === 'text-delta') show(delta ?? '');
      else sign(type);
    }
  }
}

async function langGraph(errand: Errand): Promise<void> {
  const { urls, store, tools, show, sign } = errand;
  const saver = new RethreadSaver(store);
  const actual = tools.map((each) =>
    langchainTool(durableTool<Order, string>({ session: saver.sessionOf, ...each }), {
      name: each.name,
      description: each.name,
      schema,
    }),
  );
  const model = new ChatAnthropic({
    model: 'claude-sonnet-4-5',
    anthropicApiKey: KEY,
    anthropicApiUrl: urls.anthropic,
    maxRetries: 0,
  }).bindTools(actual);
  const hasCalls = ({ messages }: typeof MessagesAnnotation.State): boolean =>
    ((messages.at(-1) as AIMessage | undefined)?.tool_calls ?? []).length > 0;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(actual))
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state) => (hasCalls(state) ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: errand.session } };
  const { config: known, tasks } = await graph.getState(config);
  const isNew = known.configurable?.['checkpoint_id'] === undefined;
  // `next` is empty too while the writes of a step wait for their checkpoint.
  if (!isNew && tasks.length === 0) return;
  const input = isNew ? { messages: [new HumanMessage(QUESTION)] } : null;
  for await (const update of await graph.stream(input, { ...config, streamMode: 'updates' })) {
    await saver.stored(config);
    for (const [node, { messages }] of Object.entries(update as Record<string, typeof MessagesAnnotation.State>)) {
      if (node === 'model') show(messages.map(({ text }) => text).join(''));
      else sign(node);
    }
  }
}

async function openAIAgents(errand: Errand): Promise<void> {
  const { urls, tools, show, sign } = errand;
  const session = await sessionOf(errand);
  const durable = new DurableSession(session);
  const client = new OpenAI({ apiKey: KEY, baseURL: urls.openai, maxRetries: 0 });
  const modelProvider = durableModels(new OpenAIProvider({ openAIClient: client }), durable);
  const agent = new Agent({
    name: 'errands',
    model: 'gpt-4.1',
    tools: tools.map((each) =>
      agentTool({
        name: each.name,
        description: each.name,
        strict: false,
        parameters: schema,
        execute: durableTool<unknown, string>({
          session,
          ...each,
          run: (order, call) => each.run(order as Order, call),
        }),
      }),
    ),
  });
  const items = await durable.getItems();
  if (JSON.stringify(items.at(-1) ?? '').includes(FAREWELL)) return;
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const stream = await runner.run(agent, items.length === 0 ? QUESTION : [], { session: durable, stream: true });
  for await (const event of stream) {
    if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') show(event.data.delta);
    else if (event.type !== 'raw_model_stream_event') sign(event.type);
  }
  await stream.completed;
}

export const FRAMEWORKS = { 'ai-sdk': aiSdk, langgraph: langGraph, 'openai-agents': openAIAgents } as const;

export type Framework = keyof typeof FRAMEWORKS;

/** The history of a finished errand as its framework gets it. */
const HISTORIES: Readonly<Record<Framework, (store: Store, id: string) => Promise<readonly unknown[]>>> = {
  'ai-sdk': async (store, id) => repairUIMessages(await loadUIMessages(await store.session(id))).messages,
  langgraph: async (store, id) => {
    const tuple = await new RethreadSaver(store).getTuple({ configurable: { thread_id: id } });
    return (tuple?.checkpoint.channel_values['messages'] ?? []) as unknown[];
  },
  'openai-agents': async (store, id) => new DurableSession(await store.session(id)).getItems(),
};

export async function historyOf(url: string, framework: Framework, id: string): Promise<readonly unknown[]> {
  const store = await open(url);
  try {
    return await HISTORIES[framework](store, id);
  } finally {
    await store.close();
  }
}
