import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Verification } from '../../src/features/cluster/verification-answer.ts';
import {
  type AddressWatch,
  haveAddresses,
  watchAddresses,
} from '../support/cluster/address-watch.ts';
import { chartService, declared, reservation } from '../support/cluster/declared.ts';
import type { Engine } from '../support/cluster/engines/engine.ts';
import { type GitServer, startGitServer } from '../support/cluster/engines/git-server.ts';
import type { Kube, KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { patchWebhooks } from '../support/cluster/layout-change.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import {
  type CiliumVersion,
  type LBIPAM,
  startLBIPAM,
} from '../support/cluster/machines/cilium.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/machines/control-plane.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import {
  type Metallb,
  metallbVersions,
  startMetallb,
} from '../support/cluster/machines/metallb.ts';
import { type Planned, plannedIn } from '../support/cluster/planned.ts';
import { type EngineName, engines, printedBy } from '../support/cluster/story.ts';
import { peerConfig } from '../support/live/cilium-objects.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const metallb = metallbVersions.at(-1) ?? '0.16.1';

const places: readonly (readonly [cilium: CiliumVersion, engine: EngineName])[] = [
  ['1.20.2', 'Flux'],
  ['1.20.2', 'Argo CD'],
  ['1.18.5', 'by hand'],
];
const placesInScope = inScope(places, ([cilium]) => cilium === '1.20.2');

const pools = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'Pools',
  emit: { providerLeasedIP: false },
  defaultZone: 'inet',
  pools: [
    {
      name: 'public',
      zone: 'inet',
      addresses: ['203.0.113.0/28'],
      reserved: ['203.0.113.0'],
      advertise: { bgp: {} },
    },
    {
      name: 'edge',
      zone: 'edge',
      addresses: ['198.51.100.0/29', '2001:db8::/124'],
      advertise: { l2: {} },
    },
  ],
};

