import { serveLabels } from '../../../manifests/serve-labels.ts';
import { type LiveObject, objectName } from '../../../model/live.ts';
import { fieldAt, listAt } from '../../../model/unstructured.ts';
import type { ClusterFinding } from '../verification-answer.ts';

/**
 * True for the Deployment of an Akash IP operator that is not scaled to 0: named `operator-ip` as the Helm
 * chart names it, labelled as one, or with `operator ip` on a container's command line. What tenants
 * run has the provider's label `akash.network/manifest-service` (Akash provider: cluster/kube/builder),
 * and is none, whatever they call it. Nor is `leasehold serve`, which stands where the operator stood and has its name.
 */
export function isRunningAkashOperator(deployment: LiveObject): boolean {
  const { name, labels = {} } = deployment.metadata;
  if (fieldAt(deployment, 'spec', 'replicas') === 0) return false;
  if (Object.hasOwn(labels, 'akash.network/manifest-service')) return false;
  return (
    (name === 'operator-ip' && !isServe(deployment)) ||
    labels['akash.network/component'] === 'akash-ip-operator' ||
    (labels['app.kubernetes.io/name'] === 'ip' && name.includes('operator-ip')) ||
    containersOf(deployment).some((container) => /(?:^|\s)operator\s+ip(?:\s|$)/.test(container))
  );
}

/** True for a Deployment with the labels of `leasehold serve` that runs only that. */
function isServe(deployment: LiveObject): boolean {
  const { labels = {} } = deployment.metadata;
  const commands = containersOf(deployment);
  return (
    Object.entries(serveLabels).every(([key, value]) => labels[key] === value) &&
    commands.length > 0 &&
    commands.every((command) => /^leasehold serve(?:\s|$)/.test(command))
  );
}

/** A finding for each Akash IP operator that runs. */
export function akashOperatorFindings(deployments: readonly LiveObject[]): ClusterFinding[] {
  return deployments.filter(isRunningAkashOperator).map((deployment) => {
    const { namespace = 'default', name } = deployment.metadata;
    return {
      object: objectName('deployment', deployment),
      message: 'is an Akash IP operator that runs: it rewrites our Services without their pins',
      hint: `set AKASH_IP_OPERATOR=false at the provider, which stops bidding otherwise, and then scale it to 0: kubectl -n ${namespace} scale deployment ${name} --replicas=0`,
    };
  });
}

/** The command line of each container. */
function containersOf(deployment: LiveObject): string[] {
  return listAt(deployment, 'spec', 'template', 'spec', 'containers').map((container) =>
    [...listAt(container, 'command'), ...listAt(container, 'args')].join(' '),
  );
}
