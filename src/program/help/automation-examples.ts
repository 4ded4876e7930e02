/** What a command line is for, and the line without the name of the program. */
export type Example = readonly [purpose: string, line: string];

/** The examples of commands, by name. */
export type Examples = Readonly<Record<string, readonly [Example, Example]>>;

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';
const repo = '--repo https://git.example.com/acme/leases.git';

const clusterExamples: Examples = {
  bootstrap: [
    ['the values of the MetalLB chart', 'bootstrap metallb --for helm --cluster east'],
    ['the namespace of MetalLB, with its labels', 'bootstrap namespace'],
  ],
  'bootstrap metallb': [
    ['the values of the Helm chart', 'bootstrap metallb --for helm --cluster east'],
    ['the objects by which Flux installs it', 'bootstrap metallb --for flux --cluster west'],
  ],
  'bootstrap strict-arp': [
    ['what changes', 'bootstrap strict-arp kube-proxy.yaml --diff'],
    ['the whole file, from standard input', 'bootstrap strict-arp -'],
  ],
  'bootstrap provider': [
    ['what changes without an IP operator', 'bootstrap provider provider.yaml --diff'],
    ['let the provider ask leasehold serve', 'bootstrap provider provider.yaml --ip-operator on'],
  ],
  'bootstrap namespace': [
    ['for the default cluster', 'bootstrap namespace'],
    ['for another one', 'bootstrap namespace --cluster west'],
  ],
  'bootstrap monitoring': [
    ['where the chart has installed MetalLB', 'bootstrap monitoring'],
    ['where Kubespray has', 'bootstrap monitoring --installed-by manifest'],
  ],
  'bootstrap kubespray': [
    ['for Kubespray 2.23 and later', 'bootstrap kubespray'],
    ['with the pools, for earlier releases', 'bootstrap kubespray --generation first --pools'],
  ],
  'bootstrap rbac': [
    ['permissions for leasehold verify', 'bootstrap rbac'],
    [
      'for doctor too, and another account',
      'bootstrap rbac --doctor --account monitoring/leasehold',
    ],
  ],
  'bootstrap serve': [
    [
      'a Deployment and a Service for the provider',
      `bootstrap serve --image registry.example.com/leasehold:0.1.0 \\\n    ${repo}`,
    ],
    [
      'with credentials, and metrics for Prometheus',
      `bootstrap serve --image registry.example.com/leasehold:0.1.0 \\\n    ${repo} --secret leases --monitor`,
    ],
  ],
  'bootstrap verify': [
    [
      'every 15 minutes, with alerts',
      `bootstrap verify --image registry.example.com/leasehold:0.1.0 \\\n    ${repo} --monitor`,
    ],
    [
      'each night, and connect to the addresses too',
      `bootstrap verify --image registry.example.com/leasehold:0.1.0 \\\n    ${repo} --reach --schedule @daily`,
    ],
  ],
  gitops: [
    ['for Flux', `gitops flux --cluster east \\\n    ${repo}`],
    ['health checks for Argo CD', 'gitops argocd-cm'],
  ],
  'gitops argocd': [
    ['one cluster, the one of Argo CD', `gitops argocd --cluster east \\\n    ${repo}`],
    [
      'another cluster, and another branch',
      `gitops argocd --cluster west --server west=https://10.0.0.1:6443 \\\n    ${repo} --revision refs/heads/live`,
    ],
  ],
  'gitops argocd-cm': [
    ['print the patch', 'gitops argocd-cm'],
    ['from any folder', 'gitops argocd-cm -C /'],
  ],
  'gitops flux': [
    ['a private repository', `gitops flux ${repo} \\\n    --cluster east --secret leases`],
    [
      'a signed artifact of a registry',
      'gitops flux --cluster east --oci oci://registry.example.com/leases \\\n    --cosign-secret cosign',
    ],
  ],
  doctor: [
    ['the cluster of the current context', 'doctor --cluster east'],
    ['another kubeconfig, for a script', 'doctor --kubeconfig west.conf --cluster west -o json'],
  ],
  verify: [
    ['go on comparing, and connect to each address', 'verify --watch --reach'],
    ['after a deployment: wait until all is well', 'verify --cluster east --timeout 5m'],
  ],
};

const botExamples: Examples = {
  declare: [
    [
      'declare a claim, and print its address',
      `declare ${owner}/18600002/1/1 \\\n    web 3000 --endpoint blog --external-port 80`,
    ],
    [
      'promise an address before there is a lease, on another branch',
      `declare --promise ${owner} \\\n    --endpoint relay --until 2026-12-01 --branch next -o json`,
    ],
  ],
  purge: [
    ['remove a lease', `purge ${owner}/18600001/1/1`],
    ['remove a port of a lease', `purge ${owner}/18600001/1/1 \\\n    web 80/tcp`],
  ],
  reconcile: [
    ['follow main until a signal', 'reconcile'],
    ['one round, for a scheduled job', 'reconcile --once --branch next'],
  ],
  publish: [
    ['a branch for each cluster', "publish --branch 'deploy/{cluster}'"],
    ['what a tag has', "publish --branch 'deploy/{cluster}' --source v1.2.0"],
  ],
  export: [
    ['the changes that NetBox needs', 'export netbox --dry-run --api https://netbox.example.com'],
    ['a table of all addresses for a spreadsheet', 'export addresses'],
  ],
  'export netbox': [
    [
      'the changes to make; the token is in NETBOX_TOKEN',
      'export netbox --dry-run --api https://netbox.example.com',
    ],
    [
      'after each merge; the first time with --create-missing',
      'export netbox --apply --api https://netbox.example.com \\\n    --token-file token',
    ],
  ],
  'export zone': [
    ['the records of a zone, for $INCLUDE', 'export zone --zone example.com'],
    ['the PTR records of 203.0.113.0/24', 'export zone --reverse --zone 113.0.203.in-addr.arpa'],
  ],
  'export addresses': [
    ['CSV, a line for each address', 'export addresses'],
    ['JSON, of another commit than the current one', 'export addresses --ref v1.2.0 -o json'],
  ],
  comment: [
    ['in the CI of a pull request', 'comment --plan plan.json'],
    [
      'show what would be posted, and where',
      'comment --plan plan.json --dry-run \\\n    --repository acme/leases --pull-request 7',
    ],
  ],
  codeowners: [
    ['print the lines', 'codeowners'],
    ['write them into the file, and keep its other lines', 'codeowners --write CODEOWNERS'],
  ],
  'verify-history': [
    ['all commits of the branch', 'verify-history --allowed-signers ../signers'],
    [
      'only the commits of a pull request',
      'verify-history --allowed-signers ../signers --base origin/main',
    ],
  ],
};

/** The examples of the commands for clusters, forges and bots. */
export const automationExamples: Examples = { ...clusterExamples, ...botExamples };
