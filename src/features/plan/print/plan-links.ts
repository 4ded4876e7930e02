import type { Plan, PlanPlace } from '../plan-answer.ts';

/** Where a line can be looked at: an https URL, or undefined when nobody knows one. */
export type LinkOf = (place: PlanPlace) => string | undefined;

/** The link of a place, in characters that end neither a Markdown link nor an attribute; https only. */
export function safeLink(place: PlanPlace, linkOf: LinkOf): string | undefined {
  const url = linkOf(place);
  if (url === undefined || !/^https:\/\/[\x21-\x7e]+$/.test(url)) return undefined;
  return url.replace(/["'<>()[\]{}|\\^`]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

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
