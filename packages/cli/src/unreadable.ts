/** An input or a place on disk that the command cannot work with, told in one sentence a person can act on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** What the sentence is about, where that is not the file that was named first. */
  readonly about: string | undefined;

  constructor(message: string, { cause, about }: { readonly cause?: unknown; readonly about?: string } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.about = about;
  }
}

/** Standard output took no more. No input is to blame, and nothing more can be printed. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable';

  constructor(cause: unknown) {
    super(`the output cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

/** The code of a failed system call, or nothing for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  // Other errors have codes of their own, in small letters.
  return typeof error.code === 'string' && /^E[A-Z\d_]+$/.test(error.code) ? error.code : undefined;
}

const sentences: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file system allows no file that large',
  EISDIR: 'it is a folder',
  EIO: 'the disk reports an error',
  ELOOP: 'it is, or leads through, a symbolic link that cannot be followed',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
};

/** Says in words what went wrong, without the stack and without the system's own wording where we know a better one. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  const code = systemCode(error);
  if (code !== undefined && sentences[code] !== undefined) return sentences[code];
  // Readers and writers of JSON go down into a value by calling themselves.
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'something in it is nested too deeply';
  return error instanceof Error ? error.message : String(error);
}
