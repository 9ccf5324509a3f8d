/** Waits for the signal that ends a server, and is then the only one to answer it. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.removeAllListeners(signal);
      process.once(signal, () => done());
    }
  });
}
