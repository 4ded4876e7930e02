// What a straightforward kosko app does with the same declarations: parse each file, count addresses up, make the four objects of
// a lease with the typed models of kosko, which it validates by their schemas, and print them into one file for each lease.
// No allocation that stays, no records, no checks between objects.
// Usage: node render.mjs REPOSITORY OUT, as bundled by bench/peers/build.mjs
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrintFormat, print, resolve } from '@kosko/generate';
import { load } from 'js-yaml';
import { Service } from 'kubernetes-models/v1';
import { ProviderLeasedIP } from 'models/akash.network/v2beta2';
import { IPAddressPool, L2Advertisement } from 'models/metallb.io/v1beta1';

const [folder, out] = process.argv.slice(2);
const { provider } = load(readFileSync(join(folder, 'leases/pools.yaml'), 'utf8'));
let next = 10 * 2 ** 24 + 2;

const files = readdirSync(join(folder, 'leases'), { recursive: true }).filter((name) =>
  /^\d+[/\\]\d+\.yaml$/.test(name),
);
for (const file of files.sort()) {
  const { spec } = load(readFileSync(join(folder, 'leases', file), 'utf8'));
  const id = { ...spec.id, provider };
  for (const endpoint of spec.endpoints) await writeManifest(id, endpoint);
}

async function writeManifest(id, endpoint) {
  const manifests = await resolve(objectsOf(id, endpoint), { validate: true });
  let text = '';
  print(
    { manifests },
    {
      format: PrintFormat.YAML,
      writer: {
        write: (more) => {
          text += more;
        },
      },
    },
  );
  mkdirSync(join(out, id.owner), { recursive: true });
  writeFileSync(join(out, id.owner, `${endpoint.name}.yaml`), text);
}

function objectsOf(id, endpoint) {
  const address = [24, 16, 8, 0].map((shift) => (next >> shift) & 255).join('.');
  next += 1;
  const key = `${id.owner}-ip-${endpoint.name}`;
  const namespace = namespaceOf(id);
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
  return [
    new IPAddressPool({
      metadata: { ...metallb, annotations: wave('-2') },
      spec: {
        addresses: [`${address}/32`],
        autoAssign: false,
        avoidBuggyIPs: false,
        serviceAllocation: { namespaces: [namespace] },
      },
    }),
    new L2Advertisement({
      metadata: { ...metallb, annotations: wave('-1') },
      spec: { ipAddressPools: [name] },
    }),
    new ProviderLeasedIP({
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
        lease_id: id,
        service_name: endpoint.service,
        port: endpoint.port,
        external_port: endpoint.externalPort,
        sharing_key: key,
        protocol: 'TCP',
      },
    }),
    new Service({
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
        loadBalancerIP: address,
        selector: { 'akash.network': 'true', 'akash.network/manifest-service': endpoint.service },
        ports: [
          {
            name: service,
            port: endpoint.externalPort,
            protocol: 'TCP',
            targetPort: endpoint.port,
          },
        ],
      },
    }),
  ];
}

/** The namespace of a lease: base32hex of the SHA-224 of its id, as the provider names it. */
function namespaceOf({ owner, dseq, gseq, oseq, provider: by }) {
  const digest = createHash('sha224').update([owner, dseq, gseq, oseq, by].join('/')).digest();
  const digits = '0123456789abcdefghijklmnopqrstuv';
  let [text, held, bits] = ['', 0, 0];
  for (const byte of digest) {
    held = ((held & 31) << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += digits[(held >> bits) & 31];
    }
  }
  return text + digits[(held << (5 - bits)) & 31];
}
