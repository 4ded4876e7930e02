import type { Claim } from '../../core/model/claim.ts';
import { advertiseFor, type LabelSelector, type Pool, type Pools } from '../../core/model/pools.ts';
import type { Announcement } from './list-answer.ts';

/** How a pool is announced; for the claims of a holder, by the advertisement that they name. */
export function announcedAs(
  pool: Pool | undefined,
  { advertisements }: Pick<Pools, 'advertisements'>,
  claims: readonly Claim[] = [],
): { readonly announced?: readonly [Announcement, ...Announcement[]] } {
  if (!pool) return {};
  const named = claims.flatMap(({ advertisement: name }) => name ?? [])[0];
  const own = advertisements.find(({ name }) => name === named);
  const [first, ...others] = advertiseFor(pool, own).map(announcementOf);
  return first ? { announced: [first, ...others] } : {};
}

function announcementOf(advertise: Pool['advertise'][number]): Announcement {
  const { kind, name } = advertise;
  const own =
    kind === 'l2'
      ? listed({ interfaces: advertise.interfaces })
      : {
          ...listed({ peers: advertise.peers, communities: advertise.communities }),
          ...(advertise.localPref === undefined ? {} : { localPref: advertise.localPref }),
        };
  return { by: kind, name, ...own, ...listed({ nodes: advertise.nodeSelectors.map(nodesText) }) };
}

/** Leaves out empty lists: they stand for all. */
function listed<Key extends string>(lists: Readonly<Record<Key, readonly string[]>>) {
  const filled = Object.entries<readonly string[]>(lists).filter(([, list]) => list.length > 0);
  return Object.fromEntries(filled) as { readonly [Name in Key]?: readonly string[] };
}

/** A selector as `kubectl get nodes -l` takes it. */
function nodesText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const pairs = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...pairs, ...expressions].join(',');
}
