import { type Agent, type LogLine, type Unsettled, createAgent } from '@rethread/agent';
import type { Session, Store } from '@rethread/store';

import type { StoreFlags } from '../store/store-command.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt } from '../terminal/visible.ts';
import { portTo, readModel } from './model.ts';
import { howLeft, type Left } from './session.ts';
import { safeTools } from './tools.ts';

/** What every command with an agent can be told. */
export interface AgentFlags extends StoreFlags {
  readonly model?: string;
  readonly system?: string;
  readonly tools: boolean;
  readonly verbose?: true;
}

export interface Staff {
  readonly agent: Agent;
  /** The model, with the way to ask it. */
  readonly model: string;
  readonly left: Left;
}

const usualSystem =
  'You answer in a terminal: in plain text, and briefly. Your tools only look; they see nothing outside of the working directory.';

const longestLine = 700;

const toLine = ({ level, event, ...details }: LogLine): string =>
  `${level} ${event} ${excerpt(JSON.stringify(details), longestLine)}`;

interface Hiring {
  readonly store: Store;
  /** Nothing for one that is yet to be made, so that none is made for a model that cannot be asked. */
  readonly session: Session | undefined;
  readonly flags: AgentFlags;
  readonly output: Output;
  readonly unsettled?: Unsettled;
}

/** An agent for a session, with the model that was asked for or that the session was talked to with. */
export async function agentFor({ store, session, flags, output, unsettled }: Hiring): Promise<Staff> {
  const left = session === undefined ? { unfinished: false } : await howLeft(session);
  const model = readModel(flags.model ?? left.model, process.env);
  const port = await portTo(model, process.env);
  const agent = createAgent({
    store,
    model: port,
    tools: flags.tools ? safeTools(process.cwd()) : {},
    system: flags.system ?? usualSystem,
    ...(unsettled === undefined ? {} : { unsettled }),
    ...(flags.verbose === true ? { logger: (line: LogLine) => output.complain(toLine(line)) } : {}),
  });
  return { agent, model: model.name, left };
}
