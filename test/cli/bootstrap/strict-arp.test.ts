import { describe, expect, test } from 'vitest';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const bootstrap = (root: string, ...words: readonly string[]) =>
  runInProcess(['bootstrap', ...words], root);

describe('bootstrap strict-arp', () => {
  const config = (mode: string, strict: boolean) => `kind: ConfigMap
data:
  config.conf: |
    kind: KubeProxyConfiguration
    mode: ${mode}
    ipvs:
      strictARP: ${strict} # by kubeadm
`;
  const strictARP = (text: string, ...words: readonly string[]) =>
    bootstrap(tempTree({ 'kube-proxy.yaml': text }), 'strict-arp', 'kube-proxy.yaml', ...words);

  test('prints the edited ConfigMap and the restart command', async () => {
    expect(await strictARP(config('ipvs', false))).toEqual({
      status: 0,
      out: config('ipvs', true),
      err: `kube-proxy.yaml: ipvs.strictARP becomes true; kube-proxy reads it when it starts:
  kubectl -n kube-system rollout restart daemonset kube-proxy
`,
    });
    expect((await strictARP(config('ipvs', false), '--diff')).out).toContain(
      '-      strictARP: false # by kubeadm\n+      strictARP: true # by kubeadm\n',
    );
  });

  test.each([
    [config('ipvs', true), 'strictARP is true already'],
    [config('iptables', false), 'kube-proxy runs in iptables mode, which does not need strictARP'],
    [config('""', false), 'kube-proxy runs in its default mode, which does not need strictARP'],
  ])('prints %j unchanged', async (text, why) => {
    expect(await strictARP(text)).toEqual({
      status: 0,
      out: text,
      err: `kube-proxy.yaml: ${why}; nothing is changed\n`,
    });
    expect((await strictARP(text, '--diff')).out).toBe('');
  });

  test('rejects another ConfigMap with its position', async () => {
    const { status, out, err } = await strictARP('kind: ConfigMap\ndata: { a: b }\n');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^kube-proxy\.yaml:2:7 FIELD_MISSING the ConfigMap has no config\.conf/);
  });
});
