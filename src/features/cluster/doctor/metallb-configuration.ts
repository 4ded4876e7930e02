import type { LiveObject } from '../../../model/live.ts';
import { listAt, textAt } from '../../../model/unstructured.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { type Check, type DryRun, objectsOf, unknown } from './facts.ts';

/** METALLB_WEBHOOK. */
export const checkWebhook: Check = ({ webhooks }) => {
  const code = 'METALLB_WEBHOOK';
  if (!webhooks.known) return [unknown(code, webhooks.reason)];
  const hooks = objectsOf(webhooks).flatMap((configuration) =>
    listAt(configuration, 'webhooks')
      .filter(isForPools)
      .map((hook) => ({ name: configuration.metadata.name, hook })),
  );
  const [first] = hooks;
  if (!first) {
    return [
      {
        level: 'problem',
        code,
        found: 'no ValidatingWebhookConfiguration asks MetalLB about IPAddressPools',
        means: 'one pool that overlaps another silently stops the whole configuration of MetalLB',
        fix: "run the controller with its webhook (the chart's controller.webhookMode: enabled)",
      },
    ];
  }
  const { name, hook } = first;
  if (!textAt(hook, 'clientConfig', 'caBundle')) {
    return [
      {
        level: 'problem',
        code,
        found: `the webhook configuration ${name} has no caBundle`,
        means: 'the API server does not trust the webhook, and refuses every IPAddressPool',
        fix: "look at the controller's log: it fills the caBundle in, unless something resets it (an engine that applies MetalLB has to ignore that field)",
      },
    ];
  }
  if (textAt(hook, 'failurePolicy') === 'Ignore') {
    return [
      {
        level: 'caution',
        code,
        found: `the webhook configuration ${name} has failurePolicy: Ignore`,
        means: 'while the controller is down, a pool that overlaps another is taken',
        fix: "set the chart's crds.validationFailurePolicy: Fail",
      },
    ];
  }
  return [{ level: 'ok', code, found: `the webhook configuration ${name} asks MetalLB` }];
};

/** A pool that MetalLB must refuse: it overlaps itself (MetalLB: config.go poolsFor). */
export function refusedPool(namespace: string): LiveObject {
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'leasehold-doctor', namespace },
    spec: { addresses: ['192.0.2.0/24', '192.0.2.0/25'], autoAssign: false },
  };
}

/** METALLB_ADMISSION: what a dry run of {@link refusedPool} was answered; nothing when it was not asked. */
export const checkAdmission: Check = ({ dryRun }) => (dryRun ? [admission(dryRun)] : []);

function admission({ verdict, message }: DryRun): Finding {
  const code = 'METALLB_ADMISSION';
  if (verdict === 'refused' && message.includes('overlap')) {
    return { level: 'ok', code, found: 'MetalLB refuses a pool that overlaps itself (a dry run)' };
  }
  if (verdict === 'accepted') {
    return {
      level: 'problem',
      code,
      found: 'a pool that overlaps itself would be taken (a dry run)',
      means: 'one pool that overlaps another silently stops the whole configuration of MetalLB',
      fix: "run the controller with its webhook (the chart's controller.webhookMode: enabled)",
    };
  }
  if (verdict === 'denied') {
    const fix =
      "grant the verb create on ipaddresspools in MetalLB's namespace, as leasehold bootstrap rbac --doctor prints it";
    return { ...unknown(code, `a dry run of a pool is denied: ${message}`), fix };
  }
  if (verdict === 'failed' && /\bcall(?:ing)? webhook\b/.test(message)) {
    return {
      level: 'problem',
      code,
      found: `a webhook for IPAddressPools does not answer: ${message}`,
      means: 'no IPAddressPool can be applied',
      fix: 'see that the controller runs, and that the API server reaches it: network policies, firewalls, the Service of the webhook',
    };
  }
  return { level: 'unknown', code, found: `a dry run of a pool was answered: ${message}` };
}

function isForPools(hook: unknown): boolean {
  return listAt(hook, 'rules').some(
    (rule) =>
      listAt(rule, 'apiGroups').includes('metallb.io') &&
      listAt(rule, 'resources').includes('ipaddresspools'),
  );
}

/** METALLB_CONFIGURATION: one finding for each reason to refuse it; nothing before MetalLB 0.15.3. */
export const checkConfiguration: Check = ({ refusedConfigurations: refused }) => {
  const code = 'METALLB_CONFIGURATION';
  if (!refused.known) return [unknown(code, refused.reason)];
  if (refused.value === undefined) return [];
  if (refused.value.length === 0) {
    return [{ level: 'ok', code, found: 'no part of MetalLB refuses its configuration' }];
  }
  return refused.value.map(({ object, message, hint }) => ({
    level: 'problem',
    code,
    found: `${object}: ${message}`,
    means: 'no new address is given or announced until MetalLB takes its configuration again',
    fix: hint,
  }));
};

/** FOREIGN_POOLS: one finding for each, and one for each pool that the first sync takes over. */
export const checkForeignPools: Check = ({ addressPools, takenOver, overlaps }) => {
  const code = 'FOREIGN_POOLS';
  if (!overlaps.known) return [unknown(code, overlaps.reason)];
  if (addressPools.known && addressPools.value === undefined) return [];
  const comes = takenOver.map(
    (pool): Finding => ({
      level: 'ok',
      code,
      found: `${pool} is live without our label, and dist/ has it: the first sync takes it over`,
    }),
  );
  if (overlaps.value.length === 0) {
    const found = 'no other IPAddressPool overlaps a declared pool, or another';
    return [...comes, { level: 'ok', code, found }];
  }
  const inTheWay = overlaps.value.map(
    ({ object, message, hint }): Finding => ({
      level: 'problem',
      code,
      found: `${object} ${message}`,
      means:
        'while two pools overlap, MetalLB takes no new configuration: its webhook refuses more pools, and without a webhook they count for nothing',
      fix: hint,
    }),
  );
  return [...comes, ...inTheWay];
};
