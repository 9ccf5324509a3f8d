import type { AgentEvent, Run, RunResult } from '@rethread/agent';

import type { Output } from '../terminal/output.ts';
import { excerpt, visible, visibleText } from '../terminal/visible.ts';

const longest = 160;

/** Where a run is shown: answers on standard output, everything about them on standard error. */
export interface Screen {
  readonly output: Output;
  /** `live`: as it comes. `whole`: each answer once it stands, for pipes. `none`: not at all. */
  readonly answers: 'live' | 'whole' | 'none';
}

/** Text that comes in pieces, of which some may turn out to be void. */
class AnswerText {
  readonly #screen: Screen;
  #came = '';
  #written = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  add(text: string): void {
    this.#came += text;
    // Half of a character waits for the other half.
    const whole = /[\ud800-\udbff]$/.test(this.#came) ? this.#came.length - 1 : this.#came.length;
    if (this.#screen.answers === 'live') this.#write(whole);
  }

  /** It stands as this, or as far as it came. */
  end(text: string = this.#came): void {
    if (this.#written > 0 && !text.startsWith(this.#came.slice(0, this.#written))) this.drop();
    this.#came = text;
    if (this.#screen.answers !== 'none') this.#write(text.length);
    if (this.#written > 0 && !text.endsWith('\n')) this.#screen.output.write('\n');
    this.#came = '';
    this.#written = 0;
  }

  /** What came is void: the answer is asked for again. */
  drop(): void {
    if (this.#written > 0) this.#screen.output.write('\n');
    this.#came = '';
    this.#written = 0;
  }

  #write(to: number): void {
    this.#screen.output.write(visibleText(this.#came.slice(this.#written, to)));
    this.#written = Math.max(this.#written, to);
  }
}

const asLine = (value: unknown): string => excerpt(typeof value === 'string' ? value : JSON.stringify(value), longest);

/** One line about an event, where there is anything to say about it. */
function noteOf(event: AgentEvent): string | undefined {
  switch (event.kind) {
    case 'call-started':
      return `calls ${excerpt(event.tool, longest)} ${asLine(event.input)}`;
    case 'call-settled':
      return event.error ? `${excerpt(event.tool, longest)} failed: ${asLine(event.text)}` : undefined;
    case 'repaired':
      return `repaired: ${[...new Set(event.repairs.map(({ rule }) => rule))].join(', ')}`;
    case 'retry':
      return `${event.why}: tries again in ${(event.delayMs / 1000).toFixed(1)} s`;
    case 'fallback':
      return `the answer broke off (${event.why}) and is asked for once more, in one piece`;
    case 'recovered':
      return `the run before ended while ${event.from}; ${event.unsettled} unsettled`;
    case 'compacted':
      return 'the history was shortened';
    default:
      return undefined;
  }
}

/** Shows a run until its end, and gives what it came to. */
export async function showRun(run: Run<RunResult>, screen: Screen): Promise<RunResult> {
  const answer = new AnswerText(screen);
  const show = (event: AgentEvent): void => {
    if (event.kind === 'text') answer.add(event.text);
    if (event.kind === 'answer') answer.end(event.text);
    if (event.kind === 'aborted' || event.kind === 'failed') answer.end();
    if (event.kind === 'fallback' || event.kind === 'retry') answer.drop();
    const note = noteOf(event);
    if (note !== undefined) screen.output.complain(screen.output.tone('dim', visible(`· ${note}`)));
  };
  for await (const event of run) show(event);
  return run.result;
}
