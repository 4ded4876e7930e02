import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isSince } from '../../src/core/model/planes.ts';
import type { Diagnosis, Finding } from '../../src/features/cluster/diagnosis-answer.ts';
import { findingCodes } from '../../src/features/cluster/doctor/finding-codes.ts';
import { verificationSchema } from '../../src/features/cluster/verification-answer.ts';
import { inventoryFindings } from '../../src/features/inventory/codes.ts';
import { removeWhole } from '../support/cluster/by-hand.ts';
import type { Kube, KubeObject } from '../support/cluster/kube.ts';
import { removalCommands, runPrinted } from '../support/cluster/kubectl.ts';
import { machineAccount, machineAccountConfig } from '../support/cluster/machines/account.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { inWaves, plannedIn } from '../support/cluster/planned.ts';
import { akashSabotages } from '../support/cluster/sabotages/akash.ts';
import { answerWith, expectAnswer, foundBy, toldBy } from '../support/cluster/sabotages/answers.ts';
import { claimSabotages } from '../support/cluster/sabotages/claims.ts';
import { metallbSabotages } from '../support/cluster/sabotages/metallb.ts';
import { followed, restoreTree, unfollowed } from '../support/cluster/sabotages/remedies.ts';
import type { Sabotage } from '../support/cluster/sabotages/sabotage.ts';
import {
  app,
  claims,
  poolFile,
  type Site,
  settle,
  startSite,
} from '../support/cluster/sabotages/site.ts';
import { webhookSabotages } from '../support/cluster/sabotages/webhook.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import type { Finished } from '../support/run/run-process.ts';
import { inScope } from '../support/run/scope.ts';

const versions = ['0.14.9', '0.16.1'] as const;
/** Where all is played. On the others, a usual run plays what the version has a part in. */
const wholeOn = inScope(versions, (version) => version === '0.16.1');

const sabotages: readonly Sabotage[] = [
  ...metallbSabotages,
  ...webhookSabotages,
  ...akashSabotages,
  ...claimSabotages,
];

/** What no sabotage of a real API server shows, and why. */
const notShown: Readonly<Record<string, string>> = {
  KUBERNETES_VERSION: 'a problem is only a Kubernetes before 1.31, and one version runs here',
  ...Object.fromEntries(
    ['KINDS', 'OPERATOR', 'RELEASE', 'SETTINGS', 'NODES', 'POOLS'].map((one) => [
      `CILIUM_${one}`,
      'MetalLB runs here: cilium.test.ts asks doctor on the real LB-IPAM',
    ]),
  ),
};

