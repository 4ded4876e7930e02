import type { Feature } from '../../core/cli/feature.ts';

const repo = '--repo https://git.example.com/acme/leases.git';

/** Files for other tools: a new repository, objects of Argo CD and Flux, bootstrap, CODEOWNERS. */
export const setup: Feature = {
  name: 'setup',
  codes: async () => (await import('./codes.ts')).setupProblems,
  part: async () => ({ codes: (await import('./codes.ts')).setupProblems }),
  commands: {
    bootstrap: {
      group: 'cluster',
      summary: 'print what a cluster needs before its first lease',
      load: async () => (await import('./cli/bootstrap/bootstrap-command.ts')).bootstrapCommands,
    },
    codeowners: {
      group: 'bots',
      summary: 'print the CODEOWNERS lines that follow from the policy',
      description: 'print the lines of CODEOWNERS that follow from leases/policy.yaml',
      load: async () => (await import('./cli/delivery-commands.ts')).codeownersCommand,
    },
    gitops: {
      group: 'cluster',
      summary: 'print the objects that let Argo CD or Flux apply dist/',
      load: async () => (await import('./cli/delivery-commands.ts')).gitopsCommands,
    },
    init: {
      group: 'start',
      summary: 'set up a repository for leases, or complete one',
      description: 'set up a repository that leases addresses, or complete one',
      load: async () => (await import('./cli/init/init-command.ts')).initCommand,
    },
  },
  examples: {
    bootstrap: [
      ['the values of the MetalLB chart', 'bootstrap metallb --for helm --cluster east'],
      ['the namespace of MetalLB, with its labels', 'bootstrap namespace'],
    ],
    'bootstrap kubespray': [
      ['for Kubespray 2.23 and later', 'bootstrap kubespray'],
      ['with the pools, for earlier releases', 'bootstrap kubespray --generation first --pools'],
    ],
    'bootstrap metallb': [
      ['the values of the Helm chart', 'bootstrap metallb --for helm --cluster east'],
      ['the objects by which Flux installs it', 'bootstrap metallb --for flux --cluster west'],
    ],
    'bootstrap monitoring': [
      ['where the chart has installed MetalLB', 'bootstrap monitoring'],
      ['where Kubespray has', 'bootstrap monitoring --installed-by manifest'],
    ],
    'bootstrap namespace': [
      ['for the default cluster', 'bootstrap namespace'],
      ['for another one', 'bootstrap namespace --cluster west'],
    ],
    'bootstrap provider': [
      ['what changes without an IP operator', 'bootstrap provider provider.yaml --diff'],
      ['let the provider ask leasehold serve', 'bootstrap provider provider.yaml --ip-operator on'],
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
    'bootstrap strict-arp': [
      ['what changes', 'bootstrap strict-arp kube-proxy.yaml --diff'],
      ['the whole file, from standard input', 'bootstrap strict-arp -'],
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
    codeowners: [
      ['print the lines', 'codeowners'],
      ['write them into the file, and keep its other lines', 'codeowners --write CODEOWNERS'],
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
    init: [
      ['answer questions about the pools, the cluster and the forge', 'init'],
      [
        'set up a repository without questions',
        'init --yes --for platform --metallb 0.15.2 \\\n    --pool public=203.0.113.0/26',
      ],
    ],
  },
};
