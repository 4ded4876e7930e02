import fc from 'fast-check';

/** An SDL as data, close enough to a real one that Akash accepts a good part of them. */
export interface GeneratedSdl {
  readonly version: string;
  readonly services: Readonly<Record<string, object>>;
  readonly profiles: object;
  readonly deployment: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly endpoints?: Readonly<Record<string, object>>;
}

const usually = <Value>(usual: fc.Arbitrary<Value>, seldom: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: seldom });

const endpointName = usually(
  fc.constantFrom('meow', 'purr_2'),
  fc.constantFrom('hiss', 'Meow', 'm'),
);

const target = usually<object>(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ global: fc.constant(true), ip: endpointName }) },
    { weight: 1, arbitrary: fc.constant({ global: true }) },
    { weight: 1, arbitrary: fc.constant({ service: 'web' }) },
  ),
  fc.oneof(
    fc.record({ global: fc.constant(false), ip: endpointName }),
    fc.record({ service: fc.constant('web'), ip: endpointName }),
    fc.constant({ global: true, ip: '' }),
  ),
);

const port = usually(fc.integer({ min: 79, max: 82 }), fc.constantFrom(1, 65_535, 65_536, 0, 80.5));

const expose = fc.record(
  {
    port,
    as: port,
    proto: usually(fc.constantFrom('tcp', 'TCP', 'udp', 'UDP'), fc.constantFrom('http', 'sctp')),
    to: fc.array(target, { maxLength: 2 }),
  },
  { requiredKeys: ['port'] },
);

const service = fc.record(
  { image: fc.constant('example/app'), expose: fc.array(expose, { minLength: 1, maxLength: 2 }) },
  { requiredKeys: ['image'] },
);

const placements = fc
  .subarray(['west', 'east'], { minLength: 1 })
  .map((names) => Object.fromEntries(names.map((name) => [name, { profile: 'small', count: 1 }])));

const profiles = {
  compute: {
    small: {
      resources: { cpu: { units: 1 }, memory: { size: '1Gi' }, storage: { size: '1Gi' } },
    },
  },
  placement: {
    west: { pricing: { small: { denom: 'uakt', amount: 1 } } },
    east: { pricing: { small: { denom: 'uakt', amount: 1 } } },
  },
};

/** SDLs of one to three services on up to two placements, each service deployed. */
export const anySdl: fc.Arbitrary<GeneratedSdl> = fc
  .record({
    version: usually(fc.constantFrom('2.0', '2.1'), fc.constantFrom('2.9', '1.0')),
    services: fc.uniqueArray(fc.tuple(fc.constantFrom('web', 'api', 'db'), service, placements), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    }),
    kind: usually(fc.constant('ip'), fc.constantFrom('dns', '')),
    unused: usually<readonly string[]>(fc.constant([]), fc.constant(['spare'])),
    undeclared: usually(fc.constant(false), fc.constant(true)),
  })
  .map(({ version, services, kind, unused, undeclared }) => {
    const used = new Set(JSON.stringify(services).match(/(?<="ip":")[^"]+/g) ?? []);
    const names = undeclared ? unused : [...used, ...unused];
    return {
      version,
      services: Object.fromEntries(services.map(([name, declared]) => [name, declared])),
      profiles,
      deployment: Object.fromEntries(services.map(([name, , where]) => [name, where])),
      ...(names.length > 0 && {
        endpoints: Object.fromEntries(names.map((name) => [name, { kind }])),
      }),
    };
  });
