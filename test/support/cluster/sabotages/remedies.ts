import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { gitEnvironment } from '../../repositories/git-environment.ts';
import { removeWhole } from '../by-hand.ts';
import type { KubeObject } from '../kube.ts';
import { type Place, runPrinted } from '../kubectl.ts';
import { plannedIn } from '../planned.ts';
import { until } from '../wait.ts';
import type { Told } from './answers.ts';
import { healedInNames, unhealedInNames } from './hostname-remedies.ts';
import type { Site } from './site.ts';

/** A remedy that is followed. */
interface Followed {
  readonly site: Site;
  readonly told: Told;
  readonly text: string;
  /** What {@link Remedy.says} has found in it. */
  readonly match: RegExpExecArray;
}

/** Does what a remedy says, and gives how to undo what the end of the sabotage does not. */
type Follow = (followed: Followed) => Promise<void | (() => Promise<void>)>;

/** What verify and doctor say to do. */
export interface Remedy {
  readonly says: RegExp;
  /** How the sabotages do it; undefined when another remedy that is printed beside it does. */
  readonly follow?: Follow;
  /** Why nothing is mended by it in a sabotage. */
  readonly why?: string;
}

/** The finding must be gone after that. */
const heals = (says: RegExp, follow: Follow): Remedy => ({ says, follow });
/** What is printed beside it heals it. */
const beside = (says: RegExp): Remedy => ({ says });
const unhealed = (says: RegExp, why: string): Remedy => ({ says, why });
/** The command shows something, so it must find its object. */
const looks = (says: RegExp): Remedy => ({ says, follow: command, why: 'it only shows the cause' });

const reasons = {
  ends: 'the end of the sabotage does it: a chart, a program or a node',
  other: 'another tool or whoever holds it must act',
  none: 'nothing is wrong',
  wire: 'nothing is announced in a sabotage: announced.test.ts, wire.test.ts and wire-states.test.ts',
  sessions: 'no BGP session in a sabotage: frr-k8s.test.ts has the real frr-k8s and FRR',
  upgrade:
    'the repository declares annotations that the old MetalLB does not read: metallb-upgrade.test.ts',
  takeover: 'fences are closed in set-ups.test.ts and adoption.test.ts',
  layout: 'layout-change.test.ts and wire-states.test.ts',
  names: 'no hostname in a sabotage: names.test.ts does it',
  account: 'the test of an account without permissions runs it',
  cilium: 'cilium.test.ts has the real LB-IPAM',
  agent: 'no agent of Cilium runs in the suite',
  guards: 'a Service that was deleted while the controller started: guards.test.ts',
} as const;

