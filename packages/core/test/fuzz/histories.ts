import type { Dialect, RepairOptions } from '../../src/index.ts';
import { aiSdkModelDefects } from './ai-sdk-model-defects.ts';
import { draftAiSdkModel } from './ai-sdk-model-drafts.ts';
import { aiSdkUiDefects } from './ai-sdk-ui-defects.ts';
import { draftAiSdkUi } from './ai-sdk-ui-drafts.ts';
import { agentDefects } from './agents-defects.ts';
import { draftAgents } from './agents-drafts.ts';
import { langChainDefects } from './langchain-defects.ts';
import { draftLangChain } from './langchain-drafts.ts';
import { draftAnthropic } from './anthropic-drafts.ts';
import { anthropicMessageDefects } from './anthropic-message-defects.ts';
import { anthropicPairDefects } from './anthropic-pair-defects.ts';
import { bedrockDefects } from './bedrock-defects.ts';
import { draftBedrock } from './bedrock-drafts.ts';
import { draftChat } from './chat-drafts.ts';
import { chatHostDefects } from './chat-hosts.ts';
import { chatMessageDefects } from './chat-message-defects.ts';
import { chatPairDefects } from './chat-pair-defects.ts';
import type { Defect, Draft } from './draft.ts';
import { draftGemini } from './gemini-drafts.ts';
import { geminiMessageDefects } from './gemini-message-defects.ts';
import { geminiPairDefects } from './gemini-pair-defects.ts';
import { mutate, randomHistory } from './hostile.ts';
import { mistralDefects } from './mistral-defects.ts';
import { draftMistral } from './mistral-drafts.ts';
import { pydanticDefects } from './pydantic-defects.ts';
import { draftPydantic } from './pydantic-drafts.ts';
import { startRandom, type Random } from './random.ts';
import { responsesPairDefects } from './responses-defects.ts';
import { draftResponses } from './responses-drafts.ts';
import { responsesMessageDefects } from './responses-message-defects.ts';
import { listKeyOf } from './reading.ts';

export const dialects: readonly Dialect[] = [
  'openai-agents',
  'langchain',
  'ai-sdk-ui',
  'ai-sdk-model',
  'anthropic-messages',
  'gemini',
  'openai-chat',
  'openai-responses',
  'pydantic-ai',
  'bedrock-converse',
  'mistral-chat',
];

interface Kind {
  readonly draft: (random: Random) => Draft;
  readonly defects: readonly Defect[];
}

const kinds: Readonly<Record<string, Kind>> = {
  'openai-agents': { draft: draftAgents, defects: agentDefects },
  langchain: { draft: draftLangChain, defects: langChainDefects },
  'ai-sdk-ui': { draft: draftAiSdkUi, defects: aiSdkUiDefects },
  'ai-sdk-model': { draft: draftAiSdkModel, defects: aiSdkModelDefects },
  'anthropic-messages': { draft: draftAnthropic, defects: [...anthropicPairDefects, ...anthropicMessageDefects] },
  'bedrock-converse': { draft: draftBedrock, defects: bedrockDefects },
  gemini: { draft: draftGemini, defects: [...geminiPairDefects, ...geminiMessageDefects] },
  'mistral-chat': { draft: draftMistral, defects: mistralDefects },
  'openai-responses': { draft: draftResponses, defects: [...responsesPairDefects, ...responsesMessageDefects] },
  'openai-chat': { draft: draftChat, defects: [...chatPairDefects, ...chatMessageDefects, ...chatHostDefects] },
  'pydantic-ai': { draft: draftPydantic, defects: pydanticDefects },
};

export interface Aim {
  readonly dialect: Dialect;
  readonly model?: string;
  readonly purpose?: 'history' | 'request';
}

/** One generated history, with what was done to it and where it is meant to go. */
export interface Sample {
  readonly seed: number;
  readonly dialect: Dialect;
  readonly input: unknown;
  readonly target: Aim;
  readonly options: RepairOptions;
  /** Names of the defects, or of the way the history was made when it has no structure of ours. */
  readonly planted: readonly string[];
  /** False where a mutation may have put contents into places that hold none, such as a role or an id. */
  readonly contents: boolean;
}

export const defectsOf = (dialect: Dialect): readonly Defect[] => kinds[dialect]?.defects ?? [];

/** A history of a dialect with nothing wrong in it. */
export function healthy(dialect: Dialect, random: Random): Draft {
  const kind = kinds[dialect];
  if (!kind) throw new RangeError(`no histories for ${dialect}`);
  return kind.draft(random);
}

/** The draft as a caller would hand it in: a list, or a list inside its request. */
export const inputOf = (draft: Draft): unknown =>
  draft.body ? { ...draft.body, [listKeyOf(draft.dialect)]: draft.messages } : draft.messages;

/** Where the draft goes. A model that stands in the body is not repeated. */
export const aimOf = (draft: Draft): Aim => ({
  dialect: draft.dialect,
  ...(draft.model !== undefined && draft.body?.['model'] === undefined ? { model: draft.model } : {}),
  ...(draft.purpose ? { purpose: draft.purpose } : {}),
});

const evidences = ['aborted', 'not-started', 'started', 'timed-out', 'denied'] as const;

function optionsFor(random: Random): RepairOptions {
  const choice = random.below(12);
  if (choice === 0) return { policy: 'discard' };
  if (choice === 1) return { open: 'leave' };
  if (choice === 2) return { evidence: { toolu_3: random.pick(evidences), call_4: random.pick(evidences) } };
  if (choice === 3) return { next: 'user' };
  if (choice === 4) return { next: 'user', policy: 'discard' };
  return {};
}

/** A healthy draft with up to four defects planted in it. */
export function plant(draft: Draft, random: Random, most = 4): string[] {
  const defects = defectsOf(draft.dialect);
  const planted: string[] = [];
  for (let wanted = random.below(most + 1); wanted > 0; wanted -= 1) {
    const defect = random.pick(defects);
    if (defect.plant(draft, random)) planted.push(defect.name);
  }
  return planted;
}

/** The history that a seed stands for: mostly structured, some of them mutated, a few of them anything at all. */
export function sampleAt(seed: number, dialect?: Dialect): Sample {
  const random = startRandom(seed);
  const spoken = dialect ?? random.pick(dialects);
  const draft = healthy(spoken, random);
  const way = random.below(10);
  const planted = way === 9 ? ['random history'] : plant(draft, random);
  let input = way === 9 ? randomHistory(spoken, random) : inputOf(draft);
  if (way >= 7 && way < 9) {
    planted.push('mutation');
    for (let times = random.between(1, 3); times > 0; times -= 1) input = mutate(input, random);
  }
  return {
    seed,
    dialect: spoken,
    input,
    target: aimOf(draft),
    options: optionsFor(random),
    planted,
    contents: way < 7,
  };
}
