import { describe, expect, it } from 'vitest';
import { findingsOf, levelOf } from '../../../../../../support/live/findings.ts';
import { controller, workload } from '../../../../../../support/live/healthy-cluster.ts';

const chartLabels = (component: string) => ({
  'app.kubernetes.io/name': 'metallb',
  'app.kubernetes.io/component': component,
});

describe('METALLB_NAMESPACE', () => {
  it.each([
    ['metallb-system', 'ok'],
    ['other', 'problem'],
  ])('with namespace: %s is %s', async (namespace, level) => {
    const metallb = `version: 0.14.9, namespace: ${namespace}`;
    expect(await levelOf('METALLB_NAMESPACE', {}, { metallb })).toBe(level);
  });
});

describe('METALLB_CONTROLLER', () => {
  const image = { image: 'registry.example/mirror/metallb/controller:v0.14.9' };
  const nginx = {
    'app.kubernetes.io/name': 'ingress-nginx',
    'app.kubernetes.io/component': 'controller',
  };

  it.each([
    ['of the manifests', controller(), 'ok'],
    ['of the chart', workload('x-controller', { labels: chartLabels('controller') }), 'ok'],
    ['named metallb-controller', workload('metallb-controller'), 'ok'],
    ['with the image of MetalLB', workload('lb', { container: image }), 'ok'],
    ['of ingress-nginx', workload('nginx', { labels: nginx }), 'problem'],
    ['that has no ready pod', controller('v0.14.9', { status: {} }), 'problem'],
    ['scaled to 0', controller('v0.14.9', { replicas: 0, status: {} }), 'problem'],
  ])('a Deployment %s: %s', async (_, deployment, level) => {
    expect(await levelOf('METALLB_CONTROLLER', { objects: { deployment: [deployment] } })).toBe(
      level,
    );
  });

  it('names the namespace that MetalLB runs in instead', async () => {
    const deployment = [controller('v0.14.9', { namespace: 'lb' })];
    const [finding] = await findingsOf('METALLB_CONTROLLER', { objects: { deployment } });

    expect(finding).toMatchObject({
      level: 'problem',
      found: 'MetalLB runs in lb, but leases/pools.yaml declares metallb-system',
      fix: 'set metallb.namespace: lb in leases/pools.yaml and run `leasehold synth`',
    });
  });

  it("ignores workloads of tenants with MetalLB's labels", async () => {
    const labels = {
      'akash.network/manifest-service': 'web',
      app: 'metallb',
      component: 'controller',
    };
    const deployment = [controller('v0.14.9', { namespace: 'lease', labels })];
    const [finding] = await findingsOf('METALLB_CONTROLLER', { objects: { deployment } });

    expect(finding?.found).toBe('no MetalLB controller runs in metallb-system');
  });
});

describe('METALLB_RELEASE', () => {
  it.each([
    ['v0.14.9', '0.14.9', 'ok'],
    ['0.14.9-debian-12-r0', '0.14.9', 'ok'],
    ['v0.14.9@sha256:abc', '0.14.9', 'ok'],
    ['v0.14.9.1', '0.14.9', 'ok'],
    ['0.14.9-rc1', '0.14.9', 'ok'],
    ['v0.14.90', '0.14.9', 'caution'],
    ['v0.14.8', '0.14.9', 'problem'],
    ['v0.13.9', '0.16.1', 'problem'],
    ['v0.13.7', '0.13.9', 'problem'],
    ['v0.14.9', '0.14.8', 'caution'],
    ['v0.16.1', '0.14.9', 'caution'],
    ['v0.14.9', '0.16.1', 'problem'],
    ['v0.15.3', '0.16.1', 'caution'],
    ['v0.14.9', '0.14.10', 'caution'],
    ['v0.14.8', '0.14.9, annotationPrefix: metallb.universe.tf', 'caution'],
    ['v0.13.10', '0.13.9', 'caution'],
    ['v1.0.0', '0.14.9', 'caution'],
    ['main', '0.14.9', 'unknown'],
    ['v0.14', '0.14.9', 'unknown'],
    ['v0.14.9rc1', '0.14.9', 'unknown'],
  ])('image tag %s with metallb.version %s is %s', async (tag, version, level) => {
    const live = { objects: { deployment: [controller(tag)] } };
    expect(await levelOf('METALLB_RELEASE', live, { metallb: `version: ${version}` })).toBe(level);
  });

  it.each([
    'quay.io/metallb/controller',
    'quay.io/metallb/controller@sha256:0123',
    'localhost:5000/metallb/controller',
  ])('is unknown for the image %s', async (image) => {
    const deployment = [controller('', { container: { image } })];
    expect(await levelOf('METALLB_RELEASE', { objects: { deployment } })).toBe('unknown');
  });

  it('names the annotations that are ignored and the version to declare', async () => {
    const live = { objects: { deployment: [controller('v0.14.8')] } };
    const [finding] = await findingsOf('METALLB_RELEASE', live);

    expect(finding).toMatchObject({
      found: 'MetalLB 0.14.8 runs, but leases/pools.yaml declares 0.14.9',
      fix: 'upgrade MetalLB to 0.14.9; to stay at 0.14.8, set metallb.version: 0.14.8 in leases/pools.yaml and run `leasehold synth`, and restart the controller',
    });
    expect(finding?.means).toContain('ignores metallb.io/ annotations');
  });

  it.each([
    [
      'v0.15.3',
      '0.13.9',
      'set metallb.version: 0.15.3 with annotationPrefix: metallb.universe.tf in leases/pools.yaml and run `leasehold synth`',
    ],
    [
      'v0.16.1',
      '0.14.9',
      'set metallb.version: 0.16.1 in leases/pools.yaml and run `leasehold synth`',
    ],
    [
      'v0.14.9',
      '0.16.1',
      'upgrade MetalLB to 0.16.1; to stay at 0.14.9, set metallb.version: 0.14.9 in leases/pools.yaml and run `leasehold synth`',
    ],
  ])('names the order of the steps from %s, declared %s', async (tag, version, fix) => {
    const live = { objects: { deployment: [controller(tag)] } };
    const found = await findingsOf('METALLB_RELEASE', live, { metallb: `version: ${version}` });
    expect(found).toMatchObject([{ fix }]);
  });

  it("reads the controller's image in a pod with a proxy", async () => {
    const containers = [
      { name: 'kube-rbac-proxy', image: 'example/kube-rbac-proxy:v0.12.0' },
      { name: 'controller', image: 'quay.io/metallb/controller:v0.14.9' },
    ];
    const deployment = { ...controller(), spec: { template: { spec: { containers } } } };
    expect(await levelOf('METALLB_RELEASE', { objects: { deployment: [deployment] } })).toBe('ok');
  });

  it('has no finding without a controller', async () => {
    expect(await levelOf('METALLB_RELEASE', { objects: { deployment: [] } })).toBe('none');
  });
});

