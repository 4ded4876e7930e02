import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { addressesOf } from '../support/cluster/address-watch.ts';
import { type Bench, onBenches } from '../support/cluster/bench.ts';
import {
  applyAll,
  applyInOrder,
  applyOnly,
  removed,
  removeOwn,
} from '../support/cluster/by-hand.ts';
import { type Kube, type KubeObject, Refused } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { machineAccount, machineAccountConfig } from '../support/cluster/machines/account.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { areJudged, askFor, strangers } from '../support/cluster/strangers.ts';
import { until } from '../support/cluster/wait.ts';

describe.skipIf(inject('clusterIsMissing'))('What is refused, and what is told', () => {
  onBenches({ version: '0.14.9', layout: 'pool' }, (bench, layout) => {
    afterEach(() => removeOwn(bench().kube, 'but namespaces'));

    test('a pool of somebody else that overlaps is named, and without it all comes', async () => {
      const { kube } = bench();
      await kube.apply(foreign);
      const refusals = await Promise.allSettled(
        bench()
          .only('IPAddressPool')
          .map((pool) => kube.apply(pool)),
      );
      expect(refusals.filter(({ status }) => status === 'rejected').map(reasonOf)).toContainEqual(
        expect.stringMatching(/overlaps/),
      );
      await applyAll(kube, bench().only('Namespace'));
      expect(await bench().verify(1)).toMatch(/IPAddressPool metallb-system\/foreign/);
      await kube.remove(foreign);
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      await expect(kube.apply(foreign)).rejects.toThrow(/overlaps/);
      await bench().verify(0);
    });

    test('a swap of two held addresses is refused at synth', async () => {
      const path = 'leases/aurora/18412033.yaml';
      const [shop, mail] = [
        addressOf(bench(), 'web-ip-80-tcp'),
        addressOf(bench(), 'smtp-ip-25-tcp'),
      ];
      const swapped = bench()
        .repository.read(path)
        .replaceAll('name: shop,', `name: shop, address: ${mail},`)
        .replace('name: mail,', `name: mail, address: ${shop},`);
      const said = await bench().repository.refused({ [path]: swapped }, '2026-11-20');
      expect(said).toMatch(/18412033\.yaml:\d+:\d+ PIN_MOVED/);
    });

    test('a stranger who asks for a leased address does not get it, even before its owner comes', async () => {
      const { kube, machine } = bench();
      await applyInOrder(
        kube,
        bench()
          .inWaves()
          .filter(({ kind }) => kind !== 'Service'),
      );
      await kube.apply(strangers);
      const requests = requestsFor(bench());
      for (const request of requests) await askFor(kube, layout, request);
      await applyInOrder(kube, bench().only('Service'));
      await bench().converged();
      const judged = async () => ((await areJudged(kube, requests)) ? true : undefined);
      await until(judged, { what: "MetalLB's answers", programs: machine.metallb.programs });
      for (const request of requests) {
        const live = await kube.get(request);
        if (live)
          expect([request.metadata.name, addressesOf(live)]).toEqual([
            request.metadata.name,
            'none',
          ]);
      }
      await bench().verify(0);
      await Promise.all(requests.map((request) => removed(kube, request)));
    });

    if (layout === 'pool') {
      test('the API server finds nothing to complain about in the admission policy', async () => {
        const { kube } = bench();
        await applyInOrder(kube, bench().inWaves());
        const [policy] = bench().only('ValidatingAdmissionPolicy');
        if (!policy) throw new Error('there is no admission policy');
        const checked = async () => (await kube.get(policy))?.status?.typeChecking;
        const { expressionWarnings = [] } = await until(checked, { what: 'a checked policy' });
        expect(expressionWarnings).toEqual([]);
      });
    }

    test('MetalLB counts a Service that was deleted while its controller started, and the restart that verify prints heals it', async ({
      skip,
    }) => {
      const { kube, machine, version } = bench();
      skip(version === '0.13.9', 'it loads Services one by one');
      const { metallb } = machine;
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      const path = 'leases/aurora/18412033.yaml';
      const moved = bench().repository.read(path).replace("'18412033'", "'18412034'");
      const late = ownerOf(bench(), 'game-ip-27015-udp');
      await metallb.stopController('SIGTERM');
      await removed(kube, late);
      await kube.apply(late);
      for (const object of heldStatus(late)) await kube.apply(object);
      await until(() => isRefused(kube, late), { what: 'a status that cannot be written' });
      await metallb.startController();
      const failures = () => metallb.controllerLog().split('failed to update service').length;
      const isTriedAgain = (since: number) => ({
        what: 'a load of all Services that fails',
        programs: metallb.programs,
        ask: () => (failures() > since ? true : undefined),
      });
      const first = isTriedAgain(failures());
      await until(first.ask, first);
      for (const name of ['web-ip-80-tcp', 'api-ip-8080-tcp', 'smtp-ip-25-tcp'])
        await removed(kube, ownerOf(bench(), name));
      const second = isTriedAgain(failures() + 1);
      await until(second.ask, second);
      for (const object of heldStatus(late)) await kube.remove(object);
      await bench().commit({ [path]: undefined, 'leases/aurora/18412034.yaml': moved });
      await applyOnly(kube, bench().planned);
      const pending = async () => {
        const said = await bench().verify(1);
        const ofWeb = /port TCP\/80 is already in use on "144\./.test(said);
        return ofWeb && said.includes('still counts one that was deleted') ? said : undefined;
      };
      const said = await until(pending, {
        what: 'the finding on port 80',
        programs: metallb.programs,
      });
      const [, printed = ''] =
        /: `(kubectl .* rollout restart deployment controller)`/.exec(said) ?? [];
      const { kubeconfig } = machine.plane;
      await runPrinted({ kube, kubeconfig, metallb }, printed);
      await bench().converged();
      await bench().verify(0);
      await bench().commit({
        'leases/aurora/18412034.yaml': undefined,
        [path]: moved.replace("'18412034'", "'18412033'"),
      });
    });

    test('the speaker accepts the configuration', async () => {
      const { kube, machine } = bench();
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      const name = bench().only('L2Advertisement').at(-1)?.metadata.name ?? '';
      const isTaken = () => (verdictOf(machine.metallb.speakerLog(), name) ? true : undefined);
      await until(isTaken, {
        what: `a speaker that took ${name}`,
        programs: machine.metallb.programs,
      });
      if (bench().version !== '0.16.1') return;
      const states = await kube.list('metallb.io/v1beta1', 'ConfigurationState');
      expect(states.map(({ metadata, status }) => [metadata.name, status.result]).sort()).toEqual([
        ['controller', 'Valid'],
        ['speaker-node-a', 'Valid'],
      ]);
    });

    test('verify and doctor need no more than the permissions that are shipped', async () => {
      const { kube, machine } = bench();
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      for (const command of ['verify', 'doctor']) {
        const config = await accountFor(bench(), command);
        const out = await bench().asked(command, 0, config);
        // The cluster has no kube-proxy; everything else is known.
        expect(out).not.toMatch(/^(unknown +(?! |STRICT_ARP)|caution|problem)/m);
        await kube.remove(machineAccount);
      }
      expect(machine.metallb.programs.map((program) => program.gone())).toEqual([
        undefined,
        undefined,
      ]);
    });
  });
});

