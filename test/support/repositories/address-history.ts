import type { DatedCommit } from './dated-history.ts';

/** The allocation file of 203.0.113.7. */
export const lifePath = 'leases/allocations/203.0.113/203.0.113.7.yaml';

/** The holder of a name's record. */
export const lifeHolder = (name: string): string => `default/akash/akash1${name}-ip-web`;

/** A record of 203.0.113.7. */
export function lifeRecord(name: string, more = ''): string {
  return `apiVersion: leasehold.dev/v1\nkind: Allocation\naddress: 203.0.113.7\npool: default\nholder: ${lifeHolder(name)}\nsince: 2026-01-02\nretain: 7\n${more}`;
}

const released = 'released:\n  on: 2026-02-02\n  freeFrom: 2026-02-09\n';
/** A made-up life of it: given, released, pruned, given to somebody else. */
export const life: readonly DatedCommit[] = [
  { at: '2026-01-01T10:00:00Z', message: 'Start', files: { 'README.md': 'a' } },
  {
    at: '2026-01-02T10:00:00Z',
    message: 'Lease for Alice (#12)',
    author: 'Alice',
    files: { [lifePath]: lifeRecord('alice') },
  },
  {
    at: '2026-02-02T10:00:00Z',
    message: 'Over',
    files: { [lifePath]: lifeRecord('alice', released) },
  },
  { at: '2026-02-10T10:00:00Z', message: 'Prune', files: { [lifePath]: undefined } },
  {
    at: '2026-03-01T10:00:00Z',
    message: 'Lease for Bob',
    files: { [lifePath]: lifeRecord('bob') },
  },
];
