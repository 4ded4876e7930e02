import { describe, expect, test } from 'vitest';
import type { LiveObject } from '../../../../../src/core/model/live.ts';
import { removalHint } from '../../../../../src/features/cluster/live/added-field.ts';

const label = 'app.kubernetes.io/managed-by';

/** A Service that an engine applies, and in which a dashboard has set these fields. */
function service(added: object): LiveObject {
  const spec = { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} }, 'f:selector': {} };
  const engine = { 'f:metadata': { 'f:labels': { [`f:${label}`]: {} } }, 'f:spec': spec };
  return {
    metadata: {
      name: 'web',
      namespace: 'shop',
      managedFields: [
        { manager: 'kustomize-controller', fieldsV1: engine },
        { manager: 'dashboard', fieldsV1: added },
      ],
    },
    spec: {
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 81, protocol: 'TCP' },
        { port: 81, protocol: 'UDP' },
      ],
    },
  } as unknown as LiveObject;
}

const patch = (operations: string) =>
  `kubectl -n shop patch service web --type json -p '[${operations}]'`;

describe('a field that another field manager than the engine has set', () => {
  test.each([
    [
      'metadata.annotations[metallb.io/address-pool]',
      { 'f:metadata': { 'f:annotations': { 'f:metallb.io/address-pool': {} } } },
      'kubectl -n shop annotate service web metallb.io/address-pool-',
    ],
    [
      'metadata.ownerReferences',
      { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"1"}': {} } } },
      patch('{"op":"remove","path":"/metadata/ownerReferences"}'),
    ],
    [
      'spec.ports[81/UDP]',
      { 'f:spec': { 'f:ports': { 'k:{"port":81,"protocol":"UDP"}': {} } } },
      patch(
        '{"op":"test","path":"/spec/ports/2/port","value":81},{"op":"remove","path":"/spec/ports/2"}',
      ),
    ],
    [
      'spec.externalTrafficPolicy',
      { 'f:spec': { 'f:externalTrafficPolicy': {} } },
      patch('{"op":"remove","path":"/spec/externalTrafficPolicy"}'),
    ],
  ])('%s is removed by a command', (field, added, command) => {
    expect(removalHint('service', field, service(added))).toBe(
      `the field manager dashboard has set it, and an engine does not remove what another one has set: \`${command}\``,
    );
  });

  test('a field of another kind is removed by a command too, with its namespace if it has one', () => {
    const added = { 'f:spec': { 'f:serviceAllocation': { 'f:priority': {} } } };
    const { metadata, ...rest } = service(added);
    const { namespace: _, ...whole } = metadata;
    const operation = `--type json -p '[{"op":"remove","path":"/spec/serviceAllocation/priority"}]'`;
    const hints = [
      removalHint('addressPool', 'spec.serviceAllocation.priority', service(added)),
      removalHint('namespace', 'spec.serviceAllocation.priority', { metadata: whole, ...rest }),
    ];
    expect(hints.map((hint) => hint?.match(/: `(kubectl .*)`$/)?.[1])).toEqual([
      `kubectl -n shop patch ipaddresspool web ${operation}`,
      `kubectl patch namespace web ${operation}`,
    ]);
  });

  test.each([
    ['of an item of another list', 'spec.rules[a]', { 'f:spec': { 'f:rules[a]': {} } }],
    ['that the engine has set', 'spec.ports[80/TCP]', {}],
    ['that no entry names', 'spec.loadBalancerIP', {}],
    [
      'of a port that is gone',
      'spec.ports[82/TCP]',
      { 'f:spec': { 'f:ports': { 'k:{"port":82,"protocol":"TCP"}': {} } } },
    ],
    [
      'that both have set',
      'spec.ports[80/TCP]',
      { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} } } },
    ],
  ])('a field %s has no command', (_, field, added) => {
    expect(removalHint('service', field, service(added))).toBeUndefined();
  });
});
