import { describe, expect, test } from 'vitest';

import { bringsNode, complaint } from './node.mjs';

const linux = { platform: 'linux', arch: 'x64', glibc: true, node: '20.20.2' };

describe('the system decides which Node runs', () => {
  test('an old Node is enough where the repository brings its own', () => {
    expect([bringsNode(linux), complaint(linux)]).toEqual([true, undefined]);
  });

  test.each([
    ['another system', { ...linux, platform: 'darwin' }],
    ['another processor', { ...linux, arch: 'arm64' }],
    ['another C library', { ...linux, glibc: false }],
    ['a Node just too old', { ...linux, platform: 'win32', node: '22.12.0' }],
  ])('%s with an old Node gets one sentence', (_, system) => {
    expect(complaint(system)).toMatch(/^rethread needs Node 22\.13 or newer, and this is [\d.]+: [^.]+\.$/);
  });

  test.each(['22.13.0', '22.20.1', '24.0.0', '100.0.0'])('Node %s is new enough anywhere', (node) => {
    expect(complaint({ ...linux, platform: 'darwin', node })).toBeUndefined();
  });
});
