import { expect, test } from 'vitest';
import { PROFILES } from '../../src/dialects/profiles.ts';
import { parseClaudeModel, type ClaudeModel } from '../../src/dialects/anthropic-messages/profile.ts';
import type { Profile } from '../../src/index.ts';

const claude = (model?: string): Profile => PROFILES['anthropic-messages'](model);
const gpt = (model?: string): Profile => PROFILES['openai-chat'](model);

const names: readonly (readonly [string, ClaudeModel | undefined])[] = [
  ['claude-2.1', { family: 'claude', version: 2.1 }],
  ['claude-v1', { family: 'claude', version: 1 }],
  ['claude-instant-1.2', { family: 'claude', version: 1.2 }],
  ['claude-3-opus-20240229', { family: 'opus', version: 3 }],
  ['claude-3-5-haiku-latest', { family: 'haiku', version: 3.5 }],
  ['claude-3-7-sonnet-20250219', { family: 'sonnet', version: 3.7 }],
  ['claude-opus-4-20250514', { family: 'opus', version: 4 }],
  ['claude-sonnet-4-5-20250929', { family: 'sonnet', version: 4.5 }],
  ['Claude-Sonnet-4.6', { family: 'sonnet', version: 4.6 }],
  ['us.anthropic.claude-opus-4-8-v1:0', { family: 'opus', version: 4.8 }],
  ['claude-opus-4-9', { family: 'opus', version: 4.9 }],
  ['claude-opus-4-10', { family: 'opus', version: 4.91 }],
  ['claude-fable-5-1', { family: 'fable', version: 5.1 }],
  ['opus4', { family: 'opus', version: 4 }],
  ['fable', { family: 'fable', version: 5 }],
  ['Mythos', { family: 'mythos', version: 5 }],
  ['claude-opus', undefined],
  ['sonnet', undefined],
  ['haiku', undefined],
  ['gpt-4o', undefined],
  ['', undefined],
];

test.each(names)('the name %j tells family and version', (name, model) => {
  expect(parseClaudeModel(name)).toEqual(model);
});

test('a model that is not named, or whose name tells nothing, is read strictly', () => {
  const strict = claude();
  expect(claude('some-model')).toBe(strict);
  expect(claude('opus')).toBe(strict);
  expect(strict).toEqual({
    step: 'turn',
    carrier: 'user',
    resultsFirst: true,
    callsLast: true,
    firstUser: true,
    alternation: false,
    prefill: 'refused',
    pausedTurn: true,
    systemLater: false,
    systemRole: true,
    nullContent: false,
    reasoningFirst: true,
    reasoningBound: true,
    toolsDeclared: true,
    unknownKeys: 'strip',
    idPattern: /^[a-zA-Z0-9_-]+$/,
    idMax: Number.POSITIVE_INFINITY,
    maxImages: 100,
    maxCacheMarkers: 4,
    maxMessages: 100_000,
    maxTools: Number.POSITIVE_INFINITY,
    maxBytes: 33_554_432,
    windowTokens: 1_000_000,
  });
});

const NEWER = { firstUser: false, prefill: 'refused', maxImages: 600, windowTokens: 1_000_000 } as const;
const OLDER = { firstUser: false, prefill: 'plain-only', maxImages: 100, windowTokens: 200_000 } as const;
const FREE = { systemLater: false, reasoningFirst: false, reasoningBound: false } as const;

const differences: readonly (readonly [string, Partial<Profile>])[] = [
  ['claude-2.1', { ...OLDER, ...FREE, firstUser: true }],
  ['claude-instant-1.2', { ...OLDER, ...FREE, firstUser: true }],
  ['claude-3-opus-20240229', { ...OLDER, ...FREE, firstUser: true }],
  ['claude-3-5-haiku-latest', { ...OLDER, ...FREE, firstUser: true }],
  ['claude-3-7-sonnet-20250219', { ...OLDER, ...FREE, firstUser: true, reasoningFirst: true }],
  ['claude-opus-4-20250514', { ...OLDER, ...FREE }],
  ['claude-sonnet-4-5-20250929', { ...OLDER, ...FREE }],
  ['claude-opus-4-6', { ...NEWER, ...FREE }],
  ['claude-opus-4-7', { ...NEWER, ...FREE }],
  ['us.anthropic.claude-opus-4-8-v1:0', { ...NEWER, ...FREE, systemLater: true }],
  ['claude-sonnet-4-8', { ...NEWER, ...FREE }],
  ['claude-haiku-5', { ...NEWER, ...FREE }],
  ['claude-fable-5', { ...NEWER, ...FREE, systemLater: true }],
  ['fable', { ...NEWER, ...FREE, systemLater: true }],
  ['mythos', { ...NEWER, ...FREE, systemLater: true }],
  ['claude-fable-5-1', { ...NEWER, ...FREE, systemLater: true, reasoningBound: true }],
  ['claude-mythos-5-1', { ...NEWER, ...FREE, systemLater: true, reasoningBound: true }],
  ['claude-opus-5-4', { ...NEWER, ...FREE, systemLater: true }],
  ['claude-opus-5-5', { ...NEWER, ...FREE, systemLater: true, reasoningBound: true }],
  ['claude-sonnet-5-5', { ...NEWER, ...FREE, reasoningBound: true }],
];

