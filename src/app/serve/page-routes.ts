import type { Picture } from '../../model/picture.ts';
import { pageHtml } from '../../report/page/page-html.ts';
import { forecastsOf } from '../ask/forecast.ts';
import { ledgerOf } from '../ask/ledger.ts';
import { pictureOf, picturePast } from '../ask/picture.ts';
import type { WebAnswer } from '../ports/web.ts';
import { failureAnswer, jsonType, textAnswer } from './answers.ts';
import type { Route } from './route.ts';
import { remembered, type Served, type Standing } from './served.ts';

/** The page, and what it shows. Its script is what the rolled-up src/page is. */
export function pageRoutes(script: string): readonly Route[] {
  return [
    {
      of: 'standing',
      path: '/',
      summary: 'The page: pools, a map of the addresses, a search, histories',
      media: 'text/html',
      access: 'token',
      answer: (standing) =>
        answered(standing, 'page', (picture) =>
          textAnswer(pageHtml({ picture, script, isServed: true }), 'text/html; charset=utf-8'),
        ),
    },
    {
      of: 'standing',
      path: '/api/v1/picture',
      summary: 'All that the page shows',
      media: jsonType,
      kind: 'Picture',
      access: 'token',
      answer: (standing) =>
        answered(standing, 'picture', (picture) =>
          textAnswer(`${JSON.stringify(picture)}\n`, jsonType),
        ),
    },
  ];
}

/** Made once for each state, and once more when that became stale. */
function answered(
  standing: Standing,
  name: string,
  print: (picture: Picture) => WebAnswer,
): WebAnswer | Promise<WebAnswer> {
  const { served, stale } = standing;
  if (served === undefined) return failureAnswer(503, 'nothing is served yet');
  const reason = stale && `the tree cannot be read since ${stale.since}`;
  return remembered(served, `${name} ${stale ? 'stale' : 'fresh'}`, async () =>
    print(await servedPicture(served, reason)),
  );
}

async function servedPicture(served: Served, stale: string | undefined): Promise<Picture> {
  const { revision, known, day, git } = served;
  const { commit, isUncommitted } = revision;
  const ledger = commit && (await ledgerOf(git, commit.id));
  return pictureOf(known, {
    revision: {
      ...(commit ? { commit: commit.id, at: commit.day } : {}),
      ...(isUncommitted ? { uncommitted: true } : {}),
    },
    day,
    ...(stale === undefined ? {} : { stale }),
    ...(ledger
      ? {
          past: picturePast(ledger.histories, ledger.shallow),
          forecasts: forecastsOf(known, ledger, day),
        }
      : {}),
  });
}
