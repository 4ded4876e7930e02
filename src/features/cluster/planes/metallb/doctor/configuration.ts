import { type LiveObject, listAt, textAt } from '../../../../../core/model/live.ts';
import { objectsOf, unknown } from '../../../../../lib/kubernetes/doctor-checks.ts';
import { checkingCommand } from '../../../../../lib/kubernetes/metallb-webhooks.ts';
import type { Finding } from '../../../diagnosis-answer.ts';
import type { DryRun, MetalLBCheck } from './facts.ts';

/** METALLB_WEBHOOK. */
export const checkWebhook: MetalLBCheck = ({ webhooks }) => {
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
        found: 'no ValidatingWebhookConfiguration sends IPAddressPools to MetalLB',
        means: 'a pool that overlaps another silently stops MetalLB from loading any configuration',
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
        means: 'the API server does not trust the webhook and rejects every IPAddressPool',
        fix: "see the controller's log: the controller sets the caBundle unless something resets it (an engine that applies MetalLB must ignore that field)",
      },
    ];
  }
  if (textAt(hook, 'failurePolicy') === 'Ignore') {
    return [
      {
        level: 'caution',
        code,
        found: `the webhook configuration ${name} has failurePolicy: Ignore`,
        means: 'while the controller is down, a pool that overlaps another is accepted',
        fix: "set the chart's crds.validationFailurePolicy: Fail",
      },
    ];
  }
  if (listAt(hook, 'objectSelector', 'matchExpressions').length > 0) {
    return [
      {
        level: 'caution',
        code,
        found: `the webhook configuration ${name} sends only some IPAddressPools to MetalLB`,
        means: 'a pool that it leaves out, and that overlaps another, is accepted',
        fix: `after \`leasehold migrate-layout\`: \`${checkingCommand()}\``,
      },
    ];
  }
  return [
    {
      level: 'ok',
      code,
      found: `the webhook configuration ${name} sends IPAddressPools to MetalLB`,
    },
  ];
};

/** A pool that MetalLB must reject because it overlaps itself. MetalLB: config.go poolsFor. */
export function refusedPool(namespace: string): LiveObject {
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'leasehold-doctor', namespace },
    spec: { addresses: ['192.0.2.0/24', '192.0.2.0/25'], autoAssign: false },
  };
}

/** METALLB_ADMISSION: the result of a dry run of {@link refusedPool}; nothing without one. */
export const checkAdmission: MetalLBCheck = ({ dryRun }) => (dryRun ? [admission(dryRun)] : []);

function admission({ verdict, message }: DryRun): Finding {
  const code = 'METALLB_ADMISSION';
  if (verdict === 'refused' && message.includes('overlap')) {
    return { level: 'ok', code, found: 'MetalLB rejects a pool that overlaps itself (dry run)' };
  }
  if (verdict === 'accepted') {
    return {
      level: 'problem',
      code,
      found: 'a pool that overlaps itself would be accepted (dry run)',
      means: 'a pool that overlaps another silently stops MetalLB from loading any configuration',
      fix: "run the controller with its webhook (the chart's controller.webhookMode: enabled)",
    };
  }
  if (verdict === 'denied') {
    const fix =
      "grant the verb create on ipaddresspools in MetalLB's namespace, as `leasehold bootstrap rbac --doctor` prints it";
    return { ...unknown(code, `a dry run of a pool is denied: ${message}`), fix };
  }
  if (verdict === 'failed' && /\bcall(?:ing)? webhook\b/.test(message)) {
    return {
      level: 'problem',
      code,
      found: `a webhook for IPAddressPools does not answer: ${message}`,
      means: 'no IPAddressPool can be applied',
      fix: 'check that the controller runs and that the API server reaches it: network policies, firewalls, the Service of the webhook',
    };
  }
  return { level: 'unknown', code, found: `a dry run of a pool returned: ${message}` };
}

function isForPools(hook: unknown): boolean {
  return listAt(hook, 'rules').some(
    (rule) =>
      listAt(rule, 'apiGroups').includes('metallb.io') &&
      listAt(rule, 'resources').includes('ipaddresspools'),
  );
}

/** METALLB_CONFIGURATION: one finding for each error; nothing before MetalLB 0.15.3. */
export const checkConfiguration: MetalLBCheck = ({ refusedConfigurations: refused }) => {
  const code = 'METALLB_CONFIGURATION';
  if (!refused.known) return [unknown(code, refused.reason)];
  if (refused.value === undefined) return [];
  if (refused.value.length === 0) {
    return [{ level: 'ok', code, found: 'no MetalLB component rejects its configuration' }];
  }
  return refused.value.map(({ object, message, hint }) => ({
    level: 'problem',
    code,
    found: `${object}: ${message}`,
    means: 'no new address is assigned or announced until MetalLB accepts its configuration',
    fix: hint,
  }));
};

/**
 * FOREIGN_POOLS: one finding for each overlap, and for each pool that the first sync takes over.
 */
export const checkForeignPools: MetalLBCheck = ({ addressPools, takenOver, overlaps }) => {
  const code = 'FOREIGN_POOLS';
  if (!overlaps.known) return [unknown(code, overlaps.reason)];
  if (addressPools.known && addressPools.value === undefined) return [];
  const adopted = takenOver.map(
    (pool): Finding => ({
      level: 'ok',
      code,
      found: `${pool} lacks the label of leasehold, and dist/ has it: the first sync takes it over`,
    }),
  );
  if (overlaps.value.length === 0) {
    const found = 'no other IPAddressPool overlaps a declared pool or another one';
    return [...adopted, { level: 'ok', code, found }];
  }
  const overlapping = overlaps.value.map(
    ({ object, message, hint }): Finding => ({
      level: 'problem',
      code,
      found: `${object} ${message}`,
      means:
        'while two pools overlap, MetalLB loads no new configuration: its webhook rejects further pools, and without a webhook they have no effect',
      fix: hint,
    }),
  );
  return [...adopted, ...overlapping];
};
