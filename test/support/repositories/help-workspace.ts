import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { poolsText } from '../declarations/pools-text.ts';
import { exported } from '../imports/vitistack-cluster.ts';
import { operatorPool } from '../imports/vitistack-operator.ts';
import { runInProcess } from '../run/run-in-process.ts';
import { putFile, tempTree } from '../trees/temp-tree.ts';
import { remade } from './cached-repository.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';

const service = (name: string, annotations = '{}') => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop
  annotations: ${annotations}
spec:
  type: LoadBalancer
  selector: { app: ${name} }
  ports: [{ port: 80, targetPort: 8080 }]
`;

/** What the workspace of the examples in the help declares. */
const declared = {
  '.gitignore': '.leasehold/\n*.secret\n',
  'leases/pools.yaml': poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
metallb: { version: 0.14.9, namespace: metallb-system, layout: lease }
clusters: [{ name: east }, { name: west }]
defaultCluster: east
defaultZone: inet
pools:
  - name: public
    zone: inet
    addresses: [203.0.113.0/26]
    reserved: [203.0.113.0-203.0.113.6]
    strategy: lowest
    advertise: { l2: {} }
`),
  'leases/policy.yaml': `apiVersion: leasehold.dev/v1
kind: Policy
operators: { reviewers: ['@acme/network'], signers: [ops@acme.example] }
tenants:
  - { name: shop, folders: [leases/shop], namespaces: [shop], reviewers: ['@acme/shop'] }
`,
  'leases/akash/18600001.yaml': `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4, dseq: '18600001', gseq: 1, oseq: 1 }
  endpoints:
    - { name: site, service: web, port: 3000, externalPort: 80, address: 203.0.113.30 }
    - { name: site, service: api, port: 3001, externalPort: 81 }
`,
  'leases/shop/web.yaml': service('web', '{ ipam.vitistack.io/secret: own }'),
};

/** What it declares once web has the first address. */
const declaredLater = {
  'leases/shop/chart.yaml': `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: chart, ports: [{ port: 443 }] }
`,
};

const metallb = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: office, namespace: metallb-system }
spec: { addresses: [198.51.100.0/28] }
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: { name: office, namespace: metallb-system }
spec: { ipAddressPools: [office] }
`;

/** The files of other programs that the examples name. */
const inputs = {
  'metallb.yaml': metallb,
  'cluster.yaml': metallb,
  'vitistack.yaml': exported(operatorPool('office', ['198.51.100.4'])),
  'addons.yml': 'metallb_enabled: true\nmetallb_ip_range: [192.0.2.0/28]\n',
  'k8s-cluster.yml': 'metallb_auto_assign: false\n',
  'prefixes.json': `[{"id": 2, "prefix": "198.51.100.0/27", "status": {"value": "active"}, "vrf": null, "description": "More", "is_pool": true, "tags": [{"name": "metallb", "slug": "metallb"}], "custom_fields": {"k8s_zone": "inet"}}]`,
  'deploy.yaml': `version: '2.0'
endpoints: { myip: { kind: ip } }
services:
  web: { image: nginx, expose: [{ port: 80, to: [{ global: true, ip: myip }] }] }
profiles:
  compute: { web: { resources: { cpu: { units: 1 }, memory: { size: 1Gi }, storage: { size: 1Gi } } } }
  placement: { dcloud: { pricing: { web: { denom: uakt, amount: 1 } } } }
deployment: { web: { dcloud: { profile: web, count: 1 } } }
`,
  'node.yaml': `version: '2.0'
endpoints: { site: { kind: ip } }
services:
  web:
    image: node
    env: [PUBLIC_IP=$(leased.site)]
    expose: [{ port: 3000, as: 80, to: [{ global: true, ip: site }] }]
profiles:
  compute: { web: { resources: { cpu: { units: 1 }, memory: { size: 1Gi }, storage: { size: 1Gi } } } }
  placement: { dcloud: { pricing: { web: { denom: uakt, amount: 1 } } } }
deployment: { web: { dcloud: { profile: web, count: 1 } } }
`,
  'kube-proxy.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: kube-proxy, namespace: kube-system }
data:
  config.conf: |
    apiVersion: kubeproxy.config.k8s.io/v1alpha1
    kind: KubeProxyConfiguration
    mode: ipvs
    ipvs:
      strictARP: false
`,
  'provider.yaml': 'domain: provider.example.com\nipoperator: true\n',
  'own.secret': 'correct horse battery staple\n',
  'new.secret': 'staple battery horse correct\n',
  '../signers':
    'ops@acme.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n',
};

/** The workspace that the examples in the help are about, with a branch that declares a Service. */
export async function helpWorkspace(): Promise<GitRepository> {
  const { work } = await remade('workspace of the help', makeWorkspace);
  return work;
}

async function makeWorkspace() {
  const root = tempTree();
  const folder = join(root, 'work');
  mkdirSync(folder);
  const work = gitRepository(folder);
  work.git('init', '-q', '--bare', '-b', 'main', '../origin.git');
  work.git('remote', 'add', 'origin', '../origin.git');
  for (const [path, text] of Object.entries({ ...declared, ...inputs }))
    putFile(folder, path, text);
  await succeed('key new shop/own --secret-file own.secret', folder);
  await succeed('synth --today 2026-01-10', folder);
  for (const [path, text] of Object.entries(declaredLater)) putFile(folder, path, text);
  await succeed('synth --today 2026-01-10', folder);
  commit(work, 'Leases', 'main', 'next');
  work.git('tag', 'v1.2.0');
  work.git('checkout', '-q', '-b', 'mail');
  putFile(folder, 'leases/shop/mail.yaml', service('mail'));
  await succeed('synth --today 2026-01-10', folder);
  commit(work, 'The mail server');
  const plan = await succeed('plan --base main -o json --today 2026-01-10', folder);
  putFile(folder, 'plan.json', plan);
  return { root, work };
}

async function succeed(line: string, folder: string): Promise<string> {
  const { status, out, err } = await runInProcess(line.split(' '), folder);
  if (status !== 0) throw new Error(`${line}: ${out}${err}`);
  return out;
}

function commit(work: GitRepository, message: string, ...branches: readonly string[]): void {
  work.git('add', 'leases', 'dist', '.gitignore');
  work.git('commit', '-q', '-m', message);
  for (const branch of branches) work.git('push', '-q', 'origin', `HEAD:refs/heads/${branch}`);
}
