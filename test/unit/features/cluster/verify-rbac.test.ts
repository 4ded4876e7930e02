import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type LiveKind, liveKinds } from '../../../../src/core/model/kinds.ts';
import { verifyCluster } from '../../../../src/features/cluster/verify.ts';
import { verifyAccess } from '../../../../src/features/setup/bootstrap/access.ts';
import { applied } from '../../../support/live/applied-objects.ts';
import { desiredOf, goldenCase, memoryCluster } from '../../../support/live/verification.ts';

interface Role {
  readonly metadata: { readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** `metallb-system list /configmaps`; `*` for a ClusterRole. */
function grantedBy(roles: readonly Role[]): string[] {
  return roles.flatMap(({ metadata, rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${metadata.namespace ?? '*'} ${verb} ${apiGroups.join()}/${resource}`),
      ),
    ),
  );
}

function granted(): string[] {
  const documents = parseAllDocuments(readFileSync('docs/rbac/verify.yaml', 'utf8'));
  return grantedBy(documents.map((document): Role => document.toJS()));
}

/** The grants that looking at a cluster takes in which all Services are pending, with these manifests. */
async function neededFor(name: string, of?: string): Promise<string[]> {
  const root = goldenCase(name);
  const objects = applied(root);
  for (const service of objects.service) service.status = {};
  const cluster = memoryCluster(objects);
  await verifyCluster(await desiredOf(root, of), cluster);
  return cluster.asked.map((asked) => {
    const [kind, namespace] = asked.split(' ');
    const { group, plural } = liveKinds[kind as LiveKind];
    const isOfPlane = namespace === 'metallb-system' || namespace === 'kube-system';
    return `${isOfPlane ? namespace : '*'} list ${group}/${plural}`;
  });
}

test('on Cilium, verify is granted exactly what it uses', async () => {
  const plane = { kind: 'cilium', namespace: 'kube-system' } as const;
  const account = { namespace: 'ci', name: 'bot' };
  const roles = verifyAccess({ account, plane }) as unknown as readonly Role[];
  // The kinds that an option of the pool file turns on are listed only then.
  const optional = /dnsendpoints|routes|ingresses|settingspolicies|gateways/;
  const always = grantedBy(roles).filter((grant) => !optional.test(grant));
  expect(always.toSorted()).toEqual([...new Set(await neededFor('cilium'))].toSorted());
});

describe('docs/rbac/verify.yaml', () => {
  it('grants exactly the permissions that verify uses', async () => {
    const needed = [
      ...(await neededFor('layout-pool')),
      ...(await neededFor('dns-names')),
      ...(await neededFor('hostnames')),
      ...(await neededFor('hostnames', 'lab')),
      ...(await neededFor('http-options', 'default')),
      ...(await neededFor('gateway')),
    ];
    expect(granted().toSorted()).toEqual([...new Set(needed)].toSorted());
  });
});