/** All that verify and doctor can say to do. The first that matches counts. */
const remedies: readonly Remedy[] = [
  // Of the pool file.
  beside(/^install MetalLB(?: there)?, or set metallb\.namespace in/),
  heals(/^set (metallb\.namespace): (\S+) in leases\/pools\.yaml and run `leasehold synth`/, edit),
  unhealed(/set metallb\.version: .*restart the controller/, reasons.upgrade),
  heals(/set (metallb\.version): (\S+) in leases\/pools\.yaml and run `leasehold synth`$/, edit),
  unhealed(/^set metallb\.version: .* with annotationPrefix|^upgrade MetalLB/, reasons.upgrade),
  heals(/set (emit\.\w+|…)(?:: (\w+))? in leases\/pools\.yaml and run `leasehold synth`/, edit),
  beside(/set emit\.providerLeasedIP and emit\.providerHost to false in leases/),
  ...Object.values(healedInNames).map((says) => unhealed(says, reasons.names)),
  ...unhealedInNames.map(([says, why]) => unhealed(says, why)),
  unhealed(/^set .* to interfaces that the nodes have/, reasons.wire),
  unhealed(/^label a node so that they match, or change /, reasons.wire),
  // Of MetalLB.
  unhealed(/^install MetalLB |^install MetalLB's speakers/, reasons.ends),
  unhealed(/^start the controller and the speakers /, reasons.ends),
  unhealed(/^run MetalLB in FRR mode|^run the controller with its webhook/, reasons.ends),
  unhealed(/^set the chart's crds|^see the controller's log/, reasons.ends),
  unhealed(/^check that the controller runs and that the API server reaches it/, reasons.ends),
  unhealed(/^after `leasehold migrate-layout`: |^delete no pool; run this/, reasons.layout),
  unhealed(/^add the label, or set fence: open/, reasons.layout),
  unhealed(/still counts one that was deleted/, reasons.guards),
  unhealed(/^if this lasts for minutes, restart its controller/, reasons.guards),
  heals(/correct or delete it, mostly what was changed last/, removeNewest),
  looks(
    /^find out why (?:its pods|the pods of the speakers) are (?:missing or )?not ready: `?kubectl/,
  ),
  unhealed(/^find out why the network plugin|^see what the speakers log/, reasons.wire),
  heals(/^remove the label from a node that should announce, or start .*kubectl/, command),
  unhealed(/^uncordon a node, or use another version/, reasons.wire),
  heals(/^no Service has an address from it: delete/, removeIt),
  unhealed(
    /(?:^|: )take the pool over with `leasehold import cluster`|remove the overlapping addresses/,
    reasons.takeover,
  ),
  unhealed(
    /^see the sessions; frr-k8s|^add a BGPPeer with|^frr-k8s merges all FRRConfigurations/,
    reasons.sessions,
  ),
  // Of Cilium.
  unhealed(
    /^install Cilium |^upgrade Cilium |^give it a serviceSelector|^if this lasts for minutes, restart its operator/,
    reasons.ends,
  ),
  unhealed(/^remove the addresses from leases\/pools\.yaml, or from it once/, reasons.cilium),
  unhealed(/^delete no pool that Services have addresses of/, reasons.cilium),
  unhealed(
    /^(?:enableLBIPAM|defaultLBServiceIPAM|loadBalancer\.protocolDifferentiation|l2announcements|kubeProxyReplacement|bgpControlPlane)\b/,
    reasons.agent,
  ),
  unhealed(
    /^give MetalLB a class by --lb-class|^give its load balancer a class|^reserve it in leases/,
    reasons.ends,
  ),
  unhealed(/^see whether its pool is there|^remove the other Service, or pin it/, reasons.cilium),
  unhealed(
    /^check that Cilium runs with l2announcements|^label a node, or change|^add to the … family|^name it in peerConfigRef|^see the sessions$|^correct the advertisement in/,
    reasons.agent,
  ),
  // Of the cluster.
  heals(/^label the namespace: kubectl/, command),
  heals(/^set ipvs\.strictARP: true .*, and restart it: kubectl/, command),
  unhealed(/^upgrade Kubernetes/, 'one version of Kubernetes runs here'),
  unhealed(
    /layout: pool needs Kubernetes|every cluster serves this kind/,
    'one version of Kubernetes runs here',
  ),
  heals(/^let it serve a load balancer class of its own only/, removeMark),
  unhealed(
    /^set lb_class_only|^give its pools a serviceSelector|^turn its load balancer off/,
    'one other load balancer is enough',
  ),
  unhealed(/leasehold bootstrap rbac/, reasons.account),
  unhealed(/^check that its pods run and that its selector/, 'no pod of a Service runs here'),
  unhealed(/^run its pods on such a node/, reasons.wire),
  unhealed(/^try it: run `leasehold verify --reach`/, reasons.wire),
  unhealed(
    /^try from a machine in the network|^check that its pods listen on the target port/,
    reasons.wire,
  ),
  unhealed(/^give it the labels that `leasehold list -o values` prints, or apply/, reasons.wire),
  // Of the Akash provider.
  heals(/AKASH_IP_OPERATOR=false at the provider.*, then scale it to 0: `?kubectl/, command),
  beside(/^scale the operator to 0/),
  beside(/^fix the cause; if the operator does not recover within seconds, delete the pod/),
  heals(/^run `leasehold serve` .*: kubectl|^set … to false/, command),
  unhealed(
    /^(?:run `leasehold serve` .* or )?set --…?.*=false in its command line/,
    'its chart does it',
  ),
  looks(/^check where it takes its variables from/),
  heals(/^label it: kubectl/, command),
  unhealed(/^create it, or remove it from clusterStorage/, reasons.ends),
  unhealed(/^add it to the cluster, or remove it from leases\/inventory\.yaml/, reasons.ends),
  unhealed(
    /^check the operator, and what|^check the driver of the GPUs/,
    'no inventory operator runs',
  ),
  unhealed(
    /^find out why$|^find out why: kubectl describe node|^uncordon it/,
    'no inventory operator runs',
  ),
  heals(/let Argo CD or Flux apply dist\//, applyInventory),
  // Of objects.
  heals(/ has set it, and an engine does not remove what another one has set: /, command),
  heals(/Deny beside Warn: `kubectl/, command),
  heals(/its pool serves no Service without the label .*: `kubectl/, command),
  unhealed(
    /is being deleted, and waits for|another tool renders it$|has no port|which has no address$/,
    reasons.other,
  ),
  heals(/^(?:not applied|changed by hand|wrong address): /, applyByHand),
  beside(/^pending: /),
  heals(/^not ours: Service (\S+)\/(\S+) intercepts/, withoutExternalIPs),
  unhealed(/^not ours: /, reasons.other),
  heals(/^left over: (\w+) (\S+)\/(\S+)$/, removeIt),
  unhealed(/^kept: /, reasons.none),
  unhealed(/^open fence: /, reasons.takeover),
];

/** Those that a sabotage has printed. */
const printed = new Set<Remedy>();

/** Those that a sabotage should have printed, to be followed, and has not. */
export function unfollowed(): readonly string[] {
  const all = remedies.filter((one) => one.why === undefined || one.follow !== undefined);
  return all.filter((one) => !printed.has(one)).map(({ says }) => String(says));
}

/** What is done about a text; none when nobody has said it. */
export function remedyFor(text: string): Remedy | undefined {
  return remedies.find(({ says }) => says.test(text));
}

/**
 * Follows what is told, in its order, printed commands before what only the docs say, and waits until nothing that is
 * healed is told any more. Gives how to undo it.
 */
export async function followed(
  site: Site,
  told: readonly Told[],
  ask: () => Promise<readonly Told[]>,
): Promise<() => Promise<void>> {
  const steps = told.flatMap((one) =>
    one.remedies.map((text) => {
      const remedy = remedyFor(text);
      if (!remedy) throw new Error(`nobody has said what is done about: ${text}`);
      return { told: one, text, remedy };
    }),
  );
  for (const { remedy } of steps) printed.add(remedy);
  const undos: (() => Promise<void>)[] = [];
  const ordered = [false, true].flatMap((isLast) =>
    steps.filter(({ remedy }) => (remedy.follow === applyByHand) === isLast),
  );
  for (const text of new Set(ordered.map((one) => one.text))) {
    const step = ordered.find((one) => one.text === text);
    const match = step?.remedy.says.exec(text);
    const undo = step && match && (await step.remedy.follow?.({ ...step, site, match }));
    if (undo) undos.unshift(undo);
  }
  const healed = steps.filter(({ remedy }) => remedy.why === undefined);
  const left = async (): Promise<true> => {
    const now = new Set(
      (await ask()).flatMap(({ of, remedies }) => remedies.map((text) => `${of}: ${text}`)),
    );
    expect(
      healed.map((one) => `${one.told.of}: ${one.text}`).filter((one) => now.has(one)),
    ).toEqual([]);
    return true;
  };
  if (healed.length > 0) await until(left, { what: 'the end of what was healed' });
  return async () => {
    for (const undo of undos) await undo();
  };
}

/** The tree as it is committed: nothing that a remedy has edited is left. */
export function restoreTree({ repository: { root } }: Site): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: gitEnvironment });
  git('checkout', '-q', '--', '.');
  git('clean', '-qfd');
}

