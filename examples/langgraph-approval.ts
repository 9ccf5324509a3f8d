// A LangGraph agent that asks before it deploys. Stop it at any moment; start it again and it continues.
//   npm i @langchain/anthropic @langchain/core @langchain/langgraph @rethread/adapters @rethread/store
//   node langgraph-approval.ts            asks, and ends when it needs an answer
//   node langgraph-approval.ts yes        continues with the answer
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage, type AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { durableTool } from '@rethread/adapters/durable-tool';
import { RethreadSaver } from '@rethread/adapters/langgraph';
import { open } from '@rethread/store';

const store = await open('file:./agents');
const saver = new RethreadSaver(store);

const deploy = tool(
  durableTool({
    session: saver.sessionOf,
    name: 'deploy',
    effect: 'once',
    run: async ({ to }: { to: string }) => `deployed to ${to}`,
  }),
  {
    name: 'deploy',
    description: 'Deploys the site',
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  },
);
const baseURL = process.env['ANTHROPIC_BASE_URL'];
const model = new ChatAnthropic({
  model: 'claude-sonnet-4-5',
  ...(baseURL === undefined ? {} : { anthropicApiUrl: baseURL }),
}).bindTools([deploy]);

type State = typeof MessagesAnnotation.State;
const callsOf = ({ messages }: State) => (messages.at(-1) as AIMessage).tool_calls ?? [];

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }: State) => ({ messages: [await model.invoke(messages)] }))
  .addNode('approval', (state: State) => {
    const answer: unknown = interrupt(
      `Run ${callsOf(state)
        .map(({ name }) => name)
        .join(', ')}?`,
    );
    if (answer === 'yes') return {};
    const denied = callsOf(state).map(({ id = '' }) => new ToolMessage({ tool_call_id: id, content: 'not approved' }));
    return { messages: denied };
  })
  .addNode('tools', new ToolNode([deploy]))
  .addEdge(START, 'model')
  .addConditionalEdges('model', (state: State) => (callsOf(state).length > 0 ? 'approval' : END))
  .addConditionalEdges('approval', ({ messages }: State) => (messages.at(-1)?.type === 'tool' ? 'model' : 'tools'))
  .addEdge('tools', 'model')
  .compile({ checkpointer: saver });

const config = { configurable: { thread_id: 'release-7' } };
const { tasks } = await graph.getState(config);
const answer = process.argv[2];
const waits = tasks.some(({ interrupts }) => interrupts.length > 0);
if (waits && answer !== undefined) await graph.invoke(new Command({ resume: answer }), config);
else await graph.invoke(tasks.length > 0 ? null : { messages: [new HumanMessage('Deploy the site.')] }, config);
const state = await graph.getState(config);
const questions = state.tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => String(value)));
const { messages } = state.values as State;
console.log(questions[0] ?? messages.at(-1)?.text);
await store.close();
