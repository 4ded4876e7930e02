// What a straightforward cdk8s app does with the same declarations: parse each file, count addresses
// up, put every object into one chart, app.synth(). No checks, no stickiness, no journal, one file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-28';
import { parse } from 'yaml';
import { ProviderLeasedIp } from '../build/modules/imports/akash.network.js';
import { IpAddressPool, L2Advertisement } from '../build/modules/imports/metallb.io.js';
import { leaseNamespace } from '../build/modules/src/core/manifests/names.js';

const [folder, outdir] = process.argv.slice(2);
const { provider } = parse(readFileSync(join(folder, 'leases/pools.yaml'), 'utf8'));
const app = new App({ outdir });
const chart = new Chart(app, 'leases', { disableResourceNameHashes: true });
let next = 10 * 2 ** 24 + 2;

const files = readdirSync(join(folder, 'leases'), { recursive: true }).filter((name) =>
  /^\d+[/\\]\d+\.yaml$/.test(name),
);
for (const file of files.sort()) {
  const { spec } = parse(readFileSync(join(folder, 'leases', file), 'utf8'));
  const id = { ...spec.id, provider };
  for (const endpoint of spec.endpoints) addObjects(id, endpoint);
}
app.synth();

function addObjects(id, endpoint) {
  const address = [24, 16, 8, 0].map((shift) => (next >> shift) & 255).join('.');
  next += 1;
  const key = `${id.owner}-ip-${endpoint.name}`;
  const namespace = leaseNamespace('akash', id);
  const name = `ip-${address}`;
  const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
  const leaseLabels = {
    'akash.network': 'true',
    'akash.network/lease.id.owner': id.owner,
    'akash.network/lease.id.dseq': id.dseq,
    'akash.network/lease.id.gseq': String(id.gseq),
    'akash.network/lease.id.oseq': String(id.oseq),
    'akash.network/lease.id.provider': id.provider,
  };
  const wave = (number) => ({ 'argocd.argoproj.io/sync-wave': number });
  const metallb = { name, namespace: 'metallb-system', labels };
  const service = `${endpoint.service}-ip-${endpoint.externalPort}-tcp`;
  new IpAddressPool(chart, `pool-${next}`, {
    metadata: { ...metallb, annotations: wave('-2') },
    spec: {
      addresses: [`${address}/32`],
      autoAssign: false,
      avoidBuggyIPs: false,
      serviceAllocation: { namespaces: [namespace] },
    },
  });
  new L2Advertisement(chart, `advertisement-${next}`, {
    metadata: { ...metallb, annotations: wave('-1') },
    spec: { ipAddressPools: [name] },
  });
  new ProviderLeasedIp(chart, `leased-ip-${next}`, {
    metadata: {
      name: `${key}-tcp-${endpoint.externalPort}`,
      namespace: 'lease',
      labels: {
        ...labels,
        ...leaseLabels,
        'service-name': endpoint.service,
        'external-port': String(endpoint.externalPort),
        proto: 'TCP',
      },
      annotations: wave('0'),
    },
    spec: {
      leaseId: id,
      serviceName: endpoint.service,
      port: endpoint.port,
      externalPort: endpoint.externalPort,
      sharingKey: key,
      protocol: 'TCP',
    },
  });
  new k8s.KubeService(chart, `service-${next}`, {
    metadata: {
      name: service,
      namespace,
      labels: { ...labels, ...leaseLabels, 'akash.network/service-target': 'metal-lb' },
      annotations: { ...wave('1'), 'metallb.io/allow-shared-ip': key },
    },
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      externalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      loadBalancerIp: address,
      selector: { 'akash.network': 'true', 'akash.network/manifest-service': endpoint.service },
      ports: [
        {
          name: service,
          port: endpoint.externalPort,
          protocol: 'TCP',
          targetPort: k8s.IntOrString.fromNumber(endpoint.port),
        },
      ],
    },
  });
}
