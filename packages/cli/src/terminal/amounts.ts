const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes as a person says it: `1.2 MB`. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 9.95 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

const spans = [
  ['s', 1000, 60],
  ['min', 60_000, 60],
  ['h', 3_600_000, 24],
  ['d', 86_400_000, 365],
  ['y', 31_536_000_000, Infinity],
] as const;

/** A span of time in one unit: `5 min`. */
export function spanText(milliseconds: number): string {
  const span = spans.find(([, length, most]) => milliseconds < length * most) ?? spans[0];
  return `${Math.max(0, Math.floor(milliseconds / span[1]))} ${span[0]}`;
}

/** A share in percent, rounded down so that a loss never shows as 100 %. */
export const shareText = (share: number): string => `${Math.floor(share * 100)} %`;
