import { service } from '../declared.ts';
import type { KubeObject } from '../kube.ts';
import { metallbNamespace } from '../machines/metallb-pods.ts';
import {
  all,
  type Break,
  beside,
  changed,
  fails,
  going,
  type Line,
  once,
  onceOn,
  onceUnserved,
  passes,
  type Sabotage,
  servedAtLast,
  without,
} from './sabotage.ts';
import { app, claims, door, strangers } from './site.ts';

const lease = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye-ip-site-tcp-80';
const admission = 'admissionregistration.k8s.io/v1';
const ours = { 'app.kubernetes.io/managed-by': 'leasehold' };

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  namespace?: string,
): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});
const pool = object('metallb.io/v1beta1', 'IPAddressPool', 'public', metallbNamespace);
const advertisement = { ...pool, kind: 'L2Advertisement' };
const web = object('v1', 'Namespace', 'web');
const policy = object(admission, 'ValidatingAdmissionPolicy', 'leasehold-services');
const binding = { ...policy, kind: 'ValidatingAdmissionPolicyBinding' };
const definition = object(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'providerleasedips.akash.network',
);
const leasedIPs = '/apis/akash.network/v2beta2/providerleasedips';
const leasedIP = object('akash.network/v2beta2', 'ProviderLeasedIP', lease, 'lease');

/** A pool that was of leasehold. */
const leftOver = (name: string, addresses: string): KubeObject => ({
  ...pool,
  metadata: { ...pool.metadata, name, labels: ours },
  spec: { addresses: [addresses], autoAssign: false },
});

/** A Service that MetalLB does not serve, on an address that something else gave it. */
const ofAnotherClass = (address: string): Break => {
  const own = service('strangers', 'other-class', { spec: { loadBalancerClass: 'a.example/b' } });
  const ingress = [{ ip: address }];
  return all(beside(own), changed(own, { status: { loadBalancer: { ingress } } }, '/status'));
};

/** A stranger's Service that asks for an address of the open pool. */
const guest = service('strangers', 'guest', {
  annotations: { 'metallb.io/loadBalancerIPs': '198.51.100.5' },
});

/** MetalLB has said that a Service gets nothing. */
const onceDenied = (denied: KubeObject): Break =>
  all(
    onceOn('none', denied),
    once(`a complaint about ${denied.metadata.name}`, async (kube) =>
      (await kube.list('v1', 'Event')).some(
        ({ reason, involvedObject }) =>
          reason === 'AllocationFailed' && involvedObject.name === denied.metadata.name,
      ),
    ),
  );

