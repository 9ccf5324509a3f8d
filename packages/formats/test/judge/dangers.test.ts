import { describe, expect, test } from 'vitest';

import { dangerOf, type Fault, type FaultKind } from '../../src/index.ts';

const fault = (kind: FaultKind, line: number): Fault => ({
  kind,
  place: { kind: 'line', file: 'session.jsonl', line, byte: 0, bytes: 1 },
  note: '',
});

describe('what tools do to damaged sessions on opening them, as it was seen', () => {
  test.each([
    { tool: 'gemini', kind: 'bom', line: 1, does: 'deletes' },
    { tool: 'gemini', kind: 'missing-head', line: 1, does: 'deletes' },
    { tool: 'gemini', kind: 'torn', line: 1, does: 'deletes' },
    { tool: 'gemini', kind: 'torn', line: 9, does: undefined },
    { tool: 'cline', kind: 'torn', line: 1, does: 'overwrites' },
    { tool: 'cline', kind: 'not-json', line: 1, does: 'overwrites' },
    { tool: 'kimi', kind: 'not-json', line: 5, does: 'truncates' },
    { tool: 'kimi', kind: 'no-final-newline', line: 9, does: 'forgets' },
    { tool: 'pi', kind: 'lost-parent', line: 5, does: 'forgets' },
    { tool: 'pi', kind: 'no-final-newline', line: 9, does: 'forgets' },
    { tool: 'pi', kind: 'bad-utf8', line: 5, does: undefined },
    { tool: 'qwen', kind: 'lost-parent', line: 5, does: 'forgets' },
    { tool: 'qwen', kind: 'torn', line: 9, does: 'forgets' },
    { tool: 'codex', kind: 'torn', line: 9, does: undefined },
    { tool: 'claude-code', kind: 'lost-parent', line: 5, does: undefined },
    { tool: 'opencode', kind: 'unreadable', line: 1, does: undefined },
  ] as const)('$tool, $kind on line $line: $does', ({ tool, kind, line, does }) => {
    expect(dangerOf({ tool, faults: [fault(kind, line)] })?.does).toBe(does);
  });

  test('a file of no tool that is known, and one without faults, are safe', () => {
    expect(dangerOf({ faults: [fault('torn', 1)] })).toBeUndefined();
    expect(dangerOf({ tool: 'gemini', faults: [] })).toBeUndefined();
  });
});
