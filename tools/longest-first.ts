import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A fresh clone knows no times yet; these take the longest and must not be what everybody waits for in the end. */
const LONGEST = ['/properties/fuzz', '/properties/compaction', '/kills/', '/properties/', '/file/', 'packages.test'];

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((part) => moduleId.includes(part));
  return rank === -1 ? LONGEST.length : rank;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
