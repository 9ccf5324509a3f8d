import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { showProgress } from './long-run.ts';

describe('the progress of a long run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const watched = (screen: { readonly isTTY?: boolean; readonly columns?: number }) => {
    const written: string[] = [];
    let done = 0;
    const progress = showProgress(() => `${(done += 1)} of 9 done`, {
      ...screen,
      write: (text: string) => void written.push(text),
    });
    return { written, end: () => progress[Symbol.dispose]() };
  };

  test('is one line at a terminal, rewritten every two seconds and taken away at the end', () => {
    const { written, end } = watched({ isTTY: true, columns: 80 });
    vi.advanceTimersByTime(4_500);
    end();
    vi.advanceTimersByTime(60_000);
    const lines = ['1 of 9 done (0 s)', '2 of 9 done (2 s)', '3 of 9 done (4 s)', ''];
    expect(written).toEqual(lines.map((line) => `\r\u001B[K${line}`));
    expect(vi.getTimerCount()).toBe(0);
  });

  test('never wraps, because a line that did could not be taken back', () => {
    const { written, end } = watched({ isTTY: true, columns: 10 });
    end();
    expect(written[0]).toBe('\r\u001B[K1 of 9 do');
    const unknown = watched({ isTTY: true, columns: 0 });
    unknown.end();
    expect(unknown.written[0]).toBe('\r\u001B[K1 of 9 done (0 s)');
  });

  test('is a line a minute where it goes to a file or a pipe', () => {
    const { written, end } = watched({});
    vi.advanceTimersByTime(59_999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(60_001);
    end();
    expect(written).toEqual(['1 of 9 done (60 s)\n', '2 of 9 done (120 s)\n']);
  });
});
