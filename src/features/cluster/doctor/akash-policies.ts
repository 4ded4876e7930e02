import type { Finding } from '../diagnosis-answer.ts';
import { type Provider, providersIn, whereToLook } from './akash-provider.ts';
import { type Check, type Facts, objectsOf, unknown } from './facts.ts';
import { networkPolicies, providerSetting } from './provider-setting.ts';

const code = 'AKASH_POLICIES';

/** AKASH_POLICIES: one finding for each provider; nothing when no Akash lease can get an IPv6 address. */
export const checkAkashPolicies: Check = (facts, expected) => {
  const { networkPolicies: ours } = expected;
  if (ours === undefined) return [];
  if (!facts.statefulSets.known) return [unknown(code, facts.statefulSets.reason)];
  return providersIn(facts).map((provider) => findingOf(provider, ours, facts));
};

function findingOf(provider: Provider, ours: boolean, { providerConfigs }: Facts): Finding {
  const { namespace, name } = provider.object.metadata;
  const theirs = providerSetting(networkPolicies, provider.object, objectsOf(providerConfigs));
  const whose = `the provider ${namespace}/${name}`;
  if (theirs === undefined) {
    if (!providerConfigs.known) return unknown(code, providerConfigs.reason);
    const found = `whether ${whose} writes NetworkPolicies cannot be told`;
    return { level: 'unknown', code, found, ...whereToLook(provider) };
  }
  if (theirs === 'off' && ours) {
    return {
      level: 'problem',
      code,
      found: `${whose} writes no NetworkPolicies, and leasehold writes them for leases with IPv6`,
      means: 'alone, such a policy shuts its pods off from IPv4, the ingress and one another',
      fix: 'set emit.networkPolicies: false in leases/pools.yaml and run leasehold synth',
    };
  }
  if (theirs === 'on' && !ours) {
    return {
      level: 'problem',
      code,
      found: `${whose} writes NetworkPolicies, and leasehold writes none`,
      means: 'those of the provider let no IPv6 in to port 80/TCP of a lease',
      fix: 'set emit.networkPolicies: true in leases/pools.yaml and run leasehold synth',
    };
  }
  const found = `${whose} writes ${theirs === 'on' ? '' : 'no '}NetworkPolicies, as emit.networkPolicies says`;
  return { level: 'ok', code, found };
}
