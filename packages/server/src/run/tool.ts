/** The part of the system that decides where a tool sends its requests. */
export type Around = {
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly home: string;
  readonly cwd: string;
  /** The text of a file; undefined if it cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
};

/** Base URLs, by names that may stand in a path. */
export type Bases = Readonly<{ [name: string]: string }>;

/** What makes a tool use other base URLs for one run. */
export type Redirection = {
  readonly env?: Readonly<{ [name: string]: string }>;
  /** Arguments to put before those of the user. */
  readonly args?: readonly string[];
};

/** Where a tool sends its requests, and how to redirect them. */
export type Route = {
  readonly bases: Bases;
  /** Files may be written to the folder, which is removed after the run. */
  readonly redirect: (bases: Bases, folder: string) => Redirection | Promise<Redirection>;
};

export type Tool = {
  /** Names of the command. */
  readonly commands: readonly string[];
  readonly route: (around: Around) => Promise<Route>;
};

/** Base URLs of the official APIs, as clients write them. */
export const OFFICIAL = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com',
} as const;

/** A variable that holds a base URL, the URL that is meant where it is not set, and a variable that makes it matter. */
type Variable = {
  readonly name: string;
  readonly variable: string;
  readonly base: string;
  readonly onlyWith?: string;
};

/** The route of a tool that reads its base URLs from environment variables. */
export function routeOfVariables(variables: readonly Variable[], { env }: Around): Route {
  const isUsed = ({ variable, onlyWith }: Variable): boolean =>
    onlyWith === undefined || Boolean(env[variable]) || Boolean(env[onlyWith]);
  const used = variables.filter(isUsed);
  const bases = Object.fromEntries(used.map(({ name, variable, base }) => [name, env[variable] || base]));
  const redirect = (others: Bases): Redirection => ({
    env: Object.fromEntries(used.map(({ name, variable }) => [variable, others[name] ?? ''])),
  });
  return { bases, redirect };
}
