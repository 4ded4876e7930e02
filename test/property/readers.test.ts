// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDeclaration } from '../../src/core/declarations/declaration-file.ts';
import { readKey, readRepositoryId } from '../../src/core/declarations/key-file.ts';
import { readPolicy } from '../../src/core/declarations/policy-file.ts';
import { readPools } from '../../src/core/declarations/pools/pools-file.ts';
import { allProblemCodes } from '../../src/core/model/codes/problem-codes.ts';
import { type Outcome, ok, type Problem, startOf } from '../../src/core/model/problem.ts';
import { type Address, parseAddress } from '../../src/core/net/address.ts';
import { readAllocation } from '../../src/core/records/allocation-file.ts';
import { readPlanJson } from '../../src/core/run/plan/plan-answer.ts';
import { readYaml, readYamlStream } from '../../src/core/text/yaml/yaml-document.ts';
import { fillPlaceholders } from '../../src/features/ask/sdl-placeholders.ts';
import { readClusterObjects } from '../../src/features/import/cluster/cluster-source.ts';
import { documentsOf, readMetalLB } from '../../src/features/import/metallb/metallb-source.ts';
import { readNetBox } from '../../src/features/import/netbox/netbox-source.ts';
import { readKubespray } from '../../src/features/import/sources/kubespray-source.ts';
import { readVitistack } from '../../src/features/import/sources/vitistack-source.ts';
import { readInventory } from '../../src/features/inventory/inventory-file.ts';
import { editStrictARP } from '../../src/features/setup/bootstrap/kube-proxy-edit.ts';
import { editProviderValues } from '../../src/features/setup/bootstrap/provider-values.ts';
import { brokenDocuments, brokenTexts } from '../support/declarations/broken-documents.ts';
import { somePools } from '../support/declarations/read-declaration.ts';
import { readSdl } from '../support/declarations/sdl.ts';
import { soundDocuments as sound } from '../support/declarations/valid-documents.ts';
import { everything } from '../support/imports/netbox-export.ts';
import { cpuSeconds } from '../support/run/cpu-seconds.ts';
import { repeats, runs } from '../support/run/scope.ts';

/*
 * Whatever is in a file of any kind, its reader gives a value, or problems that each have a code and a place in the file.
 * It throws nothing, and takes neither long nor much memory. The texts are sound ones with something changed in them.
 */
interface Reader {
  readonly texts: fc.Arbitrary<Uint8Array>;
  readonly read: (bytes: Uint8Array) => Outcome<unknown>;
}

/** The file that each text stands in: an allocation of this address is sound in it. */
const name = 'leases/allocations/203.0.113/203.0.113.7.yaml';

const anyYaml = brokenDocuments([...sound.pools, ...sound.sdl, ...sound.kubespray]);
const declarations = brokenDocuments(sound.declarations);
const netBoxRows = (bytes: Uint8Array) => readNetBox([{ name, bytes }], everything);

/** Lines before the image of a service. The SDLs request `myip`, or other endpoints. */
const withPlaceholders = "$1env: ['A=$$(leased.myip)', 'B=$$(leased.myip.ipv6)']\n$1image: ";

