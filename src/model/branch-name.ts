/**
 * True for a name that git allows for a branch. Source: git-check-ref-format(1), with `--branch`, but
 * without the names that it takes for others, `@` and `@{-1}`.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || name.startsWith('-')) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\.$/u.test(name)) return false;
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
