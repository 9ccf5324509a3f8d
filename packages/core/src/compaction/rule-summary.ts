import { pairKey, type CallPart, type Message } from '../model/part.ts';
import { isBlank } from '../model/value.ts';
import { isContextText } from './context-text.ts';
import { filesOf } from './file-names.ts';
import { clipLine } from './history-text.ts';
import { NO_SECTIONS, readSections, writeSections, type SectionName, type Sections } from './sections.ts';
import { isTalk } from './summary.ts';

/** What a summary made by rules is made from. */
export type RuleSource = {
  /** The messages that it is to stand for, or the newest of them; what is no talk is passed over. */
  readonly messages: readonly Message[];
  /** The first instruction of the user, where it is not among the messages. */
  readonly first?: Message | undefined;
  /** What the summary before this one said. */
  readonly previous?: string | undefined;
  /** How many earlier messages nobody looked at. */
  readonly unread?: number;
  readonly count: (text: string) => number;
  readonly maxTokens: number;
};

type Limits = { readonly lines: number; readonly width: number };

/** From generous to the least that is still a summary; the first that fits is taken. */
const LIMITS: readonly Limits[] = [
  { lines: 40, width: 600 },
  { lines: 20, width: 300 },
  { lines: 10, width: 160 },
  { lines: 5, width: 80 },
];

const DEMAND = /\b(must|never|always|do not|don't|only|without|make sure|important)\b/i;

/** A summary from the history alone: the same messages give the same words, and no model is asked. */
export function ruleSummary(source: RuleSource): string {
  return fitSections(collect(source), source);
}

/** How long a summary may be, and how that is counted. */
export type Room = { readonly count: (text: string) => number; readonly maxTokens: number };

/** Sections as text, with as many lines and words as there is room for. */
export function fitSections(sections: Sections, room: Room): string {
  for (const limits of LIMITS) {
    const text = writeSections(limited(sections, limits));
    if (room.count(text) <= room.maxTokens) return text;
  }
  return smallest(sections, room);
}

/** Where there is no room for sections, the goal alone is told, in as many words as fit. */
function smallest({ Goal: goal }: Sections, { count, maxTokens }: Room): string {
  for (let width = 160; width >= 20 && goal.length > 0; width >>= 1) {
    const text = `## Goal\n${goal.map((line) => `- ${clipLine(line, width)}`).join('\n')}`;
    if (count(text) <= maxTokens) return text;
  }
  return LEFT_OUT;
}

/** The least that a summary says. */
export const LEFT_OUT = '(left out)';
const UNANSWERED = 'has no result yet';
/** What an earlier summary has counted, to be added up with what came since. */
const COUNTED = /^called (.+) (\d+) times?(?:, (\d+) of them failed)?$/;
const UNREAD = /^(\d+) earlier messages were left out and not looked at$/;

function limited(sections: Sections, { lines, width }: Limits): Sections {
  const short = { ...NO_SECTIONS } as Record<SectionName, readonly string[]>;
  for (const name of Object.keys(sections) as SectionName[]) {
    const all = sections[name];
    // The goal is told at the beginning; of everything else the newest counts.
    const kept = name === 'Goal' ? all.slice(0, lines) : all.slice(-lines);
    const told = kept.map((line) => clipLine(line, width));
    const gone = all.length - kept.length;
    short[name] = gone === 0 ? told : [...told, `(${String(gone)} more left out)`];
  }
  return short;
}

function collect({ messages, first, previous, unread = 0 }: RuleSource): Sections {
  const before = previous === undefined ? NO_SECTIONS : readSections(previous);
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
function instructionIn({ role, parts, at }: Message): string {
  if (role !== 'user') return '';
  return wordsOf({ role, at, parts: parts.filter((part) => part.kind === 'text' && !isContextText(part.text)) });
}

function isWords(part: Message['parts'][number]): boolean {
  return part.kind === 'text' && !isBlank(part.text);
}

function wordsOf({ parts }: Message): string {
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
  for (let i = messages.length - 1; i >= 0; i -= 1) {
    const message = messages[i];
    if (message?.role === 'assistant' && message.parts.some(isWords))
      return [`the last answer was: ${wordsOf(message)}`];
  }
  return undefined;
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
    const asked = new Map<string, CallPart>();
    for (const { parts } of messages) {
      for (const part of parts) {
        if (part.kind === 'call') {
          asked.set(pairKey(part), part);
          this.#call(part);
        } else if (part.kind === 'result') {
          this.#open.delete(pairKey(part));
          const { tool } = asked.get(pairKey(part)) ?? part;
          if (part.outcome !== 'ok') this.#tally(tool ?? 'unknown').failed += 1;
        }
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
