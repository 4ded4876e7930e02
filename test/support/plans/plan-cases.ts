import { type CautionCode, cautionCodes } from '../../../src/core/run/plan/caution-codes.ts';
import type { Caution, Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { bob } from '../declarations/pools-and-claims.ts';
import { hostileTexts, planOfTexts } from './hostile-plan.ts';
import {
  aChange,
  aliceShop,
  aManifest,
  anOccupancy,
  aPlace,
  aPlan,
  aSide,
  aTotal,
} from './plan-builders.ts';

const bobMail = `default/akash/${bob}-ip-mail`;
const allocationFile = 'leases/allocations/203.0.113/203.0.113.7.yaml';

const oneLease = aPlan({
  verdict: 'routine',
  summary: 'shop of akash1h24f…w3c9h gets 203.0.113.7.',
  pools: [aTotal([12, 13])],
  addresses: [aChange()],
  manifests: [
    aManifest(),
    aManifest({
      path: 'dist/default/9c/lease-9c01.yaml',
      objects: [{ action: 'added', object: 'Namespace lease' }],
      added: 2,
      diff: '@@ -0,0 +1,2 @@\n+apiVersion: v1\n+kind: Namespace\n',
    }),
  ].map((manifest, index) => {
    const { holder, ...rest } = manifest;
    return index === 0 || holder === undefined ? manifest : rest;
  }),
});

const cut: Caution = {
  code: 'LEASE_CUT',
  message: 'shop of akash1h24f…w3c9h loses 203.0.113.7: web 80/TCP',
  at: { side: 'head', file: allocationFile, line: 1 },
};

const oneRemoved = aPlan({
  verdict: 'caution',
  summary: 'shop of akash1h24f…w3c9h loses 203.0.113.7.',
  pools: [
    {
      pool: 'default',
      zone: 'inet',
      family: 'ipv4',
      before: anOccupancy(),
      after: anOccupancy({ held: 11, retained: 1 }),
    },
  ],
  addresses: [
    aChange({
      change: 'released',
      before: aSide(),
      after: aSide(aliceShop, '2026-11-22'),
      details: ['free from 2026-11-22'],
      at: { side: 'head', file: allocationFile, line: 1 },
    }),
  ],
  cautions: [
    cut,
    { code: 'ENGINE_PRUNES', message: 'Argo CD or Flux will delete 1 IPAddressPool, 1 Service' },
  ],
  manifests: [
    aManifest({
      objects: [{ action: 'removed', object: 'Service lease/web-ip-80-tcp' }],
      added: 0,
      removed: 2,
      diff: '@@ -1,2 +0,0 @@\n-apiVersion: v1\n-kind: Service\n',
    }),
  ],
});

const reclaimed = aPlan({
  verdict: 'routine',
  summary: 'shop of akash1h24f…w3c9h reclaims 203.0.113.7.',
  pools: [
    {
      pool: 'default',
      zone: 'inet',
      family: 'ipv4',
      before: anOccupancy({ held: 11, retained: 1 }),
      after: anOccupancy(),
    },
  ],
  addresses: [
    aChange({
      change: 'reclaimed',
      before: aSide(aliceShop, '2026-12-20'),
      details: ['released on 2026-11-20'],
    }),
  ],
  manifests: [aManifest()],
});

const givenAgain = aPlan({
  verdict: 'routine',
  summary: 'mail of akash15745…cfqx27 gets 203.0.113.7.',
  pools: [aTotal([12, 13])],
  addresses: [
    aChange({
      before: aSide(aliceShop, '2026-11-20'),
      after: aSide(bobMail),
      details: ['free since 2026-11-20'],
    }),
  ],
});

const updatedPort = aPlan({
  verdict: 'routine',
  summary: 'shop of akash1h24f…w3c9h keeps 203.0.113.7: web 443/TCP added, web 80/TCP removed.',
  pools: [aTotal([12, 12])],
  addresses: [
    aChange({
      change: 'updated',
      before: aSide(),
      details: ['web 443/TCP added', 'web 80/TCP removed'],
    }),
  ],
  manifests: [
    aManifest({
      objects: [
        { action: 'changed', object: 'Service lease/web-ip-443-tcp' },
        { action: 'removed', object: 'Service lease/web-ip-80-tcp' },
      ],
      added: 1,
      removed: 1,
      diff: '@@ -9,3 +9,3 @@\n   ports:\n-    - port: 80\n+    - port: 443\n       protocol: TCP\n',
    }),
  ],
});

const manyPools = aPlan({
  verdict: 'routine',
  summary: '2 holders get an address; no other address changes.',
  pools: [
    ...Array.from({ length: 9 }, (_, index) =>
      aTotal([index, index + Number(index % 4 === 0)], { pool: `rack-${index}` }),
    ),
    { pool: 'new', zone: 'edge', family: 'ipv4', after: anOccupancy({ held: 0 }) },
    { pool: 'gone', zone: 'edge', family: 'ipv4', before: anOccupancy({ held: 3, retained: 2 }) },
    {
      pool: 'wider',
      zone: 'edge',
      family: 'ipv4',
      before: anOccupancy(),
      after: anOccupancy({ usable: '126' }),
    },
  ],
  addresses: [
    aChange({ pool: 'rack-0' }),
    aChange({ address: '203.0.113.9', pool: 'rack-4', after: aSide(bobMail) }),
  ],
});

const wide = '18446744073709551613';
const v6Pool = aPlan({
  verdict: 'routine',
  summary: 'shop of akash1h24f…w3c9h gets 203.0.113.7 and 2001:db8:30::e0.',
  pools: [
    {
      pool: 'edge',
      zone: 'edge',
      family: 'ipv4',
      before: anOccupancy({ usable: wide, held: 3 }),
      after: anOccupancy({ usable: wide, held: 5 }),
    },
  ],
  addresses: [aChange({ pool: 'edge' }), aChange({ pool: 'edge', address: '2001:db8:30::e0' })],
  manifests: [aManifest()],
});

const blockedByTree = aPlan({
  verdict: 'blocked',
  summary:
    "This must not be merged: 2 problems, the first is: the field 'spec.endpoints[0].prot' is unknown.",
  problems: [
    {
      code: 'FIELD_UNKNOWN',
      message: "the field 'spec.endpoints[0].prot' is unknown",
      of: 'tree',
      file: 'leases/alice/12345.yaml',
      line: 12,
      column: 7,
      hint: "did you mean 'port'?",
      also: [],
    },
    {
      code: 'PORT_TAKEN',
      message: 'web and api of one holder both claim 80/TCP',
      of: 'tree',
      file: 'leases/bob/77.yaml',
      line: 9,
      column: 5,
      also: ['leases/bob/78.yaml:9:5'],
    },
  ],
});

const blockedByChange = aPlan({
  ...givenAgain,
  verdict: 'blocked',
  summary:
    'This must not be merged: 203.0.113.7 goes to another holder before 2026-12-20, when it is free.',
  problems: [
    {
      code: 'ALLOCATION_FORGED',
      message: '203.0.113.7 goes to another holder before 2026-12-20, when it is free',
      of: 'change',
      file: allocationFile,
      line: 4,
      column: 1,
      hint: 'git restore --source=main --staged --worktree leases/allocations, then `leasehold synth`',
      also: [],
    },
  ],
});

const everyCaution = aPlan({
  ...oneRemoved,
  summary: 'shop of akash1h24f…w3c9h moves from 203.0.113.7 to 203.0.113.9.',
  cautions: (Object.keys(cautionCodes) as CautionCode[]).flatMap((code, index) => [
    { code, message: `what ${code} says of 203.0.113.${index}`, at: aPlace },
    ...(index === 0 ? [{ code, message: 'the same of another address', at: aPlace }] : []),
  ]),
});

const several = (index: number) => `default/service/team-${index % 7}/app-${index}`;

const manyChanges = aPlan({
  verdict: 'caution',
  summary: '60 holders lose their addresses, 240 holders get an address; no other address changes.',
  pools: [aTotal([12, 60])],
  addresses: Array.from({ length: 300 }, (_, index) =>
    index % 5 === 0
      ? aChange({
          address: `198.51.${100 + Math.floor(index / 100)}.${index % 100}`,
          change: 'released',
          before: aSide(several(index)),
          after: aSide(several(index), '2026-11-22'),
          details: ['free from 2026-11-22'],
          at: { side: 'base', file: `leases/team-${index % 7}/app-${index}.yaml`, line: 4 },
        })
      : aChange({
          address: `198.51.${100 + Math.floor(index / 100)}.${index % 100}`,
          after: aSide(several(index)),
          at: { side: 'head', file: `leases/team-${index % 7}/app-${index}.yaml`, line: 4 },
        }),
  ),
  cautions: [
    {
      code: 'LEASE_CUT',
      message: '60 addresses are released, including 198.51.100.0, 198.51.100.5, 198.51.100.10',
    },
  ],
  manifests: Array.from({ length: 300 }, (_, index) =>
    aManifest({
      path: `dist/default/${(index % 256).toString(16).padStart(2, '0')}/app-${index}.yaml`,
      holder: several(index),
      objects: [
        { action: index % 5 === 0 ? 'removed' : 'added', object: `Service team/app-${index}` },
      ],
      added: index % 5 === 0 ? 0 : 1,
      removed: index % 5 === 0 ? 1 : 0,
      diff: `@@ -1,1 +1,1 @@\n${index % 5 === 0 ? '-' : '+'}  loadBalancerIP: 198.51.100.${index % 100}\n`,
    }),
  ),
});

const movedFiles = aPlan({
  verdict: 'routine',
  summary:
    'No address changes, but 1 manifest file does; 2 manifest files move and keep their objects.',
  pools: [aTotal([12, 12])],
  manifests: [
    ...['mail', 'shop'].map((name) =>
      aManifest({
        path: `dist/default/team/${name}.yaml`,
        movedFrom: `dist/default/4e/team-${name}-4e2f9c1b7a.yaml`,
        objects: [],
        added: 0,
        diff: '',
      }),
    ),
    aManifest({
      path: 'dist/default/team/web.yaml',
      movedFrom: 'dist/default/5f/team-web-5f2f9c1b7a.yaml',
      holder: several(1),
      objects: [{ action: 'changed', object: 'Service team/web' }],
      added: 1,
      removed: 1,
      diff: '@@ -1,1 +1,1 @@\n-  port: 80\n+  port: 81\n',
    }),
  ],
});

/** Plans of every kind that a pull request can have, by name. */
export const planCases: Readonly<Record<string, Plan>> = {
  'nothing-changes': aPlan({ pools: [aTotal([12, 12])] }),
  'one-lease-added': oneLease,
  'one-lease-removed': oneRemoved,
  reclaimed,
  'given-again': givenAgain,
  'updated-port': updatedPort,
  'many-pools': manyPools,
  'v6-pool': v6Pool,
  'blocked-by-tree': blockedByTree,
  'blocked-by-change': blockedByChange,
  'every-caution': everyCaution,
  uncommitted: aPlan({
    ...oneLease,
    uncommitted: true,
    head: { ...oneLease.head, uncommitted: true },
  }),
  'hostile-text': planOfTexts(hostileTexts),
  'many-changes': manyChanges,
  'moved-files': movedFiles,
};
