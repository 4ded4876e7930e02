import { describe, expect, it } from 'vitest';
import { findings, findingsOf, levelOf } from '../../../../support/live/findings.ts';
import { controller, type Live, workload } from '../../../../support/live/healthy-cluster.ts';

const namespace = 'akash-services';
const operator = workload('operator-ip', { namespace });
const running = (...deployments: readonly ReturnType<typeof workload>[]) => ({
  deployment: [controller(), ...deployments],
});

describe('AKASH_PROVIDER', () => {
  const provider = (container: object) => workload('akash-provider', { namespace, container });
  const env = (value: string, name = 'AKASH_IP_OPERATOR') => ({ env: [{ name, value }] });
  const slice = (ready: boolean | undefined, name = 'operator-ip', where = namespace) => ({
    metadata: { name: 'x', namespace: where, labels: { 'kubernetes.io/service-name': name } },
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready } }],
  });
  const main = (value: string) => ({
    metadata: { name: 'akash-provider-main', namespace },
    data: { AKASH_IP_OPERATOR: value },
  });
  const envFrom = { envFrom: [{ configMapRef: { name: 'akash-provider-main' } }] };

  it.each<readonly [string, Live['objects'], string]>([
    ['without a provider', {}, 'ok'],
    ['without the setting', { statefulSet: [provider({})] }, 'ok'],
    ['with false', { statefulSet: [provider(env('false'))] }, 'ok'],
    ['with true and no operator', { statefulSet: [provider(env('true'))] }, 'problem'],
    [
      'with true and another backend, such as leasehold serve',
      { statefulSet: [provider(env('true'))], endpointSlice: [slice(true)] },
      'ok',
    ],
    [
      'with true and an operator',
      {
        ...running(operator),
        statefulSet: [provider(env('true'))],
        endpointSlice: [slice(true)],
      },
      'caution',
    ],
    [
      'with true and an endpoint of unknown readiness',
      { statefulSet: [provider(env('true'))], endpointSlice: [slice(undefined)] },
      'ok',
    ],
    [
      'with true and an endpoint that is not ready',
      { statefulSet: [provider(env('true'))], endpointSlice: [slice(false)] },
      'problem',
    ],
    [
      'with true and a slice of another Service, or of another namespace',
      {
        statefulSet: [provider(env('true'))],
        endpointSlice: [slice(true, 'other'), slice(true, 'operator-ip', 'other')],
      },
      'problem',
    ],
    ['that is a Deployment', running(provider(env('1'))), 'problem'],
    ['with the flag', { statefulSet: [provider({ args: ['run', '--ip-operator'] })] }, 'problem'],
    [
      'with the flag off',
      { statefulSet: [provider({ args: ['run --ip-operator=false --x'] })] },
      'ok',
    ],
    [
      'with the flag of another name',
      { statefulSet: [provider({ args: ['run', '--ip-operator-endpoint=x'] })] },
      'ok',
    ],
    [
      'with true in its ConfigMap',
      { statefulSet: [provider(envFrom)], configMap: [main('true')] },
      'problem',
    ],
    [
      'with false in its ConfigMap',
      { statefulSet: [provider(envFrom)], configMap: [main('false')] },
      'ok',
    ],
    [
      'with its own variable, which overrides its ConfigMap',
      { statefulSet: [provider({ ...envFrom, ...env('false') })], configMap: [main('true')] },
      'ok',
    ],
    [
      'with a variable from a key of a ConfigMap',
      {
        statefulSet: [
          provider({
            env: [
              {
                name: 'AP_IP_OPERATOR',
                valueFrom: {
                  configMapKeyRef: { name: 'akash-provider-main', key: 'AKASH_IP_OPERATOR' },
                },
              },
            ],
          }),
        ],
        configMap: [main('true')],
      },
      'problem',
    ],
    [
      'whose ConfigMap does not exist',
      { statefulSet: [provider(envFrom)], configMap: [] },
      'unknown',
    ],
    [
      'that is scaled to 0',
      {
        statefulSet: [
          workload('akash-provider', { namespace, replicas: 0, container: env('true') }),
        ],
      },
      'ok',
    ],
    [
      "that is a tenant's workload of the same name",
      {
        statefulSet: [
          workload('akash-provider', {
            namespace: 'lease',
            labels: { 'akash.network/manifest-service': 'akash-provider' },
            container: env('true'),
          }),
        ],
      },
      'ok',
    ],
  ])('%s: %#', async (_, objects = {}, level) => {
    expect(await levelOf('AKASH_PROVIDER', { objects })).toBe(level);
  });

  it('has the command for the kind of the provider, and the effect on its API', async () => {
    const objects = { statefulSet: [provider(env('true'))] };
    const [finding] = await findingsOf('AKASH_PROVIDER', { objects });

    expect(finding?.command).toBe(
      'kubectl -n akash-services set env statefulset/akash-provider AKASH_IP_OPERATOR=false',
    );
    expect(finding?.means).toContain(':8443/status hangs');
  });

  it.each([
    ['flag', { args: ['run --ip-operator=true'] }, undefined],
    ['other prefix', env('true', 'AP_IP_OPERATOR'), 'AP_IP_OPERATOR=false'],
  ])('has a command only for what decides: %s', async (_, container, changes) => {
    const objects = { statefulSet: [provider(container)] };
    const [finding] = await findingsOf('AKASH_PROVIDER', { objects });
    const command = `kubectl -n akash-services set env statefulset/akash-provider ${changes}`;
    expect(finding?.command).toBe(changes && command);
    expect(finding?.fix).toContain(changes ? 'AP_IP_OPERATOR to false' : '--ip-operator=false');
  });

  it('is unknown when its ConfigMap does not exist, without a hint about permissions', async () => {
    const objects = { statefulSet: [provider(envFrom)], configMap: [] };
    const [finding] = await findingsOf('AKASH_PROVIDER', { objects });

    expect(finding).toMatchObject({
      level: 'unknown',
      command: 'kubectl -n akash-services describe statefulset akash-provider',
    });
    expect(finding?.fix).not.toContain('rbac');
  });

  it('is unknown when RBAC denies its ConfigMaps', async () => {
    const found = await findings({
      objects: { statefulSet: [provider(envFrom)] },
      denied: ['configMap'],
    });
    expect(found.find(({ code }) => code === 'AKASH_PROVIDER')).toMatchObject({
      level: 'unknown',
      found: 'this user may not list configMap',
    });
  });
});

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
    ['has no setting', providerWith({}), true],
    ['has the variable set to true', variables([variable, 'true']), true],
    ['has an empty variable', variables([variable, '']), true],
    [
      "has only the chart's variable, which it does not read",
      variables([variable.slice(6), 'false']),
      true,
    ],
    ['has the variable set to false', variables([variable, 'false']), false],
    [
      'has the variable with the other prefix set to false',
      variables([variable.replace('AKASH', 'AP'), '0']),
      false,
    ],
    ['has the flag set to false', providerWith({ args: [`run ${flag}=false`] }), false],
    ['has the flag set to true', providerWith({ args: ['run', flag] }), true],
  ])('compares with a provider that %s', async (_, live, writes) => {
    const levels = [true, false].map((networkPolicies) =>
      levelOf('AKASH_POLICIES', live, { addresses: withIPv6, networkPolicies }),
    );
    expect(await Promise.all(levels)).toEqual(writes ? ['ok', 'problem'] : ['problem', 'ok']);
  });

  it('names the blocked traffic and the value to set', async () => {
    const off = variables([variable, 'false']);
    const [alone] = await findingsOf('AKASH_POLICIES', off, { addresses: withIPv6 });
    const [without] = await findingsOf('AKASH_POLICIES', providerWith({}), {
      addresses: withIPv6,
      networkPolicies: false,
    });

    expect(alone).toMatchObject({
      found:
        'the provider akash-services/akash-provider writes no NetworkPolicies, but leasehold writes them for leases with IPv6',
      means: 'on its own, such a policy cuts its pods off from IPv4, the ingress and each other',
      fix: 'set emit.networkPolicies: false in leases/pools.yaml and run `leasehold synth`',
    });
    expect(without).toMatchObject({
      found:
        'the provider akash-services/akash-provider writes NetworkPolicies, but leasehold writes none',
      means: "the provider's policies block IPv6 to port 80/TCP of a lease",
      fix: 'set emit.networkPolicies: true in leases/pools.yaml and run `leasehold synth`',
    });
  });

  it('has no finding without a provider, without IPv6, or with naming: readable', async () => {
    const live = variables([variable, 'false']);
    expect(await levelOf('AKASH_POLICIES', {}, { addresses: withIPv6 })).toBe('none');
    expect(await levelOf('AKASH_POLICIES', live)).toBe('none');
    const readable = { addresses: withIPv6, naming: 'readable' } as const;
    expect(await levelOf('AKASH_POLICIES', live, readable)).toBe('none');
  });

  it("is unknown when the provider's ConfigMap does not exist or RBAC denies it", async () => {
    const live = providerWith({ envFrom: [{ configMapRef: { name: 'akash-provider-main' } }] });
    expect(await levelOf('AKASH_POLICIES', live, { addresses: withIPv6 })).toBe('unknown');
    const found = await findings({ ...live, denied: ['configMap'] }, { addresses: withIPv6 });
    expect(found.find(({ code }) => code === 'AKASH_POLICIES')).toMatchObject({
      level: 'unknown',
      found: 'this user may not list configMap',
    });
  });
});
