import type { Pushed } from '../../ports/remote-branch.ts';

/** What a remote says of a branch that somebody else has moved or is moving just now. */
const races =
  /fetch first|non-fast-forward|stale info|already exists|incorrect old value|failed to update ref|(?:cannot|failed to|unable to) lock|lock file|is at [0-9a-f]+ but expected/i;

/**
 * What `git push --porcelain` printed, standard error after standard output, of a push of one ref that
 * failed: undefined when the remote was not reached, or did not answer.
 *
 * `[rejected]` is git's own word for a branch that is elsewhere by now. `[remote rejected]` is the
 * remote's: a lock that another push has there is a race too, anything else is its last word.
 */
export function pushAnswer(printed: string): Pushed | undefined {
  const [, mark, said = ''] =
    /^!\t[^\t]*\t\[(rejected|remote rejected)\] \((.*)\)$/m.exec(printed) ?? [];
  if (mark === undefined) return undefined;
  const kind = mark === 'rejected' || races.test(said) ? 'outrun' : 'refused';
  return { kind, reason: kind === 'outrun' ? said : [said, ...remarks(printed)].join('; ') };
}

/** More lines of a hook than these scroll away. */
const mostRemarks = 5;

/** What the hooks of the remote printed. */
function remarks(printed: string): readonly string[] {
  return [...printed.matchAll(/^remote: ?(.*?)\s*$/gm)]
    .flatMap(([, line = '']) => (line === '' ? [] : [line]))
    .slice(0, mostRemarks);
}
