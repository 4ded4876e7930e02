import { serveLabels } from '../../core/manifests/manifest.ts';
import { fieldAt, type LiveObject, listAt, liveObjectName } from '../../core/model/live.ts';
import { compareText } from '../../core/model/order.ts';
import { unknown } from '../../lib/kubernetes/doctor-checks.ts';
import type { Finding } from './diagnosis-answer.ts';
import { type Check, isTenantWorkload, type PodLog } from './doctor/facts.ts';
import type { ClusterFinding } from './verification-answer.ts';

/**
 * True for the Deployment of an Akash IP operator that is not scaled to 0: named `operator-ip` as
 * by the Helm chart, labelled as one, or with `operator ip` in a container's command line. False
 * for the workloads of tenants, whatever their names, and for `leasehold serve`, which replaces the
 * operator under the same name.
 */
export function isRunningAkashOperator(deployment: LiveObject): boolean {
  const { name, labels = {} } = deployment.metadata;
  if (fieldAt(deployment, 'spec', 'replicas') === 0) return false;
  if (isTenantWorkload(deployment)) return false;
  return (
    (name === 'operator-ip' && !isServe(deployment)) ||
    labels['akash.network/component'] === 'akash-ip-operator' ||
    (labels['app.kubernetes.io/name'] === 'ip' && name.includes('operator-ip')) ||
    commandLines(deployment).some((container) => /(?:^|\s)operator\s+ip(?:\s|$)/.test(container))
  );
}

/** True for a Deployment with the labels of `leasehold serve` that runs nothing else. */
function isServe(deployment: LiveObject): boolean {
  const { labels = {} } = deployment.metadata;
  const commands = commandLines(deployment);
  return (
    Object.entries(serveLabels).every(([key, value]) => labels[key] === value) &&
    commands.length > 0 &&
    commands.every((command) => /^leasehold serve(?:\s|$)/.test(command))
  );
}

/** A finding for each running Akash IP operator. */
export function akashOperatorFindings(deployments: readonly LiveObject[]): ClusterFinding[] {
  return deployments.filter(isRunningAkashOperator).map((deployment) => {
    const { namespace = 'default', name } = deployment.metadata;
    return {
      object: liveObjectName('deployment', deployment),
      message:
        'is a running Akash IP operator: it overwrites Services without their pinned addresses',
      hint: `set AKASH_IP_OPERATOR=false at the provider, which otherwise stops bidding, then scale it to 0: \`kubectl -n ${namespace} scale deployment ${name} --replicas=0\``,
    };
  });
}

/** The command line of each container. */
function commandLines(deployment: LiveObject): string[] {
  return listAt(deployment, 'spec', 'template', 'spec', 'containers').map((container) =>
    [...listAt(container, 'command'), ...listAt(container, 'args')].join(' '),
  );
}

/** The pods that a Deployment selects among all pods of its namespace, sorted by name. */
export function podsOf(deployment: LiveObject, pods: readonly LiveObject[]): readonly LiveObject[] {
  const selector = Object.entries(fieldAt(deployment, 'spec', 'selector', 'matchLabels') ?? {});
  if (selector.length === 0) return [];
  return pods
    .filter(({ metadata }) => selector.every(([key, value]) => metadata.labels?.[key] === value))
    .toSorted((left, right) => compareText(left.metadata.name, right.metadata.name));
}

/**
 * The operator logs this for each request while its loop does not run. Akash provider:
 * operator/common.
 */
const barrier = 'barrier is locked';

/** AKASH_OPERATOR: one finding for each running operator. */
export const checkAkashOperator: Check = ({ operators }) => {
  const code = 'AKASH_OPERATOR';
  if (!operators.known) return [unknown(code, operators.reason)];
  if (operators.value.length === 0) {
    return [{ level: 'ok', code, found: 'no Akash IP operator runs' }];
  }
  return operators.value.map(({ metadata: { name, namespace = '' } }) => ({
    level: 'problem',
    code,
    found: `the Akash IP operator ${namespace}/${name} runs`,
    means: 'it overwrites Services without their pinned addresses and sharing keys',
    fix: 'set AKASH_IP_OPERATOR=false at the provider (see AKASH_PROVIDER), then scale it to 0',
    command: `kubectl -n ${namespace} scale deployment ${name} --replicas=0`,
  }));
};

/** OPERATOR_BARRIER: one finding for each pod of a running operator. */
export const checkBarrier: Check = ({ operators, operatorLogs }) => {
  const code = 'OPERATOR_BARRIER';
  if (!operators.known || operators.value.length === 0) return [];
  if (!operatorLogs.known) return [unknown(code, operatorLogs.reason)];
  return operatorLogs.value.map((log) => barrierOf(log));
};

function barrierOf({ namespace, pod, text }: PodLog): Finding {
  const code = 'OPERATOR_BARRIER';
  const name = `${namespace}/${pod}`;
  if (!text.known) return unknown(code, text.reason);
  if (text.value === undefined) {
    const found = `there is no log of ${name}: the pod has not started, or its node does not respond`;
    return { level: 'unknown', code, found };
  }
  const lines = text.value.split('\n').filter((line) => line.includes(barrier)).length;
  if (lines === 0) {
    return { level: 'ok', code, found: `the log of ${name} does not contain '${barrier}'` };
  }
  const times = lines === 1 ? 'once' : `${lines} times`;
  return {
    level: 'problem',
    code,
    found: `the end of the log of ${name} contains '${barrier}' ${times}`,
    means:
      "the operator's loop does not run: it could not read MetalLB's metrics (it started before MetalLB, or MetalLB is 0.16 or later), or a ProviderLeasedIP is malformed",
    fix: 'fix the cause; if the operator does not recover within seconds, delete the pod',
    command: `kubectl -n ${namespace} delete pod ${pod}`,
  };
}
