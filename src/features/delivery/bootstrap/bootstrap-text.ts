import { placeText } from '../../../model/problem.ts';
import { plain } from '../../../text/print/plain.ts';
import type { ProviderEdit } from './provider-edit.ts';
import type { StrictARPEdit } from './strict-arp-edit.ts';

/** What was changed in the values of a provider, and what that means: a line each. */
export function providerEditText(file: string, edit: ProviderEdit, isOn: boolean): string {
  const changes = edit.changes.map(({ field, from, to, at }) => {
    const place = at ? placeText(at) : file;
    return `${place} ${field}: ${from === undefined ? '' : `${from} becomes `}${to}`;
  });
  const { advertised: at } = edit;
  const cautions = isOn
    ? [
        'the provider then waits for what answers at operator-ip before it serves: leasehold serve (leasehold bootstrap serve); the IP operator must not run beside leasehold',
      ]
    : [
        'the provider bids on no order that wants a leased IP',
        ...(at
          ? [`${placeText(at)} the provider still tells tenants that it leases IPs (ip-lease)`]
          : []),
      ];
  const lines = [
    ...(changes.length > 0 ? changes : [`${file} says so already`]),
    ...cautions.map((caution) => `caution: ${caution}`),
  ];
  return lines.map((line) => `${plain(line)}\n`).join('');
}

/** What was changed in the configuration of kube-proxy, and what to do then. */
export function strictARPText(file: string, { state, mode }: StrictARPEdit): string {
  const name = plain(file);
  if (state === 'unneeded') {
    const how = mode === '' ? 'its default' : plain(mode);
    return `${name}: kube-proxy runs in ${how} mode, which needs no strictARP; nothing is changed\n`;
  }
  if (state === 'strict') return `${name}: strictARP is true already; nothing is changed\n`;
  return `${name}: ipvs.strictARP becomes true; kube-proxy reads it when it starts:
  kubectl -n kube-system rollout restart daemonset kube-proxy
`;
}
