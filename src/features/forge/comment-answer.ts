import * as z from 'zod';
import { forgeNames, forges } from '../../core/model/forges/forges.ts';
import { counted } from '../../core/model/problem.ts';
import { type Answer, answeredCount, answeredState, apiVersion } from '../../core/text/answer.ts';
import { sanitize } from '../../core/text/print/escape.ts';

/** The output of `leasehold comment -o json`. */
export const postingSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Posting'),
    ...answeredState,
    commit: z.string().describe('The commit of the plan.'),
    forge: z.enum(forgeNames),
    api: z.string().describe('The address of its API.'),
    repository: z.string().describe("owner/name; on GitLab the project's path or number."),
    pullRequest: z
      .int()
      .min(1)
      .exactOptional()
      .describe('The pull request or merge request; absent when none was found or asked for.'),
    created: answeredCount,
    updated: answeredCount,
    removed: answeredCount,
    untouched: answeredCount.describe('The number of comments that were up to date.'),
    reason: z.string().exactOptional().describe('Why nothing was posted.'),
    bodies: z
      .array(z.string())
      .exactOptional()
      .describe('With --dry-run: the comments that would be posted.'),
  })
  .describe('The output of leasehold comment -o json.');

export type Posting = Answer<typeof postingSchema>;

/** The numbers of comments written, and of those that were already up to date. */
export type Posted = Pick<Posting, 'created' | 'updated' | 'removed' | 'untouched'>;

/** The comments that would be posted; empty without --dry-run. */
export function postingText({ bodies = [] }: Posting): string {
  return bodies.join('\n');
}

/** A sentence about what was posted, or would be. */
export function postingNote(posting: Posting): string {
  const { api, bodies, reason, created, updated, removed, untouched } = posting;
  if (bodies !== undefined) {
    const place = `${placeText(posting)}, over ${api}`;
    return `would post ${counted(bodies.length, 'comment')} on ${sanitize(place)}\n`;
  }
  if (reason !== undefined) return `${sanitize(`nothing posted: ${reason}`)}\n`;
  const counts = Object.entries({ created, updated, removed, untouched });
  const done = counts.filter(([, count]) => count > 0);
  const text = done.map(([what, count]) => `${counted(count, 'comment')} ${what}`).join(', ');
  return `${sanitize(`${text} on ${placeText(posting)}`)}\n`;
}

/** The pull request of a posting, for people. */
function placeText({ forge, repository, pullRequest }: Posting): string {
  return `${forges[forge].request} ${pullRequest ?? 'still to be found'} of ${repository}`;
}
