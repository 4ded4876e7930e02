import { describe, expect, it } from 'vitest';
import { findingsOf, levelOf } from '../../../../../../support/live/findings.ts';
import {
  kubeProxyConfig,
  metalLBNamespace,
} from '../../../../../../support/live/healthy-cluster.ts';

describe('METALLB_KINDS', () => {
  it.each([
    [{}, 'l2: {}', 'ok'],
    [{ addressPool: undefined }, 'l2: {}', 'problem'],
    [{ l2Advertisement: undefined }, 'l2: {}', 'problem'],
    [{ bgpAdvertisement: undefined }, 'l2: {}', 'ok'],
    [{ bgpAdvertisement: undefined }, 'bgp: {}', 'problem'],
  ])('with %j and %s is %s', async (objects, advertise, level) => {
    expect(await levelOf('METALLB_KINDS', { objects }, { advertise })).toBe(level);
  });

  it('names all kinds that are not served', async () => {
    const objects = { addressPool: undefined, l2Advertisement: undefined };
    const [finding] = await findingsOf('METALLB_KINDS', { objects });

    expect(finding?.found).toContain('ipaddresspools, l2advertisements');
  });
});

describe('STRICT_ARP', () => {
  const config = (mode: string, strictARP: string) => ({
    objects: {
      configMap: [
        kubeProxyConfig(
          `kind: KubeProxyConfiguration\nmode: ${mode}\nipvs: {strictARP: ${strictARP}}\n`,
        ),
      ],
    },
  });

  it.each([
    ['ipvs', 'false', 'l2: {}', 'problem'],
    ['ipvs', 'true', 'l2: {}', 'ok'],
    ['ipvs', 'false', 'bgp: {}', 'caution'],
    ['iptables', 'false', 'l2: {}', 'ok'],
    ['nftables', 'false', 'l2: {}', 'ok'],
    ['""', 'false', 'l2: {}', 'ok'],
    ['null', 'null', 'l2: {}', 'ok'],
  ])('in mode %s with strictARP %s and %s is %s', async (mode, strictARP, advertise, level) => {
    expect(await levelOf('STRICT_ARP', config(mode, strictARP), { advertise })).toBe(level);
  });

  it('has the command that sets it', async () => {
    const [finding] = await findingsOf('STRICT_ARP', config('ipvs', 'false'));

    expect(finding?.command).toContain('| npx --no -- leasehold bootstrap strict-arp - |');
  });

  it.each([
    ['no ConfigMap', []],
    ['another text', [kubeProxyConfig('mode: ipvs\n')]],
    ['invalid YAML', [kubeProxyConfig('{')]],
    ['another key', [{ ...kubeProxyConfig(''), data: { 'other.conf': 'mode: ipvs' } }]],
  ])('is unknown with %s', async (_, configMap) => {
    expect(await levelOf('STRICT_ARP', { objects: { configMap } })).toBe('unknown');
  });
});

describe('POD_SECURITY', () => {
  it.each([
    ['privileged', 'ok'],
    ['baseline', 'problem'],
    ['restricted', 'problem'],
    [undefined, 'caution'],
  ])('with enforce: %s is %s', async (enforce, level) => {
    const labels = enforce === undefined ? {} : { 'pod-security.kubernetes.io/enforce': enforce };
    const live = { objects: { namespace: [metalLBNamespace(labels)] } };
    const [finding] = await findingsOf('POD_SECURITY', live);

    expect(finding?.level).toBe(level);
    expect(finding?.command ?? 'none').toBe(
      level === 'ok'
        ? 'none'
        : 'kubectl label namespace metallb-system pod-security.kubernetes.io/enforce=privileged --overwrite',
    );
  });

  it('has no finding without a namespace', async () => {
    expect(await levelOf('POD_SECURITY', { objects: { namespace: [] } })).toBe('none');
  });
});
