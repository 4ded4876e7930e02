/**
 * What becomes of each command for a cluster, and of each instruction of the recovery pages: `FILE | TEXT` for a test
 * that does it, with a text of that file, or the reason why none does. A key is how the command or instruction begins;
 * all of it when it ends with `$`.
 */
type Done = Readonly<Record<string, string>>;

const sabotage = (file: string, title: string) =>
  `test/support/cluster/sabotages/${file}.ts | ${title}`;
const ran = (file: string, page: string, beginning: string) =>
  `test/cluster/${file}.test.ts | printedIn('${page}', '${beginning}`;

const why = {
  shows: 'it only shows',
  cli: 'this command line program does not run here: what it sends is applied by the suite',
  setUp: 'a step of a set-up with the names of an example, and no remedy',
  helm: "no Helm runs here: bootstrap.test.ts renders the charts with Helm's code and applies them",
  apply: 'delivery.test.ts and the stories apply what leasehold gitops prints',
  serve: 'bootstrap.test.ts applies what bootstrap serve prints; no kubelet starts its pod',
  secret: 'a Secret for git or an image, which no program here reads',
  warned: 'the page says not to do it',
  part: 'a name for what another program prints: leasehold migrate-layout, which layout-change.test.ts does',
  elsewhere: 'it leads to another page or command, which has its own line here or in the sabotages',
  git: 'of git and the declarations: no cluster has a part in it',
  outside: 'of a network, a router or another program, which is not there',
  operator: "Akash's operator does not run here: nobody has tried these steps as a whole",
} as const;

/** By page. */
export const commandsDone: Readonly<Record<string, Done>> = {
  akash: {
    'kubectl apply -f ../serve.yaml': why.serve,
    'kubectl -n akash-services rollout status deployment': why.serve,
    'helm upgrade': why.helm,
    'kubectl apply --dry-run=server -f ../serve.yaml': why.serve,
    'npx --no -- leasehold bootstrap serve --name leasehold-trial': why.serve,
    'kubectl -n akash-services delete deployment,service,serviceaccount': why.serve,
    'helm uninstall akash-ip-operator': why.operator,
  },
  argocd: {
    'argocd repo add': why.cli,
    'kubectl -n argocd get application leases-default': why.shows,
    'kubectl patch configmap argocd-cm': ran('delivery', 'argocd', 'kubectl patch configmap'),
    'kubectl -n argocd patch application': ran(
      'service-life',
      'argocd',
      'kubectl -n argocd patch application',
    ),
    'kubectl apply -f gitops/argocd.yaml': why.apply,
    'argocd app sync': why.cli,
    'argocd app rollback': why.warned,
  },
  bootstrap: {
    'npx --no -- leasehold bootstrap namespace |': why.setUp,
    'kubectl -n kube-system get configmap kube-proxy': sabotage('metallb', 'without strictARP'),
    'npx --no -- leasehold bootstrap strict-arp': sabotage('metallb', 'without strictARP'),
    'kubectl -n kube-system rollout restart daemonset': sabotage('metallb', 'without strictARP'),
    'ssh-keyscan': why.secret,
    'kubectl -n akash-services create secret': why.secret,
    'npx --no -- leasehold bootstrap rbac':
      'test/cluster/sabotage.test.ts | bootstrap rbac --doctor',
    'kubectl apply -f -': why.setUp,
    'helm install --create-namespace': why.warned,
    'helm uninstall metallb': why.warned,
    'kubectl apply --server-side -k .': why.setUp,
  },
  charts: { 'helm upgrade': why.helm, 'kubectl get service -A': why.shows },
  'day-two': {
    'kubectl -n metallb-system rollout restart': ran(
      'restored',
      'day-two',
      'kubectl -n metallb-system rollout',
    ),
    'kubectl -n flux-system rollout restart': ran(
      'restored',
      'day-two',
      'kubectl -n flux-system rollout',
    ),
    'kubectl -n argocd rollout restart': ran('restored', 'day-two', 'kubectl -n argocd rollout'),
    'kubectl -n argocd delete application': ran('leaving', 'day-two', 'kubectl -n argocd delete'),
    'kubectl -n flux-system delete kustomization': ran(
      'leaving',
      'day-two',
      'kubectl -n flux-system delete',
    ),
    'kubectl -n metallb-system patch ipaddresspool': ran(
      'leaving',
      'day-two',
      'kubectl -n metallb-system patch',
    ),
    'kubectl patch$': why.part,
    'kubectl delete -f serve.yaml': why.serve,
  },
  cilium: {
    'kubectl label': 'test/cluster/cilium.test.ts | a live cluster is taken over',
  },
  doctor: {
    'kubectl describe$': why.shows,
    'kubectl --context production -n akash-services scale': sabotage('akash', 'operator runs'),
  },
  flux: {
    'flux create secret': why.cli,
    'kubectl -n flux-system get': why.shows,
    'flux push artifact': why.cli,
    'kubectl apply -f gitops/flux.yaml': why.apply,
    'flux reconcile': why.cli,
    'cosign sign': why.cli,
    'kubectl -n flux-system create secret': why.secret,
    'flux suspend': 'test/support/cluster/engines/flux.ts | suspend: () => order(true)',
    'flux resume': 'test/support/cluster/engines/flux.ts | resume: () => order(false)',
  },
  gitops: {
    'kubectl patch$': why.part,
    'kubectl annotate --overwrite service': ran('service-life', 'gitops', 'kubectl annotate'),
  },
  import: { 'kubectl get': why.shows },
  init: { 'kubectl apply -f gitops/argocd.yaml': why.apply },
  install: { cosign: why.cli },
  inventory: {
    'kubectl -n akash-services rollout restart': sabotage('akash', 'the inventory operator has no'),
  },
  manifests: { 'kubectl apply --server-side': sabotage('remedies', 'function applyByHand') },
  metallb: {
    'npx --no -- leasehold bootstrap namespace |': why.setUp,
    'helm upgrade --install metallb': why.helm,
    'kubectl create namespace': why.setUp,
    'npx --no -- leasehold bootstrap serve': why.serve,
  },
  monitoring: {
    'kubectl describe pod': why.shows,
    'kubectl apply -f leasehold-rules.yaml': ran('bootstrap', 'monitoring', 'kubectl apply'),
  },
  netbox: { curl: why.shows },
  serve: { curl: why.shows },
  services: {
    'kubectl apply --server-side --dry-run=server':
      'test/cluster/dry-run.test.ts | takes every Service that leasehold takes',
  },
  troubleshooting: { 'kubectl patch$': why.part, curl: why.shows },
  verify: { 'kubectl apply --server-side': sabotage('remedies', 'function applyByHand') },
  vitistack: {
    'kubectl get namespaces': why.shows,
    'kubectl annotate service': ran('vitistack', 'vitistack', 'kubectl annotate service'),
  },
};

