import { compareText } from '../../model/order.ts';
import type { HistoryEvent, HistoryPeriod } from '../ask/history/address-history-answer.ts';
import type { PictureCommit, PicturePast, PicturePeriod } from './picture-answer.ts';

/** Bytes that histories take in a picture, about: a browser has to open the page. */
const mostBytes = 8 * 2 ** 20;

/** What git told of the addresses, each commit said once. Of more than some bytes the newest periods, and how many there are else. */
export function picturePast(
  histories: ReadonlyMap<string, readonly HistoryPeriod[]>,
  shallow: boolean,
  most: number = mostBytes,
): PicturePast {
  const shown = newestPeriods(histories, most);
  const commits: PictureCommit[] = [];
  const places = new Map<string, number>();
  const placeOf = (event: HistoryEvent): number => {
    const known = places.get(event.commit);
    if (known !== undefined) return known;
    places.set(event.commit, commits.length);
    return commits.push(pictureCommit(event)) - 1;
  };
  let left = 0;
  const addresses = [...histories].flatMap(([address, all]) => {
    const own = all.filter((period) => shown.has(period));
    left += all.length - own.length;
    const periods = own.map((period) => picturePeriod(period, placeOf(period.begun)));
    return periods.length === 0 ? [] : [{ address, periods }];
  });
  return { shallow, ...(left > 0 ? { left } : {}), commits, addresses };
}

/** The newest that take no more bytes than asked for. */
function newestPeriods(
  histories: ReadonlyMap<string, readonly HistoryPeriod[]>,
  most: number,
): ReadonlySet<HistoryPeriod> {
  const all = [...histories.values()].flat();
  const newest = all.sort((one, other) => compareText(other.begun.at, one.begun.at));
  const shown = new Set<HistoryPeriod>();
  const commits = new Set<string>();
  let bytes = 0;
  for (const period of newest) {
    const { begun } = period;
    bytes += sizeOf(picturePeriod(period, commits.size));
    if (!commits.has(begun.commit)) bytes += sizeOf(pictureCommit(begun));
    if (bytes > most) break;
    commits.add(begun.commit);
    shown.add(period);
  }
  return shown;
}

function sizeOf(value: object): number {
  return JSON.stringify(value).length + 1;
}

function pictureCommit({ commit, at, author, subject, request }: HistoryEvent): PictureCommit {
  return { commit, at, author, subject, ...(request ? { request } : {}) };
}

function picturePeriod(period: HistoryPeriod, by: number): PicturePeriod {
  const { state, holder, freeFrom, begun } = period;
  return {
    state,
    ...(holder === undefined ? {} : { holder }),
    ...(freeFrom === undefined ? {} : { freeFrom }),
    event: begun.event,
    by,
  };
}
