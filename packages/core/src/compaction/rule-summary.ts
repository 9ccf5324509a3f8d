import { pairKey, type CallPart, type Message, type Part } from '../model/part.ts';
import { isBlank } from '../model/value.ts';
import { isContextText } from './author.ts';
import { filesOf } from './call-files.ts';
import { isTalk } from './summary-message.ts';
import { fitSections, readSections, type Room, type Sections } from './summary-sections.ts';

/** What a summary made by rules is made from. */
export type RuleSource = Room & {
  /** The messages that it is to stand for, or the newest of them; what is no talk is passed over. */
  readonly messages: readonly Message[];
  /** The first instruction of the user, where it is not among the messages. */
  readonly first?: Message | undefined;
  /** What the summary before this one said. */
  readonly previous?: string | undefined;
  /** How many earlier messages nobody looked at. */
  readonly unread?: number;
};

const DEMAND = /\b(must|never|always|do not|don't|only|without|make sure|important)\b/i;
const UNANSWERED = 'has no result yet';
/** What an earlier summary has counted, to be added up with what came since. */
const COUNTED = /^called (.+) (\d+) times?(?:, (\d+) of them failed)?$/;
const UNREAD = /^(\d+) earlier messages were left out and not looked at$/;

/** A summary from the history alone: the same messages give the same words, and no model is asked. */
export function ruleSummary(source: RuleSource): string {
  return fitSections(collect(source), source);
}

function collect({ messages, first, previous = '', unread = 0 }: RuleSource): Sections {
  const before = readSections(previous);
  const talk = messages.filter(isTalk);
  const asked = (first === undefined ? talk : [first, ...talk]).map(instructionIn).filter((said) => said !== '');
  const calls = new CallLog(talk);
  const work = before['Work done'].filter((line) => !calls.adopt(line) && !UNREAD.test(line));
  const passed = before['Work done'].reduce((sum, line) => sum + Number(UNREAD.exec(line)?.[1] ?? 0), unread);
  const told = passed === 0 ? [] : [`${String(passed)} earlier messages were left out and not looked at`];
  return {
    Goal: goals(before.Goal, asked),
    Constraints: unique([...before.Constraints, ...asked.flatMap(demandsIn)]),
    Decisions: before.Decisions,
    'Work done': [...work, ...told, ...calls.counts()],
    'Files read': unique([...before['Files read'], ...calls.filesRead]),
    'Files changed': unique([...before['Files changed'], ...calls.filesChanged]),
    'Open tasks': [...before['Open tasks'].filter((line) => !line.endsWith(UNANSWERED)), ...calls.open()],
    'Next step': lastAnswer(talk) ?? before['Next step'],
  };
}

/** The first instruction is the goal, and the last one is what is being done for it. */
function goals(before: readonly string[], asked: readonly string[]): readonly string[] {
  const first = before[0] ?? asked[0];
  const last = asked.at(-1) ?? before.at(-1);
  return unique([first, last].filter((line) => line !== undefined));
}

/** What a person says in a message, also beside results; nothing where only programs speak. */
function instructionIn({ role, parts }: Message): string {
  return role === 'user' ? wordsOf(parts.filter((part) => part.kind === 'text' && !isContextText(part.text))) : '';
}

function wordsOf(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join(' ')
    .trim();
}

function demandsIn(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => DEMAND.test(sentence));
}

function lastAnswer(messages: readonly Message[]): readonly string[] | undefined {
  const last = messages.findLast(
    ({ role, parts }) => role === 'assistant' && parts.some((part) => part.kind === 'text' && !isBlank(part.text)),
  );
  return last && [`the last answer was: ${wordsOf(last.parts)}`];
}

function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

/** What was called, how it ended, and which files it named. */
class CallLog {
  readonly filesRead: string[] = [];
  readonly filesChanged: string[] = [];
  readonly #tools = new Map<string, { calls: number; failed: number }>();
  readonly #open = new Map<string, CallPart>();

  constructor(messages: readonly Message[]) {
    const tools = new Map<string, string>();
    for (const part of messages.flatMap(({ parts }) => parts)) {
      if (part.kind === 'call') {
        tools.set(pairKey(part), part.tool);
        this.#call(part);
      } else if (part.kind === 'result') {
        this.#open.delete(pairKey(part));
        const tool = tools.get(pairKey(part)) ?? part.tool ?? 'unknown';
        if (part.outcome !== 'ok') this.#tally(tool).failed += 1;
      }
    }
  }

  #call(part: CallPart): void {
    this.#open.set(pairKey(part), part);
    this.#tally(part.tool).calls += 1;
    const { names, changed } = filesOf(part);
    for (const name of names) (changed ? this.filesChanged : this.filesRead).push(name);
  }

  #tally(tool: string): { calls: number; failed: number } {
    let tally = this.#tools.get(tool);
    if (tally === undefined) this.#tools.set(tool, (tally = { calls: 0, failed: 0 }));
    return tally;
  }

  /** Adds what an earlier summary has counted; false for a line that counts nothing. */
  adopt(line: string): boolean {
    const [, tool, calls, failed = 0] = COUNTED.exec(line) ?? [];
    if (tool === undefined) return false;
    const tally = this.#tally(tool);
    tally.calls += Number(calls);
    tally.failed += Number(failed);
    return true;
  }

  counts(): readonly string[] {
    return [...this.#tools].map(([tool, { calls, failed }]) => {
      const failures = failed === 0 ? '' : `, ${String(failed)} of them failed`;
      return `called ${tool} ${String(calls)} ${calls === 1 ? 'time' : 'times'}${failures}`;
    });
  }

  open(): readonly string[] {
    return [...this.#open.values()].map(({ tool, callId }) => `the call ${callId} to ${tool} ${UNANSWERED}`);
  }
}
