import type { Finding } from '../diagnosis-answer.ts';
import { type Check, type PodLog, unknown } from './facts.ts';

/** What the operator logs for each request while its loop does not run. Akash provider: operator/common. */
const barrier = 'barrier is locked';

/** AKASH_OPERATOR: one finding for each that runs. */
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
    means: 'it rewrites our Services without their addresses and sharing keys',
    fix: 'scale it to 0, after AKASH_IP_OPERATOR=false at the provider (see AKASH_PROVIDER)',
    command: `kubectl -n ${namespace} scale deployment ${name} --replicas=0`,
  }));
};

/** OPERATOR_BARRIER: one finding for each pod of an operator that runs. */
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
    const found = `there is no log of ${name}: it has not started, or its node does not answer`;
    return { level: 'unknown', code, found };
  }
  const lines = text.value.split('\n').filter((line) => line.includes(barrier)).length;
  if (lines === 0) {
    return { level: 'ok', code, found: `the log of ${name} does not say '${barrier}'` };
  }
  const times = lines === 1 ? 'once' : `${lines} times`;
  return {
    level: 'problem',
    code,
    found: `the end of the log of ${name} says '${barrier}' ${times}`,
    means:
      "the operator's loop does not run: MetalLB's metrics were not reached (it started before MetalLB, or MetalLB is 0.16 or later), or a ProviderLeasedIP is malformed",
    fix: 'remove the cause; if the operator does not come back within seconds, delete the pod',
    command: `kubectl -n ${namespace} delete pod ${pod}`,
  };
}
