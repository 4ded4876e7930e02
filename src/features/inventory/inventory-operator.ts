import { managedBy } from '../../core/manifests/manifest.ts';
import { type LiveObject, listAt, textAt } from '../../core/model/live.ts';
import { compareText } from '../../core/model/order.ts';
import { counted, fewOf } from '../../core/model/problem.ts';
import {
  type CheckFinding,
  type Fact,
  type Objects,
  objectsOf,
  unknown,
} from '../../lib/kubernetes/doctor-checks.ts';
import type { ServiceAnswer } from '../../lib/kubernetes/live-cluster.ts';
import { finding } from './codes.ts';
import type { Inventory } from './inventory.ts';
import { inventoryConfigText, inventoryOperator } from './inventory-config.ts';
import { ownStorageClasses } from './node-labels.ts';

const { namespace, name: operator } = inventoryOperator;

/** Advice on where to look when the operator says too little. */
const atOperator = {
  fix: 'check the operator, and what the other checks of the inventory say',
  command: `kubectl -n ${namespace} logs deployment/${operator}`,
} as const;

/** INVENTORY_EMPTY. */
export function checkInventoryAnswer(
  inventory: Inventory,
  answer: Fact<ServiceAnswer>,
): readonly CheckFinding[] {
  const code = finding.INVENTORY_EMPTY;
  if (!answer.known) return [unknown(code, answer.reason)];
  const { value } = answer;
  const cluster = value.isAnswered ? value.json : undefined;
  if (!value.isAnswered || cluster === undefined) {
    const reason = value.isAnswered ? 'its answer is not JSON' : value.reason;
    const found = `the inventory operator does not answer: ${reason}`;
    return [{ level: 'problem', code, found, means: 'the provider does not bid', ...atOperator }];
  }
  const nodes = listAt(cluster, 'nodes');
  const faults = answerFaults(cluster, nodes, inventory);
  if (faults.length > 0) return faults;
  const found = `the inventory operator knows ${counted(nodes.length, 'node')}, all of their GPUs and all storage classes`;
  return [{ level: 'ok', code, found }];
}

function answerFaults(
  cluster: unknown,
  nodes: readonly unknown[],
  inventory: Inventory,
): CheckFinding[] {
  const problem = (found: string, means: string): CheckFinding => ({
    level: 'problem',
    code: finding.INVENTORY_EMPTY,
    found: `the inventory operator knows ${found}`,
    means,
    ...atOperator,
  });
  if (nodes.length === 0) return [problem('no node', 'the provider does not bid')];
  const listed = listAt(cluster, 'storage').map((one) => textAt(one, 'info', 'class'));
  const missing = ownStorageClasses(inventory.clusterStorage).filter(
    (own) => !listed.includes(own),
  );
  const blind = nodes.filter(hasUnknownGpus).map((node) => textAt(node, 'name') ?? '');
  return [
    ...(missing.length === 0
      ? []
      : [
          problem(
            `no storage of ${fewOf(missing)}`,
            'the provider declines every order for persistent storage of these classes',
          ),
        ]),
    ...(blind.length === 0
      ? []
      : [
          problem(
            `nothing of the GPUs of ${fewOf(blind.sort(compareText))}`,
            'the provider does not offer them; their ids may be missing in the list of GPUs that the operator downloads',
          ),
        ]),
  ];
}

/** True for a node with GPUs that the operator could not identify. */
function hasUnknownGpus(node: unknown): boolean {
  const capacity = textAt(node, 'resources', 'gpu', 'quantity', 'capacity') ?? '0';
  return capacity !== '0' && listAt(node, 'resources', 'gpu', 'info').length === 0;
}

/** INVENTORY_CONFIG. */
export function checkInventoryConfig(
  inventory: Inventory,
  configs: Objects,
): readonly CheckFinding[] {
  const code = finding.INVENTORY_CONFIG;
  if (!configs.known) return [unknown(code, configs.reason)];
  const live = objectsOf(configs).find(({ metadata }) => metadata.name === operator);
  return [live ? configFinding(live, inventory) : missingConfig];
}

const configMap = `the ConfigMap ${namespace}/${operator}`;

const missingConfig: CheckFinding = {
  level: 'problem',
  code: finding.INVENTORY_CONFIG,
  found: `there is no ConfigMap ${namespace}/${operator}`,
  means: 'the inventory operator does not start',
  fix: 'run `leasehold synth`, and let Argo CD or Flux apply dist/',
};

function configFinding(live: LiveObject, inventory: Inventory): CheckFinding {
  const code = finding.INVENTORY_CONFIG;
  if (textAt(live, 'data', 'config-path') === inventoryConfigText(inventory)) {
    const means = 'the operator reads it when it starts: restart it after a change';
    return { level: 'ok', code, found: `${configMap} is the one in dist/`, means };
  }
  const [[label = '', value] = []] = Object.entries(managedBy);
  const isOurs = live.metadata.labels?.[label] === value;
  return {
    level: 'problem',
    code,
    found: `${configMap} ${isOurs ? 'differs from the one in dist/' : "is that of the operator's chart"}`,
    means: 'the inventory operator offers other nodes and storage classes than are declared',
    fix: isOurs
      ? 'run `leasehold synth`, let Argo CD or Flux apply dist/, and only then restart the operator'
      : 'leave the ConfigMap out of the chart, run `leasehold synth`, let Argo CD or Flux apply dist/, and only then restart the operator',
    command: `kubectl -n ${namespace} rollout restart deployment/${operator}`,
  };
}
