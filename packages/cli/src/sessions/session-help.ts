/** What every command that takes a session says about it. */
export const sessionHelp = 'last, an id or its first characters, a file, or - for standard input';