const readers: Readonly<Record<string, Reader>> = {
  YAML: {
    texts: anyYaml,
    read: (bytes) => readYaml(name, bytes, 100),
  },
  'a stream of YAML': {
    texts: anyYaml,
    read: (bytes) => readYamlStream(name, bytes),
  },
  pools: { texts: brokenDocuments(sound.pools), read: (bytes) => readPools(name, bytes) },
  'a policy': {
    texts: brokenDocuments(sound.policy),
    read: (bytes) => readPolicy(name, bytes, somePools),
  },
  'an inventory': {
    texts: brokenDocuments(sound.inventory),
    read: (bytes) => readInventory(name, bytes, somePools),
  },
  'a Lease, Service or Reservation': {
    texts: declarations,
    read: (bytes) => readDeclaration(name, bytes, somePools),
  },
  'one of them beside a broken pool file': {
    texts: declarations,
    read: (bytes) => readDeclaration(name, bytes, undefined),
  },
  'an SDL': { texts: brokenDocuments(sound.sdl), read: (bytes) => readSdl(name, bytes, 1) },
  'an SDL with placeholders': {
    texts: brokenDocuments(
      sound.sdl.map((text) => text.replace(/^( +)image: /m, withPlaceholders)),
    ),
    read: (bytes) => fillPlaceholders(name, bytes, () => ok(parseAddress('2001:db8::') as Address)),
  },
  'a key': {
    texts: brokenDocuments(sound.key),
    read: (bytes) => readKey(name, { namespace: 'shop', name: 'web' }, bytes),
  },
  'the id of a repository': {
    texts: brokenDocuments(sound.repository),
    read: (bytes) => readRepositoryId(name, bytes),
  },
  'an allocation': {
    texts: brokenDocuments(sound.allocations),
    read: (bytes) => readAllocation(name, bytes),
  },
  'import metallb': {
    texts: brokenDocuments(sound.metallb),
    read: (bytes) => readMetalLB([{ name, bytes }]),
  },
  'import cluster': {
    texts: brokenDocuments(sound.cluster),
    read: (bytes) => readClusterObjects([documentsOf({ name, bytes })]),
  },
  'import vitistack': {
    texts: brokenDocuments(sound.vitistack),
    read: (bytes) => readVitistack([documentsOf({ name, bytes })]),
  },
  'import kubespray': {
    texts: brokenDocuments(sound.kubespray),
    read: (bytes) => readKubespray([{ name, bytes }]),
  },
  'import netbox, JSON': { texts: brokenDocuments(sound.netBox, 'json'), read: netBoxRows },
  'import netbox, CSV': { texts: brokenTexts(sound.netBoxTable), read: netBoxRows },
  'the configuration of kube-proxy': {
    texts: brokenDocuments(sound.kubeProxy),
    read: (bytes) => editStrictARP({ name, bytes }),
  },
  'values of the chart akash-provider': {
    texts: brokenDocuments(sound.providerValues),
    read: (bytes) => editProviderValues({ name, bytes }, { isOn: true }),
  },
  'a plan': { texts: brokenDocuments(sound.plan, 'json'), read: readPlan },
};

/** What is wrong with a plan has no place: it is posted, and not edited. */
function readPlan(bytes: Uint8Array): Outcome<unknown> {
  const read = readPlanJson(bytes);
  if (read.ok) return read;
  const at = startOf(name);
  const problems = read.messages.map((message): Problem => ({ code: 'FIELD_VALUE', message, at }));
  return { ok: false, problems };
}

/**
 * Seconds of the processor, so that what else the machine does counts little. The slowest of 450,000 texts of up to 100 KB took
 * less than one here; what takes the square of its size would take many.
 */
const longest = 3;

/** Bytes that the peak of the process may rise by. */
const mostMemory = 512 * 2 ** 20;

test.each(Object.entries(readers))(
  '%s: whatever the file is, there is a value, or problems with places',
  (_, { texts, read }) => {
    const before = process.resourceUsage().maxRSS;
    fc.assert(
      fc.property(texts, (bytes) => {
        const [seconds, outcome] = cpuSeconds(() => read(bytes));
        expect(seconds).toBeLessThan(longest);
        if (!outcome.ok) expect(faultsOf(outcome.problems, bytes)).toEqual([]);
      }),
      { seed: 70, numRuns: repeats(runs(1000), 55_000) },
    );
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(mostMemory);
  },
  // A million of them in the nightly run.
  30 * 60_000,
);

/** What is not as it must be of the problems of a text. */
function faultsOf(problems: readonly Problem[], bytes: Uint8Array): readonly unknown[] {
  if (problems.length === 0) return ['there are no problems'];
  const lines = bytes.filter((byte) => byte === 10).length + 1;
  return problems.filter(
    ({ code, message, at: { file, line, column } }) =>
      !Object.hasOwn(allProblemCodes(), code) ||
      message === '' ||
      file !== name ||
      !(Number.isInteger(line) && line >= 1 && line <= lines) ||
      !(Number.isInteger(column) && column >= 1),
  );
}
