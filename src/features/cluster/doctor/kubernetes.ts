import { firstMetalLB, hasDeclaredPools } from '../../../core/model/planes.ts';
import { isOn, planeField } from '../../../core/model/pools.ts';
import { type Objects, objectsOf, unknown } from '../../../lib/kubernetes/doctor-checks.ts';
import type { Check, CommonFacts } from './facts.ts';

/**
 * The first minor version whose CEL has isIP and cidr (src/core/manifests/objects/admission-policy.ts).
 */
const oldestForPools = 31;

/** KUBERNETES_VERSION. */
export const checkKubernetesVersion: Check<CommonFacts> = ({ version }, { cluster }) => {
  const code = 'KUBERNETES_VERSION';
  const found = `the cluster runs Kubernetes ${version}`;
  if (!hasDeclaredPools(cluster.plane)) return [{ level: 'ok', code, found }];
  const [, major, minor] = /^v?([1-9]\d{0,3})\.(\d{1,4})\b/.exec(version) ?? [];
  if (minor === undefined) {
    const means = `layout: pool needs 1.${oldestForPools} or later, and this version cannot be parsed`;
    return [{ level: 'unknown', code, found, means }];
  }
  const isOld = Number(major) === 1 && Number(minor) < oldestForPools;
  if (!isOld) return [{ level: 'ok', code, found }];
  return [
    {
      level: 'problem',
      code,
      found: `${found}, but layout: pool needs 1.${oldestForPools} or later`,
      means: 'the API server rejects its ValidatingAdmissionPolicy, which uses isIP and cidr',
      fix: isOn(cluster, 'cilium')
        ? 'upgrade Kubernetes'
        : `upgrade Kubernetes; before the first lease, you can instead set ${planeField(cluster, 'layout')}: lease in leases/pools.yaml and run \`leasehold synth\`, later \`leasehold migrate-layout lease --cluster ${cluster.name}\``,
    },
  ];
};

type Asked = readonly (readonly [kind: string, objects: Objects])[];

/** METALLB_KINDS. */
export const checkMetalLBKinds: Check = (facts, { advertises }) => {
  const asked: Asked = [
    ['ipaddresspools', facts.addressPools],
    ['l2advertisements', facts.l2Advertisements],
    ...(advertises.bgp ? ([['bgpadvertisements', facts.bgpAdvertisements]] as const) : []),
  ];
  const code = 'METALLB_KINDS';
  const absent = absentOf(asked);
  if (absent.length > 0) {
    const found = `the cluster does not serve ${absent.join(', ')} of metallb.io/v1beta1`;
    const means =
      'the API server rejects the manifests in dist/: MetalLB is not installed, or is too old';
    const fix = `install MetalLB ${firstMetalLB.supported} or later, with its CRDs`;
    return [{ level: 'problem', code, found, means, fix }];
  }
  const reason = reasonOf(asked);
  if (reason !== undefined) return [unknown(code, reason)];
  const found = `${asked.map(([kind]) => kind).join(', ')} of metallb.io/v1beta1 are served`;
  return [{ level: 'ok', code, found }];
};

/** AKASH_KINDS; nothing when leasehold writes none of Akash's objects. */
export const checkAkashKinds: Check<CommonFacts> = (facts, expected) => {
  const asked: Asked = [
    ...(expected.leasedIPs ? ([['providerleasedips', facts.leasedIPs]] as const) : []),
    ...(expected.providerHosts ? ([['providerhosts', facts.providerHosts]] as const) : []),
  ];
  if (asked.length === 0) return [];
  const code = 'AKASH_KINDS';
  const absent = absentOf(asked);
  if (absent.length > 0) {
    const fields = absent.map((kind) => `${akashFields[kind]}: false`).join(' and ');
    return [
      {
        level: 'problem',
        code,
        found: `the cluster does not serve ${absent.join(', ')} of akash.network/v2beta2`,
        means: 'the API server rejects such objects in dist/',
        fix: `install the Akash provider's CRDs, or set ${fields} in leases/pools.yaml and run \`leasehold synth\``,
      },
    ];
  }
  const reason = reasonOf(asked);
  if (reason !== undefined) return [unknown(code, reason)];
  const found = `${asked.map(([kind]) => kind).join(', ')} of akash.network/v2beta2 are served`;
  return [{ level: 'ok', code, found }];
};

