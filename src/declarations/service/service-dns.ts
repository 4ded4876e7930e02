import type { DnsRequest } from '../../model/lease.ts';
import { fail, failSorted, type Outcome, ok, type Problem } from '../../model/problem.ts';
import { checkDnsName, mostDnsNames } from '../../text/common-fields.ts';
import type { Annotations } from './service-annotations.ts';
import { leaseholdKeys } from './service-metadata.ts';

/**
 * The DNS names in the annotation of a Service. Problems: DNS_INVALID for each one that is not
 * valid, FIELD_VALUE for too many.
 */
export function dnsOfService({ values, at }: Annotations): Outcome<readonly DnsRequest[]> {
  const key = leaseholdKeys.dns;
  const text = values[key];
  if (text === undefined) return ok([]);
  const place = at(key);
  const requests = text.split(',').map((name) => ({ name: name.trim(), at: place }));
  if (requests.length > mostDnsNames) {
    const message = `the annotation ${key} has ${requests.length} names, expected at most ${mostDnsNames}`;
    return fail([{ code: 'FIELD_VALUE', message, at: place }]);
  }
  const problems = requests.flatMap(({ name }): Problem[] => {
    const refusal = checkDnsName(name);
    if (!refusal) return [];
    const { code, message, hint } = refusal;
    return [{ code, message, at: place, ...(hint !== undefined && { hint }) }];
  });
  return problems.length > 0 ? failSorted(problems) : ok(requests);
}
