import { keyPath } from '../../../declarations/key-file.ts';
import type { Pool } from '../../../model/pools.ts';
import type { Ground } from '../ground.ts';
import { serviceSubject } from '../metallb/live-service.ts';
import type { DeclaredPlace } from './declaration-text.ts';
import type { LiveService } from './live-lease.ts';

/**
 * Where and how Services on one address are declared, by what their authors asked for: each for itself, but for the key,
 * which all of them name or none. What cannot be said here is told.
 */
export function placesOf(
  group: readonly LiveService[],
  pool: Pool,
  sharingKeyOf: (service: LiveService) => string | undefined,
  ground: Ground,
): ReadonlyMap<LiveService, DeclaredPlace> {
  const secret = secretOf(group, ground);
  return new Map(
    group.map((service) => {
      const { terms } = service;
      tellTerms(service, ground);
      tellZone(service, pool, ground);
      const place: DeclaredPlace = {
        cluster: ground.clusterName,
        zone: ground.zoneOf(pool),
        sharingKey: sharingKeyOf(service),
        secret,
        ...(terms && {
          ipFamily: terms.ipFamily,
          retentionPeriodDays: terms.retentionPeriodDays,
          denyExternalCleanup: terms.denyExternalCleanup,
        }),
      };
      return [service, place] as const;
    }),
  );
}

/** The key by which others may join one that is alone, unless another address of its namespace has it. */
export function ownKeyOf(service: LiveService, ground: Ground): string | undefined {
  const key = service.terms?.sharingKey;
  if (key === undefined) return undefined;
  const free = ground.freeKey(service.namespace, [key.text]);
  if (free !== undefined) return free;
  const message = `its sharing key ${key.text} is not taken: another address of the namespace has it, and here a key has one address`;
  ground.leave(subjectOf(service), message, [], key.at);
  return undefined;
}

/** The key file that all of a group name by their secrets, where it is there. */
function secretOf(group: readonly LiveService[], ground: Ground): string | undefined {
  const [name, second] = new Set(group.map(({ terms }) => terms?.secret?.text));
  const namespaces = new Set(group.map(({ namespace }) => namespace));
  const isOne = group.length === 1 || (second === undefined && namespaces.size === 1);
  const usable = new Set(ground.standing.paths);
  let taken: string | undefined;
  for (const service of group) {
    const secret = service.terms?.secret;
    if (!secret) continue;
    const path = keyPath({ namespace: service.namespace, name: secret.text });
    if (isOne && name !== undefined && usable.has(path)) {
      taken = name;
      continue;
    }
    const reason = usable.has(path)
      ? 'others on its address have another one'
      : `there is no ${path}: make the key with leasehold key new ${service.namespace}/${secret.text} and name it in the declaration`;
    ground.leave(
      subjectOf(service),
      `its secret ${secret.text} is not taken: ${reason}`,
      [],
      secret.at,
    );
  }
  return taken;
}

function tellTerms({ terms }: LiveService, ground: Ground): void {
  for (const { effect, subject, message, at } of terms?.notes ?? []) {
    if (effect === 'changed') ground.change(subject, message, at);
    else ground.leave(subject, message, [], at);
  }
}

function tellZone(service: LiveService, pool: Pool, ground: Ground): void {
  const zone = service.terms?.zone;
  if (zone === undefined || zone.text === pool.zone) return;
  const message = `its zone is ${zone.text} there, and its address lies in the pool ${pool.name} of the zone ${pool.zone} here`;
  ground.change(subjectOf(service), message, zone.at);
}

function subjectOf({ namespace, name }: LiveService): string {
  return serviceSubject(namespace, name);
}