/** The field of the pool file that writes the objects of a kind. */
const akashFields: Readonly<Record<string, string>> = {
  providerleasedips: 'emit.providerLeasedIP',
  providerhosts: 'emit.providerHost',
};

function absentOf(asked: Asked): string[] {
  return asked.flatMap(([kind, objects]) =>
    objects.known && objects.value === undefined ? [kind] : [],
  );
}

function reasonOf(asked: Asked): string | undefined {
  return asked.flatMap(([, objects]) => (objects.known ? [] : [objects.reason]))[0];
}

const label = 'pod-security.kubernetes.io/enforce';

/** POD_SECURITY; nothing when the namespace does not exist, which METALLB_NAMESPACE reports. */
export const checkPodSecurity: Check = ({ namespaces }, { cluster }) => {
  const code = 'POD_SECURITY';
  const name = cluster.plane.namespace;
  const namespace = objectsOf(namespaces).find(({ metadata }) => metadata.name === name);
  if (!namespace) return [];
  const level = namespace.metadata.labels?.[label];
  if (level === 'privileged') {
    return [{ level: 'ok', code, found: `the namespace ${name} allows privileged pods` }];
  }
  const fix = 'label the namespace';
  const command = `kubectl label namespace ${name} ${label}=privileged --overwrite`;
  if (level === undefined) {
    const found = `the namespace ${name} has no label ${label}`;
    const means = "speakers start only if the cluster's default level is privileged";
    return [{ level: 'caution', code, found, means, fix, command }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `the namespace ${name} has ${label}=${level}`,
      means: "MetalLB's speakers use the host network, so their pods are rejected",
      fix,
      command,
    },
  ];
};

/**
 * Follows MetalLB's installation page, except for its sed, which changes nothing when strictARP is
 * not set. A running kube-proxy does not reload its ConfigMap.
 */
const command =
  'kubectl get configmap kube-proxy -n kube-system -o yaml | npx --no -- leasehold bootstrap strict-arp - | kubectl apply -f - -n kube-system && kubectl -n kube-system rollout restart daemonset kube-proxy';

/** STRICT_ARP. MetalLB: its installation page, Preparation. */
export const checkStrictARP: Check = ({ kubeProxy }, { advertises }) => {
  const code = 'STRICT_ARP';
  if (!kubeProxy.known) return [unknown(code, kubeProxy.reason)];
  if (!kubeProxy.value) {
    const found =
      'there is no ConfigMap kube-system/kube-proxy with the configuration of kube-proxy';
    const means =
      'kube-proxy is configured in another way or replaced (k3s, RKE2, Cilium); in IPVS mode it needs strictARP';
    return [{ level: 'unknown', code, found, means }];
  }
  const { mode, strictARP } = kubeProxy.value;
  if (mode !== 'ipvs') {
    const found = `kube-proxy runs in ${mode === '' ? 'its default' : mode} mode, which does not need strictARP`;
    return [{ level: 'ok', code, found }];
  }
  if (strictARP) {
    return [{ level: 'ok', code, found: 'kube-proxy runs in IPVS mode with strictARP' }];
  }
  return [
    {
      level: advertises.l2 ? 'problem' : 'caution',
      code,
      found: 'kube-proxy runs in IPVS mode without strictARP',
      means: advertises.l2
        ? 'every node answers ARP for every address, so traffic reaches nodes that do not announce it'
        : 'pools advertised by BGP do not need it; a pool advertised by L2 would',
      fix: 'set ipvs.strictARP: true in the configuration of kube-proxy, and restart it',
      command,
    },
  ];
};