test.each(differences)('%s differs from the strict reading in exactly this', (name, difference) => {
  expect(claude(name)).toEqual({ ...claude(), ...difference });
});

const chatModels: readonly (readonly [string, Partial<Profile>])[] = [
  ['o1-mini', { systemRole: false }],
  ['openai/o1-preview-2024-09-12', { systemRole: false }],
  ['O1-MINI', { systemRole: false }],
  ['o1', {}],
  ['proto1-mini', {}],
  ['gpt-5.6', { nullContent: true }],
  ['gpt-5.10', { nullContent: true }],
  ['openai.GPT-6', { nullContent: true }],
  ['gpt-9-turbo', { nullContent: true }],
  ['gpt-5.5', {}],
  ['gpt-5', {}],
  ['gpt-4o', {}],
  ['gpt-35-turbo', {}],
  ['gpt-65', {}],
  ['chatgpt-6', {}],
];

test.each(chatModels)('%s differs from the strict reading in exactly this', (name, difference) => {
  expect(gpt(name)).toEqual({ ...gpt(), ...difference });
});

test('a chat model that is not named, or not known, is read strictly', () => {
  expect(gpt('some-model')).toBe(gpt());
  const { idMax, maxTools, systemRole, nullContent, carrier, step } = gpt();
  expect({ idMax, maxTools, systemRole, nullContent, carrier, step }).toEqual({
    idMax: 40,
    maxTools: 128,
    systemRole: true,
    nullContent: false,
    carrier: 'tool',
    step: 'message',
  });
});

const FREE_IDS = { idMax: Number.POSITIVE_INFINITY, maxTools: Number.POSITIVE_INFINITY } as const;
const TURNS = {
  ...FREE_IDS,
  firstUser: true,
  alternation: true,
  toolRole: false,
  plainContent: true,
  prefill: 'refused',
  speaker: 'template',
} as const;

const ONE_SYSTEM = { ...FREE_IDS, oneSystem: true, systemLater: false, speaker: 'template' } as const;

