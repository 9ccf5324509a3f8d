import { expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { wake, type Woken } from '../../src/engine/diagnose.ts';
import { Draft } from '../../src/engine/draft.ts';
import { Rewritten } from '../../src/engine/rewritten.ts';
import { survey } from '../../src/engine/survey.ts';
import type { Codec } from '../../src/model/codec.ts';
import { replacePart } from '../../src/model/edit.ts';
import type { Part } from '../../src/model/part.ts';
import { PRESERVE } from '../../src/model/policy.ts';
import type { Rule } from '../../src/model/rule.ts';
import { resolveTarget, type Resolved } from '../../src/target.ts';

const real = CODECS['anthropic-messages'];
const list = [
  { role: 'user', content: 'read' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: '', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A' }] },
];

/** Whether a rule goes on with a call that another rule has rewritten. */
function goesOn(codec: Codec, changed: Partial<Rule> = {}): boolean {
  const { target } = resolveTarget(list, 'anthropic-messages') as Resolved;
  const draft = new Draft(real, list, undefined);
  const facts = survey(draft, target).takeFacts();
  const choices = { policy: PRESERVE, evidence: undefined };
  const [{ rule, found }] = wake(draft, target, { facts, choices }) as [Woken];
  const call = draft.message(1).parts[0] as Part;
  const rewritten = new Rewritten(Object.assign(draft, { codec }), target);
  const edits = [replacePart({ message: 1, part: 0 }, call)];
  rewritten.note({ edits, action: 'rewrite', loss: 'none', note: '' });
  return rewritten.goOn({ rule: { ...rule, ...changed }, found }) !== undefined;
}

test('a rule goes on with a part that was rewritten', () => {
  expect(goesOn(real)).toBe(true);
});

test('a rule does not go on with a part that cannot be read by itself', () => {
  expect(goesOn({ ...real, read: (wire, index) => ({ ...real.read(wire, index), parts: [] }) })).toBe(false);
  expect(goesOn({ ...real, scan: () => undefined })).toBe(false);
});

test('a rule does not go on where it has no reason to any more', () => {
  expect(goesOn(real, { detect: () => false })).toBe(false);
  expect(goesOn(real, { repair: () => undefined })).toBe(false);
});