/** The Deployment of Cilium's operator. */
function operatorOf(version: string): KubeObject {
  const app = { 'io.cilium/app': 'operator' };
  const image = `quay.io/cilium/operator-generic:v${version}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'kube-system', name: 'cilium-operator', labels: app },
    spec: {
      selector: { matchLabels: app },
      template: { metadata: { labels: app }, spec: { containers: [{ name: 'operator', image }] } },
    },
  };
}

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('From MetalLB to Cilium', () => {
  describe.each(placesInScope)('Cilium %s, %s', (cilium, engineName) => {
    let keeper: Keeper;
    let plane: ControlPlane;
    let kube: Kube;
    let balancer: Metallb;
    let lbipam: LBIPAM;
    let watch: AddressWatch;
    let server: GitServer;
    let engine: Engine;

    beforeAll(async () => {
      keeper = temporaryKeeper();
      server = await startGitServer(keeper.folder);
      plane = await startControlPlane(keeper, join(keeper.folder, 'plane'));
      kube = plane.kube;
      balancer = await startMetallb({ keeper, plane, folder: keeper.folder, version: metallb });
      lbipam = await startLBIPAM(keeper, plane, cilium);
      watch = await watchAddresses(kube);
    });
    afterAll(async () => {
      watch?.close();
      await keeper?.close();
      await server?.close();
    });

    /** What `leasehold gitops` prints now for the engine. */
    const printed = (repository: LeaseRepository) =>
      printedBy(repository, engineName === 'Flux' ? 'flux' : 'argocd', '--repo', server.url);

    const converged = ({ addresses }: Planned) => haveAddresses(kube, watch, addresses);

    /** Runs what the move prints, stops both planes, and has the engine apply the next one. */
    async function moved(
      repository: LeaseRepository,
      to: 'cilium' | 'metallb',
      today: string,
    ): Promise<readonly string[]> {
      const command = ['migrate-plane', to, '--kubeconfig', plane.kubeconfig];
      const open = await repository.leasehold(...command);
      expect([open.status, open.out]).toEqual([1, expect.stringContaining('nothing was changed')]);
      const commands = printedIn(open.out);
      for (const one of commands) await run(one);
      await Promise.all([balancer.stopController('SIGTERM'), lbipam.kill()]);
      const { status, out } = await repository.leasehold(...command, '--today', today);
      expect([status, out]).toEqual([0, expect.stringContaining('gitops argocd')]);
      await engine.turn(await printed(repository), server.url);
      await engine.synced(await repository.pushUnchecked({}));
      return commands.map((one) => one.split(' ').slice(3).join(' '));
    }

    const run = (command: string) =>
      command.includes('validatingwebhookconfiguration')
        ? patchWebhooks(kube, command.replace(/--kubeconfig \S+ /, ''))
        : runPrinted({ kube, kubeconfig: plane.kubeconfig }, command);

    /** The kubectl commands on lines of their own. */
    const printedIn = (text: string) =>
      [...text.matchAll(/^ +(kubectl .*)$/gm)].map(([, one = '']) => one);

    test('and back: no address changes at any moment', async () => {
      const folder = mkdtempSync(join(keeper.folder, 'repository-'));
      const repository = emptyRepository({ cli: program.cli, folder, url: server.url });
      const sharing = { annotations: { 'ipam.vitistack.io/allow-local-shared-ip': 'k' } };
      const first = await repository.change(
        {
          'leases/pools.yaml': stringify({
            ...pools,
            metallb: { version: metallb, layout: 'pool' },
          }),
          'leases/shop/web.yaml': declared('shop', 'web'),
          'leases/shop/a.yaml': declared('shop', 'a', sharing),
          'leases/shop/b.yaml': declared('shop', 'b', {
            ...sharing,
            spec: { ports: [{ port: 81 }] },
          }),
          'leases/edge/dual.yaml': declared('edge', 'dual', {
            annotations: { 'leasehold.dev/pool': 'edge', 'ipam.vitistack.io/ip-family': 'dual' },
          }),
          'leases/edge/chart.yaml': reservation('edge', 'chart'),
        },
        '2026-11-20',
      );
      const before = plannedIn(repository.root);
      const host = { plane, keeper, folder: mkdtempSync(join(keeper.folder, 'engine-')) };
      engine = await engines[engineName](host, server.url, await printed(repository));
      await engine.synced(first);
      /** A chart writes the Service of a Reservation with the values that it is given. */
      const upgradeChart = async () => {
        const { out: values } = await repository.leasehold('list', 'edge/chart', '-o', 'values');
        await kube.apply(chartService('edge', 'chart', parse(values)));
      };
      await upgradeChart();
      await converged(before);
      watch.mark();
      await kube.apply({
        apiVersion: 'cilium.io/v2',
        kind: 'CiliumBGPPeerConfig',
        ...peerConfig('public'),
      });
      // No kubelet runs: LB-IPAM is a process, and the operator's Deployment says which.
      await kube.apply(operatorOf(cilium));

      expect(await moved(repository, 'cilium', '2026-11-21')).toEqual([
        '-n edge label service chart leasehold.dev/pool=public',
        '-n edge label service dual leasehold.dev/pool=edge',
        '-n shop label service a b web leasehold.dev/pool=public',
        "-n edge annotate service chart dual lbipam.cilium.io/sharing-key=leasehold-edge 'lbipam.cilium.io/sharing-cross-namespace=*'",
        "-n shop annotate service a b web lbipam.cilium.io/sharing-key=leasehold-shop 'lbipam.cilium.io/sharing-cross-namespace=*'",
        expect.stringMatching(
          /^patch validatingwebhookconfiguration metallb-webhook-configuration /,
        ),
        '-n metallb-system scale deployment controller --replicas=0',
        '-n kube-system scale deployment cilium-operator --replicas=0',
      ]);
      const onCilium = plannedIn(repository.root);
      expect(onCilium.addresses).toEqual(before.addresses);
      await lbipam.start();
      await converged(onCilium);
      await upgradeChart();
      await converged(onCilium);
      const verified = await repository.leasehold(
        'verify',
        '--kubeconfig',
        plane.kubeconfig,
        '-o',
        'json',
      );
      const { claims, findings }: Verification = JSON.parse(verified.out);
      expect(findings).toEqual([]);
      expect(new Set(claims.map(({ state }) => state))).toEqual(new Set(['no endpoints']));

      // Ordinary commits on Cilium: a Service comes, another goes, and its address stays kept.
      const more = {
        'leases/shop/new.yaml': declared('shop', 'new'),
        'leases/shop/b.yaml': undefined,
      };
      await engine.synced(await repository.change(more, '2026-11-21'));
      const changed = plannedIn(repository.root);
      await converged(changed);

      await kube.merge(operatorOf(cilium), { spec: { replicas: 1 } });
      expect(await moved(repository, 'metallb', '2026-11-22')).toEqual([
        '-n edge annotate service chart dual metallb.io/allow-shared-ip=leasehold-edge',
        '-n shop annotate service a new web metallb.io/allow-shared-ip=leasehold-shop',
        '-n kube-system scale deployment cilium-operator --replicas=0',
      ]);
      const back = plannedIn(repository.root);
      expect(back.addresses).toEqual(changed.addresses);
      const again = ['migrate-plane', 'metallb', '--kubeconfig', plane.kubeconfig];
      const [start = '', check = ''] = printedIn((await repository.leasehold(...again)).out);
      await run(start);
      await balancer.startController();
      await run(check);
      await converged(back);
      await upgradeChart();
      await converged(back);
      // MetalLB's controller changes nothing after it has looked at all Services again.
      await balancer.stopController('SIGTERM');
      await balancer.startController();
      await converged(back);
      for (const [key, address] of before.addresses) {
        if (back.addresses.has(key)) expect([key, watch.since(key)]).toEqual([key, [address]]);
      }
    });
  });
});
