import type { PlanPlace } from '../plan-answer.ts';

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
