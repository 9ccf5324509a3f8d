/** JSON from a provider. */
export type Wire = Readonly<Record<string, unknown>>;

/** An object for any value; missing fields are undefined. */
export function wireOf(value: unknown): Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first number of these. */
export function numberOf(...values: readonly unknown[]): number {
  return values.find((value) => typeof value === 'number') ?? 0;
}
