import type { MarkKind, Verdict } from '../api.ts';

/** What a verdict means, in a word and in a sentence. */
export const VERDICT_WORDS: Readonly<Record<Verdict, { readonly name: string; readonly sentence: string }>> = {
  endangered: { name: 'Endangered', sentence: 'The tool will damage this session when it opens it.' },
  refused: { name: 'Refused', sentence: 'The provider would refuse the next request.' },
  torn: { name: 'Torn', sentence: 'Some bytes of the file cannot be read.' },
  hidden: { name: 'Hidden', sentence: 'The tool can no longer find a part of this session.' },
  heavy: { name: 'Heavy', sentence: 'The next request nearly fills the window of the model.' },
  running: { name: 'Running', sentence: 'The session was written to in the last three minutes.' },
  healthy: { name: 'Healthy', sentence: 'The provider would accept the next request.' },
  unreadable: { name: 'Unreadable', sentence: 'This session could not be read.' },
};

/** Why something is not in the next request. */
export const REASON_WORDS: Readonly<Record<string, { readonly name: string; readonly sentence: string }>> = {
  compacted: { name: 'Compacted', sentence: 'A summary stands for it.' },
  rewound: { name: 'Rewound', sentence: 'The user undid it.' },
  branch: { name: 'Other branch', sentence: 'It is on a branch that was left.' },
  sidechain: { name: 'Subagent', sentence: 'It belongs to a subagent.' },
  'lost-parent': { name: 'Lost', sentence: 'The record that links it to the rest is gone.' },
  failed: { name: 'Failed answer', sentence: 'The answer failed or was aborted, and the tool leaves it out.' },
  hidden: { name: 'Shown only', sentence: 'The tool shows or keeps it, but never sends it.' },
  reworded: { name: 'Reworded', sentence: 'The tool sends it in other words.' },
  repeated: { name: 'Repeated', sentence: 'Another record stands for it under the same id.' },
  torn: { name: 'Unreadable', sentence: 'It cannot be read.' },
};

export const reasonWords = (reason: string): { readonly name: string; readonly sentence: string } =>
  REASON_WORDS[reason] ?? { name: reason, sentence: 'The next request does not contain it.' };

export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  compaction: 'Compacted',
  interruption: 'Interrupted',
  rewind: 'Rewound',
  failure: 'Request failed',
  branch: 'Branch',
};

const TOOL_NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  kilo: 'Kilo',
  qwen: 'Qwen Code',
  kimi: 'Kimi Code',
  cline: 'Cline',
  openclaw: 'OpenClaw',
  roo: 'Roo Code',
};

export const toolName = (id: string): string => TOOL_NAMES[id] ?? id;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** 1,536 bytes as `1.5 kB`. */
export function bytesWords(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)));
  const number = bytes / 1000 ** unit;
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${UNITS[unit]}`;
}

/** 12,345 as `12k`. */
export function countWords(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 10_000) return `${(count / 1000).toFixed(1)}k`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

const exact = new Intl.NumberFormat('en');
export const exactWords = (count: number): string => exact.format(count);

export const shareWords = (share: number): string => {
  const percent = share * 100;
  return percent > 99 && percent < 100 ? '>99 %' : percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
};

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${exactWords(count)} ${count === 1 ? one : many}`;

const AGES: readonly (readonly [unit: string, seconds: number])[] = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
];

/** Findings are told in parts of sentences. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** How long ago something was. */
export function ageWords(ms: number, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - ms) / 1000);
  const age = AGES.find(([, length]) => seconds >= length);
  return age === undefined ? 'now' : `${Math.floor(seconds / age[1])} ${age[0]}`;
}

export function timeWords(time: string | number | undefined): string {
  const date = new Date(time ?? NaN);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleString('en-GB', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}

export function dayWords(ms: number, now: number = Date.now()): string {
  const day = new Date(ms).toDateString();
  if (day === new Date(now).toDateString()) return 'Today';
  if (day === new Date(now - 86_400_000).toDateString()) return 'Yesterday';
  return new Date(ms).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
}

/** The last two steps of a folder's path. */
export const projectWords = (cwd: string | undefined): string =>
  cwd === undefined ? '' : cwd.split(/[\\/]/).filter(Boolean).slice(-2).join('/');
