const end = new AbortController();

/** Every git of this thread ends when it is aborted. */
export const gitEnd: AbortSignal = end.signal;

/** Ends every git that this thread runs, and lets it start no other: for when the process or the thread ends. */
export function endGit(): void {
  end.abort();
}
