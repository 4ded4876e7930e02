import { forecastsOf } from '../../lib/forecast/forecast.ts';
import type { WebAnswer } from '../../lib/http/web.ts';
import type { RouteMaker } from '../../lib/service/route.ts';
import { failureAnswer, guardedJson, jsonType, textAnswer } from '../../lib/service/route.ts';
import {
  memoized,
  type ServedTree,
  type ServeState,
  type Stale,
} from '../../lib/service/serve-state.ts';
import { pageHtml, pageScriptPath } from './page-html.ts';
import { pictureOf, picturePast } from './picture.ts';
import { type Picture, pictureSchema } from './picture-answer.ts';

const htmlType = 'text/html; charset=utf-8';

/**
 * The page and its data. The page itself contains no data, so it is served without a token and
 * before anything else is served; it loads what it shows.
 */
export const pageRoutes: RouteMaker = (shipped) => {
  const page = textAnswer(pageHtml({ script: shipped(pageScriptPath) }), htmlType);
  return [
    {
      of: 'state',
      id: 'getPage',
      path: '/',
      summary: 'The page: pools, a map of the addresses, a search, histories',
      media: 'text/html',
      access: 'open',
      answer: () => page,
    },
    {
      of: 'state',
      ...guardedJson,
      id: 'getPicture',
      path: '/api/v1/picture',
      summary: 'The content of the page',
      kind: 'Picture',
      schema: pictureSchema,
      answer: pictureAnswer,
    },
  ];
};

/** Cached per tree and reason of staleness. */
function pictureAnswer({ served, stale }: ServeState): WebAnswer | Promise<WebAnswer> {
  if (served === undefined) return failureAnswer(503, 'nothing is served yet');
  const reason = stale && staleText(stale);
  const key = `picture: ${reason ?? ''}`;
  for (const kept of served.memory.keys()) {
    if (kept.startsWith('picture: ') && kept !== key) served.memory.delete(kept);
  }
  return memoized(served, key, async () =>
    textAnswer(`${JSON.stringify(await servedPicture(served, reason))}\n`, jsonType),
  );
}

/** Returns the time, the reason and the first problem. */
function staleText({ since, reason, problems: [first, ...others] }: Stale): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  const { file, line } = first?.at ?? {};
  const problem = first && `${first.message} (${file}:${line}, ${first.code}${more})`;
  return [`since ${since}`, reason, problem].filter((part) => part !== undefined).join('; ');
}

async function servedPicture(served: ServedTree, stale: string | undefined): Promise<Picture> {
  const { revision, snapshot, day, git } = served;
  const { commit, isUncommitted } = revision;
  const ledger = commit && (await git.ledger(commit.id));
  return pictureOf(snapshot, {
    ...(ledger && { repository: ledger.repository }),
    revision: {
      ...(commit ? { commit: commit.id, at: commit.day } : {}),
      ...(isUncommitted ? { uncommitted: true } : {}),
    },
    day,
    ...(stale === undefined ? {} : { stale }),
    ...(ledger
      ? {
          past: picturePast(ledger),
          forecasts: forecastsOf(snapshot, ledger, day),
        }
      : {}),
  });
}