describe('METALLB_CLASS', () => {
  it.each([
    [['--port=7472'], 'none'],
    [['--port=7472', '--lb-class=metallb'], 'problem'],
    [['--lb-class='], 'none'],
  ])('with the arguments %j is %s', async (args, level) => {
    const container = { image: 'quay.io/metallb/controller:v0.14.9', args };
    const deployment = [controller('v0.14.9', { container })];
    expect(await levelOf('METALLB_CLASS', { objects: { deployment } })).toBe(level);
  });

  it.each([
    [['--lb-class=metallb.io/metallb'], 'ok', undefined],
    [
      ['--lb-class=other'],
      'problem',
      /^start .* with --lb-class=metallb.io\/metallb .*set metallb.loadBalancerClass: other in/,
    ],
    [
      ['--port=7472'],
      'problem',
      /^start .* with --lb-class=metallb.io\/metallb .*before the first Service.*remove/,
    ],
  ])('with a declared class and the arguments %j is %s', async (args, level, fix) => {
    const container = { image: 'quay.io/metallb/controller:v0.14.9', args };
    const deployment = [controller('v0.14.9', { container })];
    const declared = { metallb: 'loadBalancerClass: metallb.io/metallb' };
    const [found] = await findingsOf('METALLB_CLASS', { objects: { deployment } }, declared);
    expect(found?.level).toBe(level);
    if (fix) expect(found?.fix).toMatch(fix);
  });
});

describe('METALLB_BGP', () => {
  const env = (...entries: object[]) => ({
    objects: {
      deployment: [
        controller('v0.14.9', { container: { image: 'quay.io/metallb/controller', env: entries } }),
      ],
    },
  });
  const mode = (value: string) => env({ name: 'METALLB_BGP_TYPE', value });
  const large = { advertise: "bgp: { communities: ['65000:1', 'large:65000:1:2'] }" };
  const ipv6 = { advertise: 'bgp: {}', addresses: ', 2001:db8::/64' };

  it.each([
    [env(), large, 'problem'],
    [mode('native'), large, 'problem'],
    [mode('native'), ipv6, 'problem'],
    [mode('frr'), ipv6, 'ok'],
    [mode('frr-k8s'), large, 'ok'],
    [env({ name: 'METALLB_BGP_TYPE', valueFrom: {} }), large, 'unknown'],
    [env(), { advertise: "bgp: { communities: ['65000:1'] }" }, 'none'],
    [env(), { addresses: ', 2001:db8::/64' }, 'none'],
    [{ objects: { deployment: [] } }, large, 'none'],
  ])('with %j and %j is %s', async (live, declared, level) => {
    expect(await levelOf('METALLB_BGP', live, declared)).toBe(level);
  });

  it('names the features that native mode does not support', async () => {
    const [finding] = await findingsOf('METALLB_BGP', env(), { ...large, ...ipv6 });
    const [both] = await findingsOf('METALLB_BGP', env(), { ...ipv6, ...large });

    expect(finding?.found).toMatch(/native mode, but pools need IPv6 \(pool public\)$/);
    expect(both?.found).toMatch(/need IPv6 \(pool public\), large:65000:1:2 \(pool public\)$/);
  });
});

describe('METALLB_SPEAKERS', () => {
  it.each([
    [3, 3, 'ok'],
    [3, 2, 'caution'],
    [3, 0, 'problem'],
    [0, 0, 'problem'],
  ])('%i wanted and %i ready is %s', async (desiredNumberScheduled, numberReady, level) => {
    const status = { desiredNumberScheduled, numberReady };
    const daemonSet = [workload('metallb-speaker', { status, labels: chartLabels('speaker') })];
    expect(await levelOf('METALLB_SPEAKERS', { objects: { daemonSet } })).toBe(level);
  });

  it('is an error when there are no speakers', async () => {
    expect(await levelOf('METALLB_SPEAKERS', { objects: { daemonSet: [] } })).toBe('problem');
  });

  it('suggests the namespace of a MetalLB that runs elsewhere', async () => {
    const deployment = [controller('v0.14.9', { namespace: 'lb' })];
    const [finding] = await findingsOf('METALLB_SPEAKERS', {
      objects: { deployment, daemonSet: [] },
    });

    expect(finding?.fix).toBe(
      'set metallb.namespace: lb in leases/pools.yaml and run `leasehold synth`',
    );
  });
});
