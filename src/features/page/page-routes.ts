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
import { type Picture, picturePastSchema, pictureSchema } from './picture-answer.ts';

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
      id: 'getFirstPicture',
      path: '/api/v1/picture/first',
      summary: 'What the page shows first; of a small repository the same as the picture',
      kind: 'Picture',
      schema: pictureSchema,
      answer: (state) => pictureAnswer(state, true),
    },
    {
      of: 'state',
      ...guardedJson,
      id: 'getPicture',
      path: '/api/v1/picture',
      summary: 'The content of the page, without histories and forecasts',
      kind: 'Picture',
      schema: pictureSchema,
      answer: (state) => pictureAnswer(state, false),
    },
    {
      of: 'tree',
      ...guardedJson,
      id: 'getPicturePast',
      path: '/api/v1/picture/past',
      summary: 'The histories and forecasts of the page',
      kind: 'PicturePast',
      schema: picturePastSchema,
      answer: pastAnswer,
    },
  ];
};

/** Cached per tree and reason of staleness. */
function pictureAnswer(
  { served, stale }: ServeState,
  isFirst: boolean,
): WebAnswer | Promise<WebAnswer> {
  if (served === undefined) return failureAnswer(503, 'nothing is served yet');
  const reason = stale && staleText(stale);
  const prefix = isFirst ? 'first picture: ' : 'picture: ';
  const key = `${prefix}${reason ?? ''}`;
  for (const kept of served.memory.keys()) {
    if (kept.startsWith(prefix) && kept !== key) served.memory.delete(kept);
  }
  return memoized(served, key, () => pictureText(servedPicture(served, isFirst, reason)));
}

function pictureText(value: object): WebAnswer {
  return textAnswer(`${JSON.stringify(value)}\n`, jsonType);
}

/** Returns the time, the reason and the first problem. */
function staleText({ since, reason, problems: [first, ...others] }: Stale): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  const { file, line } = first?.at ?? {};
  const problem = first && `${first.message} (${file}:${line}, ${first.code}${more})`;
  return [`since ${since}`, reason, problem].filter((part) => part !== undefined).join('; ');
}

function servedPicture(
  { revision, snapshot, day }: ServedTree,
  isFirst: boolean,
  stale: string | undefined,
): Picture {
  const { commit, isUncommitted, repository } = revision;
  return pictureOf(snapshot, {
    repository,
    revision: {
      ...(commit ? { commit: commit.id, at: commit.day } : {}),
      ...(isUncommitted ? { uncommitted: true } : {}),
    },
    day,
    isFirst,
    ...(stale === undefined ? {} : { stale }),
  });
}

/** Git is asked for it, which takes seconds for a long history. */
async function pastAnswer({ revision: { commit }, snapshot, day, git }: ServedTree) {
  const ledger = commit && (await git.ledger(commit.id));
  return pictureText({
    apiVersion: 'leasehold.dev/v1',
    kind: 'PicturePast',
    ...(ledger && {
      forecasts: forecastsOf(snapshot, ledger, day).items,
      past: picturePast(ledger),
    }),
  });
}
