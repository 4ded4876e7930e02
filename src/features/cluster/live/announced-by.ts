import type { Advertisement, Pool } from '../../../core/model/pools.ts';

/**
 * The fields of the pool file that decide how an address is announced, for messages:
 * `advertise.nodeSelectors of pool public (leases/pools.yaml:7)`.
 */
export interface AnnouncedBy {
  readonly interfaces: string;
  readonly nodeSelectors: string;
}

/** The fields that decide for an address of a pool: those of its advertisement, if that sets them. */
export function announcedBy(pool: Pool, own: Advertisement | undefined): AnnouncedBy {
  const ofPool = poolText(pool);
  const ofOwn = own && `advertisement ${own.name} (${own.at.file}:${own.at.line})`;
  return {
    interfaces:
      own?.kind === 'l2' && own.interfaces
        ? `interfaces of ${ofOwn}`
        : `advertise.l2.interfaces of ${ofPool}`,
    nodeSelectors: own?.nodeSelectors
      ? `nodeSelectors of ${ofOwn}`
      : `advertise.nodeSelectors of ${ofPool}`,
  };
}

/** A declared pool in a message, with its place: `pool public (leases/pools.yaml:7)`. */
function poolText({ name, at }: Pool): string {
  return `pool ${name} (${at.file}:${at.line})`;
}