const served: readonly (readonly [string, Partial<Profile>])[] = [
  [
    'groq/openai/gpt-oss-120b',
    { ...FREE_IDS, unknownKeys: 'strip', reasoningField: 'never', plainContent: true, speaker: 'groq' },
  ],
  ['openrouter/openai/gpt-5-mini', FREE_IDS],
  ['google/gemini-2.5-flash', FREE_IDS],
  ['openai/gpt-5-mini', {}],
  ['template/glm-4.7', { ...ONE_SYSTEM, inputForm: 'object', prefill: 'refused' }],
  ['llama.cpp/qwen3', { ...FREE_IDS, prefill: 'refused', speaker: 'template' }],
  ['deepseek-ai/DeepSeek-R1', { ...FREE_IDS, reasoningField: 'never', alternation: true, speaker: 'deepseek' }],
  ['deepseek-r1-distill-llama-70b', {}],
  ['deepseek-reasoner', { ...FREE_IDS, reasoningField: 'back', speaker: 'deepseek' }],
  ['deepseek/deepseek-v4.1', { ...FREE_IDS, reasoningField: 'back', speaker: 'deepseek' }],
  ['deepseek-chat', { speaker: 'deepseek' }],
  ['kimi-k2-0905-preview', { ...FREE_IDS, emptyText: 'refused', speaker: 'moonshot' }],
  ['x-ai/grok-4', { ...FREE_IDS, contentNeeded: true, speaker: 'xai' }],
  ['Qwen/Qwen3.5-27B', ONE_SYSTEM],
  ['qwen3-max', { speaker: 'dashscope' }],
  ['qwen/qwen-plus', { ...FREE_IDS, speaker: 'dashscope' }],
  ['qwen3-32b', {}],
  ['gemma:7b', { ...TURNS, systemRole: false }],
  ['gemma-2-9b-it', { ...TURNS, systemRole: false }],
  ['gemma-3-27b-it', {}],
  ['mistralai/Mistral-7B-Instruct-v0.1', { ...TURNS, systemRole: false }],
  ['meta-llama/Llama-2-13b-chat-hf', { ...TURNS, oneSystem: true, systemLater: false }],
  ['llama-3.2-3b', {}],
  // Names that hold another one without being it, and other spellings.
  ['my-groq/llama-3.3', FREE_IDS],
  ['my-template/glm-4.7', FREE_IDS],
  ['my-llama.cpp/qwen3', FREE_IDS],
  ['llamacpp/qwen3', { ...FREE_IDS, prefill: 'refused', speaker: 'template' }],
  ['my-deepseek-chat', {}],
  ['qwen-max', { speaker: 'dashscope' }],
  ['qwen2.5-max', { speaker: 'dashscope' }],
  ['my-qwen/qwen-plus', FREE_IDS],
  ['gemma', { ...TURNS, systemRole: false }],
  ['gemma:27b', { ...TURNS, systemRole: false }],
  ['mistral-7b-instruct-v0.1', { ...TURNS, systemRole: false }],
  ['llama2-7b-chat', { ...TURNS, oneSystem: true, systemLater: false }],
];

test.each(served)('%s differs from the strict reading of chat in exactly this', (name, difference) => {
  expect(gpt(name)).toEqual({ ...gpt(), ...difference });
});

const converse = (model?: string): Profile => PROFILES['bedrock-converse'](model);
const UNSIGNED = {
  callsLast: false,
  reasoningFirst: false,
  reasoningSigned: false,
  reasoningBound: false,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
} as const;

const families: readonly (readonly [string, Partial<Profile>])[] = [
  ['some-model', {}],
  ['us.amazon.nova-2-lite-v1:0', { ...UNSIGNED, resultsAlone: false, resultsFirst: false }],
  ['qwen.qwen3-32b-v1:0', { ...UNSIGNED, firstUser: false }],
  ['us.writer.palmyra-x4-v1:0', { ...UNSIGNED, resultStatus: false }],
  ['moonshot.kimi-k2-thinking', { ...UNSIGNED, idPattern: /[^]/, idMax: Number.POSITIVE_INFINITY }],
  ['us.mistral.pixtral-large-2502-v1:0', UNSIGNED],
  ['mistral.mistral-large-3-675b-instruct', { ...UNSIGNED, idPattern: /^[a-zA-Z0-9]{9}$/, idMax: 9 }],
  ['us.meta.llama4-maverick-17b-instruct-v1:0', UNSIGNED],
  ['zai.glm-4.7-flash', UNSIGNED],
];

test.each(families)('behind Converse %s differs from the strict reading in exactly this', (name, difference) => {
  expect(converse(name)).toEqual({ ...converse(), ...difference });
});

test('Claude behind Converse keeps its own rules, but for those of the service', () => {
  const model = 'us.anthropic.claude-opus-4-8-v1:0';
  expect(converse(model)).toMatchObject({ firstUser: false, prefill: 'refused', reasoningBound: false });
  expect(converse(model)).toMatchObject({ alternation: true, systemLater: false, blankText: true });
  expect(converse(model).resultsAlone).toBe(false);
});

test('a Mistral model is read by the date in its name', () => {
  const mistral = (model?: string): Profile => PROFILES['mistral-chat'](model);
  expect(mistral('mistral-medium-latest')).toBe(mistral());
  expect(mistral('ministral-8b-2410')).toBe(mistral());
  expect(mistral('magistral-small-latest')).toEqual({ ...mistral(), reasoningParts: true });
  expect(mistral('mistral-small-2603')).toEqual({
    ...mistral(),
    reasoningParts: true,
    userAfterTool: true,
    systemEnd: true,
    idPattern: /[^]/,
    idMax: Number.POSITIVE_INFINITY,
  });
});
