import { forges } from '../../core/model/forges/forges.ts';
import type { Plan, PlanPlace } from '../../core/run/plan/plan-answer.ts';
import type { ForgePages } from '../../core/run/plan/print/plan-format.ts';

/** Returns the https URL of a place, or undefined when it has none. */
export type LinkOf = (place: PlanPlace) => string | undefined;

/** The https link of a place, without characters that end a Markdown link or an HTML attribute. */
export function safeLink(place: PlanPlace, linkOf: LinkOf): string | undefined {
  const url = linkOf(place);
  return url === undefined ? undefined : safeUrl(url);
}

/**
 * An https URL without characters that end a Markdown link or an HTML attribute. Undefined for any
 * other text.
 */
export function safeUrl(url: string): string | undefined {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(url)) return undefined;
  return url.replace(/["'<>()[\]{}|\\^`]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Permanent links to the places of a plan, at their commits; undefined for uncommitted lines, and
 * without pages.
 */
export function forgeLinks(
  pages: ForgePages | undefined,
  { base, head, folder = '' }: Pick<Plan, 'base' | 'head' | 'folder'>,
): LinkOf {
  return ({ side, file, line }) => {
    const { commit, uncommitted } = side === 'base' ? base : head;
    if (uncommitted || pages === undefined) return undefined;
    // encodeURIComponent throws for a lone surrogate.
    const parts = `${folder}${file}`
      .replace(/\p{Cs}/gu, '?')
      .split('/')
      .map(encodeURIComponent);
    return `${pages.repository}/${forges[pages.forge].blob}/${commit}/${parts.join('/')}#L${line}`;
  };
}
