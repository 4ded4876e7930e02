import type { SimpleGit, SimpleGitOptions } from 'simple-git';

const end = new AbortController();

/** Every git of this thread ends when it is aborted. */
export const gitEnd: AbortSignal = end.signal;

/** Ends every git that this thread runs, and lets it start no other: for when the process or the thread ends. */
export function endGit(): void {
  end.abort();
}

/** When simple-git takes a command for ended, and when for failed. */
export const completion = {
  // With its default, output that is still on the way 50 ms after git's end would be cut off.
  completion: { onClose: true, onExit: false },
  // Left alone, simple-git takes a command that fails without a word for one that succeeded.
  errors: (error, { exitCode }) =>
    error ?? (exitCode === 0 ? undefined : new Error(`git ended with status ${exitCode}`)),
} as const satisfies Partial<SimpleGitOptions>;

/**
 * Makes a command that prints nothing end when git ends. simple-git waits 50 ms longer for each, in case output
 * is still on the way; an empty chunk at the end of the output tells it that all has come.
 */
export function withoutDelay(git: SimpleGit): SimpleGit {
  return git.outputHandler((_command, stdout) => {
    stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
  });
}
