import { poolLabel } from '../../../core/manifests/manifest.ts';
import { isOpenIn, type Pools } from '../../../core/model/pools.ts';
import type { Problem } from '../../../core/model/problem.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { type RangeSet, rangeSetOf, setHas } from '../../../core/net/range-set.ts';
import type { ImportNote } from '../../../lib/foreign/source-reader.ts';
import { markingCommands } from '../../../lib/kubernetes/kubectl-command.ts';
import { problem } from '../codes.ts';
import type { LeftObject } from '../import-context.ts';
import type { Imported, LiveService } from '../imported.ts';
import { advertisementKey } from '../parts/announced-pools.ts';
import type { PlacedPools } from '../placed-pools.ts';

/**
 * FENCE_LIVE for each pool with addresses of live Services that lack its label. Cilium takes the
 * address of a Service as soon as the selector of its pool does not match it, and pools are applied
 * before Services.
 */
export function unlabelledProblems(
  { added, present }: PlacedPools,
  { live }: Imported,
): readonly Problem[] {
  const pools = [
    ...added.map(({ name, ranges, at }) => ({
      name,
      ranges: ranges.map(({ range }) => range),
      at,
    })),
    ...present.map(({ pool: { at }, declared: { name, ranges } }) => ({ name, ranges, at })),
  ];
  return pools.flatMap(({ name, ranges, at }): Problem[] => {
    const set = rangeSetOf(ranges);
    const unlabelled = servedIn(live, set).filter(({ labels }) => labels.get(poolLabel) !== name);
    const [first] = unlabelled;
    if (!first) return [];
    const label = `${poolLabel}=${name}`;
    const message = `the pool '${name}' will serve Services with the label ${label} only, and ${servicesText(unlabelled)} would lose their addresses once it is applied`;
    const commands = markingCommands(
      unlabelled.map((service) => {
        const isOverwriting = service.labels.has(poolLabel);
        return { service, verb: 'label', texts: [label], isOverwriting };
      }),
    ).map((command) => `\`${command}\``);
    const hint = `label them, which moves no address, and import again: ${commands.join(', ')}; once they are imported, add what \`leasehold list -o values NAMESPACE/NAME\` prints to the values of a chart, the label and the pin: without the pin, its Service gets any address of the pool when it is made again`;
    return [{ code: problem.FENCE_LIVE, message, at, hint, also: [first.at] }];
  });
}

/** The live Services that a load balancer gave an address of a set. */
function servedIn(live: Imported['live'], set: RangeSet): readonly LiveService[] {
  return (live?.services ?? []).filter(
    ({ isPending, addresses }) => !isPending && addresses.some((address) => setHas(set, address)),
  );
}

function servicesText(services: readonly LiveService[]): string {
  const [first] = services;
  const named = first ? `${first.namespace}/${first.name}` : '';
  return services.length === 1
    ? `Service ${named}, which lacks it,`
    : `${services.length} live Services without it, the first is ${named},`;
}

/**
 * FENCE_LIVE for each live Service on a pool of Cilium that cannot be declared: leasehold leaves its
 * address out of the blocks of the pool, and Cilium takes it away. With MetalLB it stays, by
 * `fence: open`.
 */
export function lossProblems(
  undeclared: readonly LeftObject[],
  { live }: Imported,
): readonly Problem[] {
  return undeclared.flatMap(({ subject, reason, addresses, at }): Problem[] => {
    const served = addresses.filter(
      (address) => servedIn(live, rangeSetOf([{ from: address, to: address }])).length > 0,
    );
    if (served.length === 0) return [];
    const texts = served.map(formatAddress).join(' and ');
    const message = `${subject} would lose ${texts} once its pool is applied: ${reason}`;
    const hint =
      'change or delete it, and import again; or, if it needs the address no more, add --allow-closed-fence';
    return [{ code: problem.FENCE_LIVE, message, at, hint }];
  });
}

/**
 * Notes for live objects that must stay, and that dist/ replaces: a declared pool has an
 * advertisement of that name.
 */
export function replacedNotes(
  { kept }: Imported,
  declared: Pools | undefined,
  cluster: string | undefined,
): readonly ImportNote[] {
  const name = cluster ?? declared?.defaultCluster;
  const pools = (declared?.pools ?? []).filter(
    (pool) => name !== undefined && isOpenIn(pool, name),
  );
  return pools.flatMap((pool) =>
    pool.advertise.flatMap((one): ImportNote[] => {
      const object = kept?.get(advertisementKey(one, one.name));
      if (!object) return [];
      const message = `dist/ replaces it, since an advertisement of the pool ${pool.name} has its name, and what it announces beside is withdrawn: give that advertisement another name in leases/pools.yaml`;
      return [{ effect: 'left', subject: object.subject, message, at: object.at }];
    }),
  );
}
