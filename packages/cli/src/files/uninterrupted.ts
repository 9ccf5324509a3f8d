/** What is being written is written to the end; Ctrl-C, where it would end the process at once, counts behind it. */
export function uninterrupted<T>(write: () => T): T {
  const end = (): void => process.exit(130);
  process.on('SIGINT', end);
  try {
    return write();
  } finally {
    // A signal that came meanwhile is told when the event loop next looks.
    setImmediate(() => process.off('SIGINT', end));
  }
}