/** The codes of which nothing is known without any permission. */
const denied = [
  'METALLB_NAMESPACE',
  'METALLB_KINDS',
  'AKASH_KINDS',
  'METALLB_CONTROLLER',
  'METALLB_SPEAKERS',
  'METALLB_NODES',
  'STRICT_ARP',
  'METALLB_WEBHOOK',
  'METALLB_ADMISSION',
  'METALLB_CONFIGURATION',
  'FOREIGN_POOLS',
  'AKASH_PROVIDER',
  'AKASH_OPERATOR',
];
const printed = /\$ npx --no -- leasehold bootstrap rbac --doctor \| kubectl apply -f -$/;

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('Sabotage, and what doctor and verify say', () => {
  describe.each(versions)('MetalLB %s, layout pool', (version) => {
    const isWhole = wholeOn.includes(version);
    const inWhole = test.runIf(isWhole);
    let site: Site;
    let kube: Kube;
    /** What doctor says while all is well. */
    let well: readonly Finding[];

    beforeAll(async () => {
      site = await startSite(program.cli, version);
      kube = site.machine.plane.kube;
    });
    afterAll(() => site?.machine.keeper.close());

    /** Asks as a process of its own. */
    const ask = (command: string, kubeconfig = site.machine.plane.kubeconfig): Promise<Finished> =>
      site.repository.asProcess(command, '--kubeconfig', kubeconfig, '-o', 'json');

    /** Asks in this process, as all do whose exit status is known to be that of the program. */
    const askHere = (command: string): Promise<Finished> =>
      site.repository.leasehold(
        ...[command, '--kubeconfig', site.machine.plane.kubeconfig, '-o', 'json'],
      );

    /** Nothing is wrong, and nothing is told that was not told at first. */
    const expectWell = (): Promise<unknown> =>
      until(
        async () => {
          const doctor = await askHere('doctor');
          expect(doctor).toMatchObject({ status: 0, err: '' });
          expect(foundBy(doctor, well)).toEqual([]);
          const verify = await askHere('verify');
          expect(verify).toMatchObject({ status: 0, err: '' });
          expect(toldBy(verify)).toEqual([]);
          return true;
        },
        { what: 'a cluster that is well again', programs: site.machine.metallb.programs },
      );

    test('where nothing is applied, verify asks whether it is the right cluster', async () => {
      const verify = await ask('verify');
      expect(verify).toMatchObject({
        status: 1,
        err: `no claim is applied: is suite (${kube.access.server}) the right cluster?\n`,
      });
      expect(toldBy(verify).map(({ state, of }) => [state, of])).toEqual(
        expect.arrayContaining(claims.map((claim) => ['not applied', claim])),
      );
    });

    test('where all is applied, doctor and verify find nothing wrong', async () => {
      await settle(site);
      const { status, out, err } = await ask('doctor');
      expect([status, err]).toEqual([0, '']);
      well = (JSON.parse(out) as Diagnosis).findings;
      expect(well.filter(({ level }) => level !== 'ok')).toEqual([]);
      const verify = await ask('verify');
      expect(verify).toMatchObject({ status: 0, err: '' });
      expect(JSON.parse(verify.out)).toMatchObject({
        counts: { ok: 0, 'no endpoints': 3 },
        openPools: [{ pool: 'old', services: [] }],
        notes: isSince(version, '0.15.3') ? [] : [expect.stringContaining('it is not known')],
      });
      expect(toldBy(verify)).toEqual([]);
    });

    const played = sabotages.filter(
      (one) => isPlayed(one, version) && (isWhole || dependsOnVersion(one)),
    );
    test.each(played.map((one) => [one.title, one] as const))('%s', async (_, sabotage) => {
      const mend = await sabotage.break(site);
      let undo = async () => {};
      const askBoth = async () => {
        const [doctor, verify] = await Promise.all([askHere('doctor'), askHere('verify')]);
        return { doctor, verify, told: [...foundBy(doctor, well), ...toldBy(verify)] };
      };
      try {
        const { doctor, verify, told } = await askBoth();
        expectAnswer(doctor, foundBy(doctor, well), answerWith(version, sabotage.doctor));
        expectAnswer(verify, toldBy(verify), answerWith(version, sabotage.verify));
        if (sabotage.ends === undefined && isWhole) {
          undo = await followed(site, told, async () => (await askBoth()).told);
        }
      } finally {
        await undo();
        await mend();
        restoreTree(site);
      }
      await expectWell();
    });

    inWhole(
      'what a dashboard has added to a Service goes by the commands that verify prints',
      async () => {
        const planned = inWaves(plannedIn(site.repository.root));
        const lease = planned.find(({ metadata }) => metadata.name === 'web-ip-80-tcp');
        if (!lease) throw new Error('no Service of a lease is planned');
        const annotations = { 'metallb.io/address-pool': 'nope' };
        const ports = [...lease.spec.ports, { name: 'more', port: 8081, protocol: 'TCP' }];
        await kube.merge(app, { metadata: { annotations } });
        await kube.merge(lease, { spec: { ports } });
        // The remedy for fields that were changed takes nothing away.
        for (const object of planned) await kube.apply(object);
        const commandsFor = async (object: KubeObject): Promise<readonly string[]> => {
          const { namespace, name } = object.metadata;
          const told = toldBy(await ask('verify'));
          const text = told.find(({ of }) => of === `Service ${namespace}/${name}`)?.text ?? '';
          return removalCommands(text);
        };
        // The texts of this test are without the kubeconfig.
        const anywhere = { kube };
        for (const object of [app, lease]) {
          const commands = await commandsFor(object);
          expect(commands).toHaveLength(1);
          for (const command of commands) await runPrinted(anywhere, command);
        }
        await expectWell();
      },
    );

    inWhole(
      'whoever may not look is told what prints the permissions, and these are enough',
      async () => {
        const kubeconfig = await machineAccountConfig(site.machine.plane, 'sabotage');
        const account = 'system:serviceaccount:leasehold:leasehold';
        const doctor = await ask('doctor', kubeconfig);
        const unknown = foundBy(doctor, well);
        expect([doctor.status, unknown.map(({ state }) => state)]).toEqual([
          1,
          unknown.map(() => 'unknown'),
        ]);
        expect(unknown.map(({ of }) => of)).toEqual(denied);
        for (const { of, text } of unknown) {
          expect([of, text]).toEqual([of, expect.stringMatching(printed)]);
        }
        const verify = await ask('verify', kubeconfig);
        expect([verify.status, JSON.parse(verify.out).kind]).toEqual([74, 'Failure']);
        expect(verify.err).toMatch(
          new RegExp(`does not let ${account} list .*; \`leasehold bootstrap rbac\` prints a role`),
        );

        // Whoever grants them has kubectl's own kubeconfig.
        const [, line = ''] = /\$ (.*)$/.exec(unknown[0]?.text ?? '') ?? [];
        let role: readonly KubeObject[] = [];
        const leasehold = (args: readonly string[], input: string) => {
          const out = site.repository.piped(args, input);
          role = objectsIn(out);
          return out;
        };
        await runPrinted({ kube, leasehold }, line);
        // What is granted works a moment later.
        const isGranted = async () => {
          const allowed = await ask('doctor', kubeconfig);
          expect([allowed.status, foundBy(allowed, well)]).toEqual([0, []]);
          expect(await ask('verify', kubeconfig)).toMatchObject({ status: 0, err: '' });
          return true;
        };
        await until(isGranted, { what: 'permissions that are enough' });

        const pools = role.find(
          ({ kind, rules }) => kind === 'Role' && JSON.stringify(rules).includes('create'),
        );
        if (!pools) throw new Error('no permission for a dry run is printed');
        const listing = pools.rules.map((rule: object) => ({ ...rule, verbs: ['list'] }));
        await kube.merge(pools, { rules: listing });
        const isDenied = async () => foundBy(await ask('doctor', kubeconfig), well).at(0);
        expect(await until(isDenied, { what: 'a permission less' })).toMatchObject({
          state: 'unknown',
          of: 'METALLB_ADMISSION',
          text: expect.stringMatching(
            /cannot create resource.*grant the verb create on ipaddresspools/s,
          ),
        });
        for (const object of [...role, machineAccount].reverse()) await removeWhole(kube, object);
      },
    );

    inWhole.each([
      [
        'an authority that is no certificate',
        async () => Buffer.from('garbage').toString('base64'),
        /certificate-authority-data that is not a certificate/,
      ],
      [
        'the authority of something else',
        authorityOfWebhooks,
        /no authority that is trusted here has signed it \(SELF_SIGNED_CERT_IN_CHAIN\)/,
      ],
    ])('a kubeconfig with %s is told for what it is', async (_, authority, says) => {
      const path = join(site.machine.folder, 'untrusting.kubeconfig');
      const config = parse(readFileSync(site.machine.plane.kubeconfig, 'utf8'));
      config.clusters[0].cluster['certificate-authority-data'] = await authority(kube);
      writeFileSync(path, stringify(config));
      for (const command of ['doctor', 'verify']) {
        const { status, out, err } = await ask(command, path);
        expect([status, JSON.parse(out).kind]).toEqual([74, 'Failure']);
        expect(err).toMatch(says);
      }
    });

    inWhole('a token that nobody has is told for what it is', async () => {
      const path = site.machine.plane.kubeconfigFor('nobody', 'nonsense');
      for (const command of ['doctor', 'verify']) {
        const { status, out, err } = await ask(command, path);
        expect([status, JSON.parse(out).kind]).toEqual([74, 'Failure']);
        expect(err).toMatch(/refuses the credentials of the kubeconfig/);
      }
    });

    inWhole('the API server refuses what leasehold calls CLASS_CHANGED', async () => {
      const edit = poolFile(site).replace(
        'layout: pool',
        'layout: pool, loadBalancerClass: a.example/b',
      );
      const said = await site.repository.refused({ 'leases/pools.yaml': edit }, '2026-11-20');
      expect(said).toMatch(/CLASS_CHANGED .*web\/app|web\/app.* CLASS_CHANGED/);
      const live = (await kube.get(app)) ?? app;
      const spec = { ...app.spec, loadBalancerClass: 'a.example/b' };
      await expect(kube.apply({ ...app, spec }, { dryRun: true })).rejects.toThrow(
        /loadBalancerClass/,
      );
      expect(live.spec.loadBalancerClass).toBeUndefined();
    });

    test.runIf(version === versions.at(-1))('what mends a finding was printed and done', () => {
      expect(unfollowed()).toEqual([]);
    });

    inWhole(
      'each code of doctor and each state of verify is shown, but for what is listed here',
      () => {
        const codes = sabotages.flatMap(
          ({ doctor }) => doctor?.lines.map(([, code]) => code) ?? [],
        );
        expect([...new Set([...codes, ...Object.keys(notShown)])].sort()).toEqual(
          Object.keys({ ...findingCodes, ...inventoryFindings }).sort(),
        );
        expect(codes.filter((code) => Object.hasOwn(notShown, code))).toEqual([]);
        const states = sabotages.flatMap(
          ({ verify }) => verify?.lines.map(([state]) => state) ?? [],
        );
        expect([...new Set([...states, 'ok', 'no endpoints', 'not reachable'])].sort()).toEqual(
          [...Object.keys(verificationSchema.shape.counts.shape), 'open fence'].sort(),
        );
      },
    );
  });
});

function isPlayed({ since }: Sabotage, version: string): boolean {
  return since === undefined || isSince(version, since);
}

/** True when the versions of MetalLB are told different things of it. */
function dependsOnVersion({ doctor, verify }: Sabotage): boolean {
  const lines = [...(doctor?.lines ?? []), ...(verify?.lines ?? [])];
  return lines.some(([, , , since]) => since !== undefined);
}

/** The authority of MetalLB's webhooks, which has nothing to do with the API server. */
async function authorityOfWebhooks(kube: Kube): Promise<string> {
  const metadata = { name: 'metallb-webhook-cert', namespace: metallbNamespace };
  return (await kube.get({ apiVersion: 'v1', kind: 'Secret', metadata }))?.data['ca.crt'];
}