const foreign: KubeObject = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'foreign', namespace: metallbNamespace },
  spec: { addresses: ['144.217.30.192/27'], autoAssign: false },
};

function reasonOf(settled: PromiseSettledResult<unknown>): string {
  return settled.status === 'rejected' ? String(settled.reason) : '';
}

function addressOf({ planned }: Bench, name: string): string {
  return [...planned.addresses].find(([key]) => key.endsWith(`/${name}`))?.[1] ?? '';
}

function ownerOf(bench: Bench, name: string): KubeObject {
  const found = bench.only('Service').find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`no Service ${name} is planned`);
  return found;
}

/** A policy of the API server that lets nobody write the status of a Service. */
function heldStatus({ metadata }: KubeObject): readonly KubeObject[] {
  const head = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'held-status' } };
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['UPDATE'],
    resources: ['services/status'],
    resourceNames: [metadata.name],
  };
  const policy = {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'false' }],
  };
  const binding = { policyName: 'held-status', validationActions: ['Deny'] };
  return [
    { ...head, kind: 'ValidatingAdmissionPolicy', spec: policy },
    { ...head, kind: 'ValidatingAdmissionPolicyBinding', spec: binding },
  ];
}

/** True once the status of a Service cannot be written. */
async function isRefused(kube: Kube, service: KubeObject): Promise<true | undefined> {
  const conditions = [
    {
      type: 'a',
      status: 'True',
      reason: 'a',
      message: '',
      lastTransitionTime: '2026-11-20T00:00:00Z',
    },
  ];
  try {
    await kube.merge(service, { status: { conditions } }, '/status');
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

/** Every way that MetalLB knows to ask for the shop's address, with its sharing key too. */
function requestsFor(bench: Bench): readonly KubeObject[] {
  const owner = bench.only('Service').find(({ metadata }) => metadata.name === 'web-ip-80-tcp');
  const address = owner?.spec.loadBalancerIP;
  expect(address).toMatch(/^\d/);
  const keys = Object.entries(owner?.metadata.annotations ?? {}).filter(([key]) =>
    key.endsWith('/allow-shared-ip'),
  );
  const service = (name: string, annotations: object, more: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace: 'strangers',
      annotations: { ...Object.fromEntries(keys), ...annotations },
    },
    spec: { type: 'LoadBalancer', ports: [{ port: 9999 }], selector: { app: 'x' }, ...more },
  });
  return [
    service('by-field', {}, { loadBalancerIP: address }),
    service('by-annotation', { 'metallb.io/loadBalancerIPs': address }),
    service('by-old-annotation', { 'metallb.universe.tf/loadBalancerIPs': address }),
  ];
}

/** True when the last thing a speaker said of an object is that it took the configuration. */
function verdictOf(log: string, name: string): boolean {
  const last = log.slice(log.lastIndexOf(`"start reconcile":"${metallbNamespace}/${name}"`));
  return last.includes('"end reconcile"') && !/"level":"error"/.test(last);
}

/** A kubeconfig of an account that has the shipped permissions of a command, and no others. */
async function accountFor({ kube, machine }: Bench, command: string): Promise<string> {
  const config = await machineAccountConfig(machine.plane, command);
  for (const object of objectsIn(readFileSync(`docs/rbac/${command}.yaml`, 'utf8'))) {
    const { namespace: name = 'default' } = object.metadata;
    const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    if (!(await kube.get(place))) await kube.apply(place);
    await kube.apply(object);
  }
  return config;
}
