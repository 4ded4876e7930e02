import { placeText } from '../../../core/model/problem.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import type { ProviderEdit } from './provider-values.ts';

/** Akash: helm-charts, charts/akash-provider/templates/_helpers.tpl. */
const ownVolume =
  "the chart takes the last persistent class for the provider's own volume, whose class Kubernetes does not change: keep it last";

/** The changes of an edit and their consequences, one line each. */
export function providerEditText(file: string, edit: ProviderEdit, isOn: boolean): string {
  const changes = edit.changes.map(({ field, from, to, at }) => {
    const place = at ? placeText(at) : file;
    return `${place} ${field}: ${from === undefined ? '' : `${from} becomes `}${to}`;
  });
  const { advertised, undeclared } = edit;
  const cautions = isOn
    ? [
        'the provider then waits for the Service operator-ip before it serves: run `leasehold serve` there (`leasehold bootstrap serve`); the IP operator must not run beside leasehold',
      ]
    : [
        'the provider does not bid on orders for leased IPs',
        ...advertised.map(
          ({ key, at }) =>
            `${placeText(at)} the provider still advertises leased IPs to tenants (${key})`,
        ),
      ];
  const isVolume = edit.changes.some(
    ({ field, to }) => /storage.*persistent$/.test(field) && to === 'true',
  );
  if (isVolume) cautions.push(ownVolume);
  const others = undeclared.map(({ key, at }) => `${placeText(at)} the inventory lacks ${key}`);
  const lines = [
    ...(changes.length > 0 ? changes : [`${file} already has these values`]),
    ...[...cautions, ...others].map((caution) => `caution: ${caution}`),
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}