/** What a live cluster may make of claims, and of what else is committed. */
export const claimSabotages: readonly Sabotage[] = [
  {
    title: 'a Service is deleted',
    break: without(app),
    verify: fails(['not applied', 'Service web/app', /Service web\/app does not exist/]),
  },
  {
    title: 'a Service is being deleted, and a finalizer holds it',
    break: going(app),
    verify: fails([
      'not applied',
      'Service web/app',
      /is being deleted, and waits for example.com\/hold/,
    ]),
  },
  {
    title: 'a Service with a reserved address is deleted',
    break: without(door),
    verify: fails([
      'not applied',
      'Service web/door',
      /leasehold only reserves its address, and another tool renders it/,
    ]),
  },
  {
    title: 'a Service with a reserved address loses its label',
    break: all(
      changed(door, { metadata: { labels: { 'leasehold.dev/reserved': null } } }),
      onceDenied(door),
    ),
    verify: fails([
      'pending',
      'Service web/door',
      /MetalLB: AllocationFailed: .*pool public not compatible.*\n.*leasehold list -o values/,
    ]),
  },
  {
    title: 'a Service with a reserved address has another port',
    break: changed(door, { spec: { ports: [{ port: 8080 }] } }),
    verify: fails(['not applied', 'Service web/door', /has no port 80\/TCP/]),
  },
  {
    title: 'an advertisement is deleted',
    break: without(advertisement),
    verify: fails(
      ...claims.map((claim): Line => ['not applied', claim, /L2Advertisement .*does not exist/]),
    ),
  },
  {
    title: "the definition of the Akash provider's kind is deleted",
    break: all(
      without(leasedIP),
      servedAtLast(leasedIPs),
      without(definition),
      onceUnserved(leasedIPs),
    ),
    doctor: fails([
      'problem',
      'AKASH_KINDS',
      /not serve providerleasedips.*providerLeasedIP: false/s,
    ]),
    verify: fails(
      ['not applied', claims[0], /ProviderLeasedIP lease\/.* does not exist/],
      ['cluster problem', 'ProviderLeasedIP', /apply the Akash provider's CRDs/],
    ),
  },
  {
    title: 'a stranger takes the packets of an address by externalIPs',
    break: beside(
      service('strangers', 'thief', { spec: { type: 'ClusterIP', externalIPs: ['203.0.113.2'] } }),
    ),
    verify: fails([
      'not ours',
      'Service web/app',
      /Service strangers\/thief intercepts 203.0.113.2 through spec.externalIPs/,
    ]),
  },
  {
    title: 'a Service of another class has an address',
    break: ofAnotherClass('203.0.113.2'),
    verify: fails(['not ours', 'Service web/app', /strangers\/other-class has 203.0.113.2/]),
  },
  {
    title: 'a Service is pinned to another address by hand',
    break: all(
      changed(app, { metadata: { annotations: { 'metallb.io/loadBalancerIPs': '198.51.100.7' } } }),
      onceOn('198.51.100.7', app),
    ),
    verify: fails([
      'wrong address',
      'Service web/app',
      /has 198.51.100.7 instead of 203.0.113.2.*loadBalancerIPs\] is "198.51.100.7"/s,
    ]),
  },
  {
    title: 'a Service is changed by hand',
    break: changed(app, { spec: { externalTrafficPolicy: 'Local' } }),
    verify: fails([
      'changed by hand',
      'Service web/app',
      /spec.externalTrafficPolicy is "Local"; it should not be set/,
    ]),
  },
  {
    title: "a Service becomes somebody's property",
    break: async (site) => {
      const { metadata } = (await site.machine.plane.kube.get(web)) ?? web;
      const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'web', uid: metadata.uid };
      return changed(app, { metadata: { ownerReferences: [owner] } })(site);
    },
    verify: fails(['changed by hand', 'Service web/app', /metadata.ownerReferences is/]),
  },
  {
    title: 'a ProviderLeasedIP is changed by hand',
    break: changed(leasedIP, { spec: { port: 3001 } }),
    verify: fails(['changed by hand', claims[0], /spec.port is 3001; it should be 3000/]),
  },
  {
    title: 'a pool gives addresses to whoever asks for none',
    break: changed(pool, { spec: { autoAssign: true } }),
    verify: fails(
      ...claims.map((claim): Line => ['changed by hand', claim, /spec.autoAssign is true/]),
    ),
  },
  {
    title: 'a pool loses the label of leasehold',
    break: changed(pool, { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } }),
    doctor: passes(['ok', 'FOREIGN_POOLS', /public .* the first sync takes it over/]),
    verify: fails(
      ...claims.map((claim): Line => ['changed by hand', claim, /managed-by\] is missing/]),
    ),
  },
  {
    title: 'a namespace loses the label that opens the pool',
    break: all(
      changed(web, { metadata: { labels: { 'leasehold.dev/leases': null } } }),
      onceDenied(app),
      onceDenied(door),
    ),
    verify: fails(
      ['changed by hand', 'Service web/app', /leases\] is missing.*MetalLB: AllocationFailed/s],
      ['changed by hand', 'Service web/door', /leases\] is missing.*MetalLB: AllocationFailed/s],
    ),
  },
  {
    title: 'the admission policy is deleted, and its binding only warns',
    break: all(without(policy), changed(binding, { spec: { validationActions: ['Warn'] } })),
    verify: fails(
      ['not applied', 'ValidatingAdmissionPolicy leasehold-services', /does not exist/],
      [
        'changed by hand',
        'ValidatingAdmissionPolicyBinding leasehold-services',
        /"Warn".*\nfix: .*Deny beside Warn: `kubectl patch/,
      ],
    ),
  },
  {
    title: 'a pool of leasehold is left over, and another one is going',
    break: all(
      beside(leftOver('left', '192.0.2.0/28'), leftOver('held', '192.0.2.16/28')),
      going(leftOver('held', '192.0.2.16/28')),
    ),
    verify: fails(
      ['left over', 'IPAddressPool metallb-system/held', /waits for example.com\/hold/],
      ['left over', 'IPAddressPool metallb-system/left', /^$/],
    ),
  },
  {
    title: 'a Service has the mark of another load balancer',
    break: changed(app, { metadata: { annotations: { 'purelb.io/allocated-by': 'PureLB' } } }),
    doctor: passes(['caution', 'SECOND_BALANCER', /Service web\/app has the mark of PureLB/]),
  },
  {
    title: 'a namespace of leasehold stays when its last lease has ended',
    break: changed(strangers, { metadata: { labels: ours } }),
    verify: passes(['kept', 'Namespace strangers', /^$/]),
  },
  {
    title: 'a stranger uses an open pool, and a Service of another class has an address of it',
    break: all(beside(guest), onceOn('198.51.100.5', guest), ofAnotherClass('198.51.100.6')),
    verify: passes(['open fence', 'Service strangers/guest', /^198.51.100.5 is not declared$/]),
  },
];
