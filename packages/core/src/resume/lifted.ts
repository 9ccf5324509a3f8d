import type { Codec } from '../model/codec.ts';
import { readSafely } from '../model/read-safely.ts';
import { tell, type CleanupLogger } from './logger.ts';

/** Tells the words of system messages that had to leave a list, because whoever holds it has to send them elsewhere. */
export function tellLifted(lifted: readonly unknown[], codec: Codec, logger: CleanupLogger | undefined): void {
  const words = lifted.flatMap((wire) =>
    readSafely(codec, wire, 0).parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
  );
  const next = 'Send this in the system field of the request:';
  tell(logger, `System messages cannot stand in the list: ${String(lifted.length)}. ${next} ${words.join('\n')}`);
}
