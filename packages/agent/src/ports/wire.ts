/** JSON as a provider sends it. */
export type Wire = Readonly<Record<string, unknown>>;

/** An object, whatever was sent: what is missing in it is missing. */
export function wireOf(value: unknown): Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first of these that is a number. */
export function numberOf(...values: readonly unknown[]): number {
  return values.find((value) => typeof value === 'number') ?? 0;
}
