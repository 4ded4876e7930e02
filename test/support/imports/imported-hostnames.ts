import type { ImportAnswer } from '../../../src/features/import/import-answer.ts';
import { importedBy, notesOf } from './imported-cluster.ts';

/** What an import of the export prints. */
export const imported = (root: string) => importedBy('cluster', root);

/** What is told of the objects of the export. */
export function objectNotes(answer: ImportAnswer): readonly string[] {
  return notesOf(answer).filter((note) => !note.includes('the hostnames of leases: '));
}

/** Each declaration as a line, with its hostnames. */
export function named({ declarations }: ImportAnswer): readonly string[] {
  return declarations.map(({ kind, name, state, hostnames }) =>
    [kind, name, state, hostnames.join(',')].join(' '),
  );
}

/** A pool file for the exported pool, with these routes. */
export function poolFile(routes: string): string {
  return `apiVersion: leasehold.dev/v1
kind: Pools
clusters: [{ name: default, routes: ${routes} }]
emit: { providerLeasedIP: false }
pools: [{ name: public, zone: default, addresses: [192.0.2.64/26] }]
`;
}

/** The status of a route of the Gateway `public`, by a controller. */
export function acceptedBy(controllerName: string, status = 'True'): object {
  const parentRef = { namespace: 'gateways', name: 'public' };
  return { parents: [{ controllerName, parentRef, conditions: [{ type: 'Accepted', status }] }] };
}