/** The rows of tables that say what to do, by page. */
export const rowsDone: Readonly<Record<string, Done>> = {
  gitops: {
    '`overlaps with': 'test/cluster/guards.test.ts | overlaps is named, and without it all comes',
    'the same, of a pool': 'test/cluster/life.test.ts | only after the old pool is deleted',
    '`failed calling webhook`': 'test/cluster/faults-in-sync.test.ts | while MetalLB is killed',
    'an unknown kind': 'the sabotages take a definition away and put it back, without an engine',
    '`is not permitted in project`': 'nobody has tried an old AppProject',
    '`is being terminated`': 'test/cluster/life.test.ts | namespace is deleted by hand, and other',
  },
  metallb: {
    '`verify`: `cluster problem`': sabotage('webhook', 'that Services have slips in'),
    'a Service is `pending`': sabotage(
      'claims',
      'a Service with a reserved address loses its label',
    ),
  },
  monitoring: {
    LeaseholdDown: 'no kubelet starts the pod of serve',
    LeaseholdStale: 'test/cli/serve/live.test.ts | problems that stop a new state are named',
    LeaseholdPollingStopped: 'no fault is known that it would mend',
    LeaseholdProblems: why.git,
    LeaseholdHoldersWait: why.git,
    LeaseholdBranchesUnread:
      'test/cli/serve/pending.test.ts | an unreachable remote leaves its last',
    LeaseholdPoolExhausted: why.git,
    LeaseholdPoolNearlyExhausted: why.git,
    LeaseholdNearlyNothingToPromise: why.git,
    LeaseholdZoneDrains: why.git,
    LeaseholdPoolFillsSoon: why.git,
    LeaseholdAnswersFail: 'it only shows the cause',
  },
  netbox: {
    '`IMPORT_TRUNCATED`': why.git,
    '`POOL_OVERLAP`': why.git,
    'an address of yours': why.git,
  },
  troubleshooting: { '[`': why.git },
  verify: {
    '`not applied`': sabotage('claims', 'a Service is deleted'),
    '`not ours`': sabotage('claims', 'takes the packets of an address by externalIPs'),
    '`wrong address`': sabotage('claims', 'a Service is pinned to another address by hand'),
    '`changed by hand`': 'test/cluster/sabotage.test.ts | goes by the commands that verify prints',
    '`pending`': sabotage('claims', 'a Service with a reserved address loses its label'),
    '`not announced`': why.elsewhere,
    '`not reachable`': 'test/cluster/wire.test.ts | tells a port on which no pod listens',
    '`no endpoints`': 'test/cluster/announced.test.ts | with a ready pod on a node of MetalLB',
    '`unknown`': 'test/cluster/wire.test.ts | verify --reach connects to each planned address',
    '`ok`': 'nothing is to be done',
  },
};

