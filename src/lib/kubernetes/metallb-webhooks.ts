import { managedBy } from '../../core/manifests/manifest.ts';

/** MetalLB's webhooks that compare all pools, in every supported version and in its chart. */
const configuration = 'metallb-webhook-configuration';
const webhooks = [
  'ipaddresspoolvalidationwebhook.metallb.io',
  'l2advertisementvalidationwebhook.metallb.io',
  'bgpadvertisementvalidationwebhook.metallb.io',
];

/** The kubectl command after which MetalLB's webhooks do not check leasehold's objects. */
export function sparingCommand(): string {
  const [[key = '', value = ''] = []] = Object.entries(managedBy);
  return patchCommand([{ key, operator: 'NotIn', values: [value] }]);
}

/** The kubectl command after which they check all objects again, as MetalLB installs them. */
export function checkingCommand(): string {
  return patchCommand(null);
}

/** The API server merges the list of webhooks by name. */
function patchCommand(matchExpressions: readonly object[] | null): string {
  const patch = webhooks.map((name) => ({ name, objectSelector: { matchExpressions } }));
  return `kubectl patch validatingwebhookconfiguration ${configuration} -p '${JSON.stringify({ webhooks: patch })}'`;
}