function placeOf({ machine: { plane, metallb }, repository }: Site): Place {
  return {
    kube: plane.kube,
    kubeconfig: plane.kubeconfig,
    metallb,
    leasehold: (args, input) => repository.piped(args, input),
  };
}

/** Runs the command at the end, as it is printed. */
async function command({ site, text }: Followed): Promise<void> {
  const [, line] = /(?:^|: )`?((?:kubectl|npx) .*?)`?$/.exec(text) ?? [];
  if (line === undefined) throw new Error(`there is no command in: ${text}`);
  await runPrinted(placeOf(site), line);
}

/** Sets a field of the pool file, and runs synth. */
async function edit({ site, match: [, field = '', value = ''] }: Followed): Promise<void> {
  const path = join(site.repository.root, 'leases/pools.yaml');
  const document = parseDocument(readFileSync(path, 'utf8'));
  document.setIn(field.split('.'), parse(value));
  writeFileSync(path, String(document));
  await synth(site);
}

async function synth({ repository }: Site): Promise<void> {
  const { status, out, err } = await repository.leasehold('synth', '--today', '2026-11-20');
  expect([status, out + err]).toEqual([0, expect.anything()]);
}

/** What docs/verify.md says of what an engine would heal. */
async function applyByHand({ site }: Followed): Promise<void> {
  const [printed = ''] = /kubectl apply [^`|]*/.exec(readFileSync('docs/verify.md', 'utf8')) ?? [];
  const line = printed.replace('dist/<cluster>', join(site.repository.root, 'dist/default'));
  await runPrinted({ kube: site.machine.plane.kube }, line);
}

/** The inventory's ConfigMap, which synth writes, and then the command, if there is one. */
async function applyInventory(followed: Followed) {
  const { site, told, text } = followed;
  await synth(site);
  const { kube } = site.machine.plane;
  const config = plannedIn(site.repository.root).objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && told.text.includes(`/${metadata.name}`),
  );
  if (!config) throw new Error('synth wrote no ConfigMap of the inventory');
  await kube.apply(config);
  if (text.includes('restart the operator')) await command(followed);
  return () => removeWhole(kube, config);
}

/** Deletes what somebody else has changed last of MetalLB. */
async function removeNewest({ site }: Followed): Promise<void> {
  const { kube } = site.machine.plane;
  const kinds = ['IPAddressPool', 'L2Advertisement', 'BGPAdvertisement'];
  const lists = kinds.map((kind) => kube.list('metallb.io/v1beta1', kind));
  const all = (await Promise.all(lists)).flat();
  const revision = ({ metadata }: KubeObject) => Number(metadata.resourceVersion);
  const [newest] = all.sort((left, right) => revision(right) - revision(left));
  const label = 'app.kubernetes.io/managed-by';
  // A remedy beside this one may have deleted it.
  if (newest && newest.metadata.labels?.[label] !== 'leasehold') await removeWhole(kube, newest);
}

/** Deletes the pool that is told of. */
async function removeIt({ site, told }: Followed): Promise<void> {
  const [, namespace = '', name = ''] =
    /IPAddressPool ([^\s/]+)\/(\S+)/.exec(`${told.of} ${told.text}`) ?? [];
  const metadata = { namespace, name };
  await removeWhole(site.machine.plane.kube, { ...pool, metadata });
}

const pool = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' };

const serviceOf = (namespace = '', name = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name },
});

async function withoutExternalIPs({ site, match }: Followed): Promise<void> {
  await site.machine.plane.kube.merge(serviceOf(match[1], match[2]), {
    spec: { externalIPs: null },
  });
}

/** The mark of PureLB. */
async function removeMark({ site, told }: Followed): Promise<void> {
  const [, namespace, name] =
    /Service ([^\s/]+)\/(\S+) has the mark of PureLB/.exec(told.text) ?? [];
  const annotations = { 'purelb.io/allocated-by': null };
  await site.machine.plane.kube.merge(serviceOf(namespace, name), { metadata: { annotations } });
}
