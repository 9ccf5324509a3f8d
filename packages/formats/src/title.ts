/** A title made of a prompt: its first line, cut to a length; undefined when nothing is left. */
export const titleFrom = (text: string | undefined): string | undefined =>
  text?.trim().split('\n')[0]?.trim().slice(0, 100) || undefined;