const layoutChange = 'test/cluster/layout-change.test.ts | with the pools of both, MetalLB keeps';

/** The items of lists, by page and heading. */
export const itemsDone: Readonly<Record<string, Readonly<Record<string, Done>>>> = {
  troubleshooting: {
    '## Argo CD or Flux does not apply': {
      'It names a refused object': why.elsewhere,
      'It reports success': 'test/cluster/restored.test.ts | a restart of MetalLB and the engine',
      'It is about pools that overlap':
        'test/cluster/guards.test.ts | overlaps is named, and without',
      'It was paused': why.elsewhere,
    },
    '## The Service stays pending': {
      '`pending`, `is not allowed': why.elsewhere,
      '`pending`, without a warning': why.elsewhere,
      '`pending` after a move': ran('service-life', 'gitops', 'kubectl annotate'),
      'No line for the Service': 'it only shows the cause',
    },
    '## The address does not answer': {
      '`leasehold who ADDRESS`': 'it only shows the cause',
      '`leasehold verify`': why.elsewhere,
      '`leasehold doctor`': why.elsewhere,
      'If all are well': why.outside,
    },
    '## Serve is stale': {
      'The remote cannot be reached':
        'test/cli/serve/pending.test.ts | an unreachable remote leaves',
      'Problems of the pool file': why.git,
      'No reason, no polls': 'no fault is known that it would mend',
    },
  },
  'day-two': {
    '## A cluster is lost': {
      'Make sure that nothing': why.outside,
      'Close every': 'test/cluster/fence.test.ts | closed, it keeps what has our label',
      "Keep the cluster's name": 'test/cluster/life.test.ts | all data of the cluster is lost',
      '[Set the cluster up]': 'test/cluster/life.test.ts | all data of the cluster is lost',
    },
    '## Change the layout': {
      '`doctor` and `verify` find nothing': layoutChange,
      '`npx --no -- leasehold migrate-layout': layoutChange,
      'Wait for `leasehold verify': layoutChange,
      'Run the same command again': 'test/cluster/layout-change.test.ts | the last step changes no',
      'Run the second': 'test/cluster/layout-change.test.ts | checkingCommand()',
    },
    '### Back to plain MetalLB': {
      'Add `fence: open`': 'test/cluster/leaving.test.ts | the pools are opened, and the admission',
      "Delete the engine's object": 'test/cluster/leaving.test.ts | the object of the engine is',
      'Let MetalLB assign': 'test/cluster/leaving.test.ts | with autoAssign, MetalLB gives a new',
    },
    "### Back to Akash's IP operator": {
      'Change the layout and open': why.operator,
      "Delete the engine's object": why.operator,
      "Change the provider's values": why.operator,
      'If `leasehold serve` is installed': why.operator,
      'Give it a pool called': why.operator,
    },
  },
  gitops: {
    '## After a long pause of the engine': {
      '**The IPv6 address': 'test/cluster/life.test.ts | only after the old pool is deleted',
      '**A Service stays `pending`': ran('service-life', 'gitops', 'kubectl annotate'),
    },
  },
};
