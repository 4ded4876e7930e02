import type { Plan, PlanPlace } from '../plan-answer.ts';

/** Where a forge shows a repository. */
export interface ForgePages {
  readonly forge: 'github' | 'gitlab';
  /** `https://github.com/owner/name`, without a slash at its end. */
  readonly repository: string;
}

/** The page of a line of a plan, at the commit that has it: a link that stays right when branches move on. */
export function forgeLinks(
  { forge, repository }: ForgePages,
  { base, head }: Pick<Plan, 'base' | 'head'>,
): (place: PlanPlace) => string | undefined {
  const blob = forge === 'github' ? 'blob' : '-/blob';
  return ({ side, file, line }) => {
    const { commit, uncommitted } = side === 'base' ? base : head;
    if (uncommitted) return undefined;
    // Half a character has no place in a URL.
    const parts = file
      .replace(/\p{Cs}/gu, '?')
      .split('/')
      .map(encodeURIComponent);
    return `${repository}/${blob}/${commit}/${parts.join('/')}#L${line}`;
  };
}
