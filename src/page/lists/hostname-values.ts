import type { Picture } from '../../features/picture/picture-answer.ts';
import { ownerOf } from '../../model/owner.ts';
import type { FilterName } from '../view.ts';

/** A hostname that is held, or retained after release. */
export type HostnameRow = NonNullable<Picture['hostnames']>[number];

/** The value of a hostname that a filter compares. It has no pool and no zone. */
export function hostnameValue(name: FilterName, row: HostnameRow): string | undefined {
  if (name === 'state') return row.released ? 'retained' : 'held';
  if (name === 'cluster') return row.holder.slice(0, row.holder.indexOf('/'));
  return name === 'owner' ? hostnameOwner(row) : undefined;
}

export function hostnameOwner({ holder }: HostnameRow): string {
  return ownerOf(holder) ?? holder;
}
