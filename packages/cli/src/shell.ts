/** What a command needs of the process it runs in. */
export interface Shell {
  /** The address of the program file, for the thread that does the work. */
  readonly entry: string;
  /** Sets the code with which the program will end. */
  readonly exit: (code: number) => void;
}
