import { describe, expect, it } from 'vitest';
import { findings, findingsOf, levelOf } from '../../../../support/diagnosing.ts';
import { workload } from '../../../../support/healthy-cluster.ts';

const namespace = 'akash-services';
const variable = 'AKASH_DEPLOYMENT_NETWORK_POLICIES_ENABLED';
const flag = '--deployment-network-policies-enabled';
const withIPv6 = ", '2001:db8::/120'";

function providerWith(container: object) {
  return { objects: { statefulSet: [workload('akash-provider', { namespace, container })] } };
}

function variables(...pairs: readonly (readonly [name: string, value: string])[]) {
  return providerWith({ env: pairs.map(([name, value]) => ({ name, value })) });
}

describe('AKASH_POLICIES', () => {
  it.each([
    ['says nothing', providerWith({}), true],
    ['says true', variables([variable, 'true']), true],
    ['says nothing in an empty variable', variables([variable, '']), true],
    [
      'has the variable of the chart, which it does not read',
      variables([variable.slice(6), 'false']),
      true,
    ],
    ['says false', variables([variable, 'false']), false],
    ['says false by the other prefix', variables([variable.replace('AKASH', 'AP'), '0']), false],
    ['says false by its flag', providerWith({ args: [`run ${flag}=false`] }), false],
    ['says true by its flag', providerWith({ args: ['run', flag] }), true],
  ])('goes by a provider that %s', async (_, live, writes) => {
    const levels = [true, false].map((networkPolicies) =>
      levelOf('AKASH_POLICIES', live, { addresses: withIPv6, networkPolicies }),
    );
    expect(await Promise.all(levels)).toEqual(writes ? ['ok', 'problem'] : ['problem', 'ok']);
  });

  it('says what is shut off, and what to set', async () => {
    const off = variables([variable, 'false']);
    const [alone] = await findingsOf('AKASH_POLICIES', off, { addresses: withIPv6 });
    const [without] = await findingsOf('AKASH_POLICIES', providerWith({}), {
      addresses: withIPv6,
      networkPolicies: false,
    });

    expect(alone).toMatchObject({
      found:
        'the provider akash-services/akash-provider writes no NetworkPolicies, and leasehold writes them for leases with IPv6',
      means: 'alone, such a policy shuts its pods off from IPv4, the ingress and one another',
      fix: 'set emit.networkPolicies: false in leases/pools.yaml and run leasehold synth',
    });
    expect(without).toMatchObject({
      found:
        'the provider akash-services/akash-provider writes NetworkPolicies, and leasehold writes none',
      means: 'those of the provider let no IPv6 in to port 80/TCP of a lease',
      fix: 'set emit.networkPolicies: true in leases/pools.yaml and run leasehold synth',
    });
  });

  it('is not told without a provider, without IPv6, or with names that no provider uses', async () => {
    const live = variables([variable, 'false']);
    expect(await levelOf('AKASH_POLICIES', {}, { addresses: withIPv6 })).toBe('none');
    expect(await levelOf('AKASH_POLICIES', live)).toBe('none');
    const readable = { addresses: withIPv6, naming: 'readable' } as const;
    expect(await levelOf('AKASH_POLICIES', live, readable)).toBe('none');
  });

  it('is unknown when the ConfigMap of the provider is not there, or may not be read', async () => {
    const live = providerWith({ envFrom: [{ configMapRef: { name: 'akash-provider-main' } }] });
    expect(await levelOf('AKASH_POLICIES', live, { addresses: withIPv6 })).toBe('unknown');
    const found = await findings({ ...live, denied: ['configMap'] }, { addresses: withIPv6 });
    expect(found.find(({ code }) => code === 'AKASH_POLICIES')).toMatchObject({
      level: 'unknown',
      found: 'this user may not list configMap',
    });
  });
});
