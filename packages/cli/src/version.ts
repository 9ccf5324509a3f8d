/** The version that `rethread --version` prints; a test holds it equal to the package's own. */
export const version: string = '0.1.0';
