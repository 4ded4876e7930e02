import { allocationsFolder } from '../../model/folders.ts';
import type { Problem } from '../../model/problem.ts';

/**
 * True for a problem that no run of leasehold leaves, and no edit of a declaration makes: a record that nobody can read, or one
 * that is not what the manifests say.
 */
export function isWrittenByHand({ code, at, hint }: Problem): boolean {
  if (hint !== undefined) return false;
  if (code === 'ALLOCATION_LOST') return true;
  return (
    at.file.startsWith(`${allocationsFolder}/`) && /^(?:ALLOCATION_INVALID|FIELD_|YAML_)/.test(code)
  );
}
