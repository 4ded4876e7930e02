import { describe, expect, it } from 'vitest';
import { verifyCluster } from '../../../../src/features/cluster/verify.ts';
import { type Applied, applied } from '../../../support/live/applied-objects.ts';
import {
  desiredOf,
  goldenCase,
  memoryCluster,
  verificationOf,
} from '../../../support/live/verification.ts';

describe('verifyCluster, for routes of other namespaces,', () => {
  const [early, late] = ['2026-11-19T08:00:00Z', '2026-11-21T08:00:00Z'];
  const all = { path: { type: 'PathPrefix', value: '/' } };
  const closer = 'has the same hostname, so it gets the requests that its rules match more closely';
  const younger =
    'has the same hostname; it is younger, but not every controller prefers the older route';
  const older = 'has the same hostname and is older, so it gets the requests';

  /** A route of the Gateway of the golden case, made before its routes, unless a test says otherwise. */
  const httpRoute = (hostname: string, more: object = {}) => ({
    ...{ namespace: 'thief', created: early, match: all, hostname, labels: {}, accepted: 'True' },
    ...{ parent: { namespace: 'gateways', name: 'public' } as object },
    ...more,
  });
  type Written = ReturnType<typeof httpRoute>;

  /** Gives the routes of the golden case an age, and the acceptance of their Gateway. */
  function acceptAll({ httpRoute: routes }: Pick<Applied, 'httpRoute'>): void {
    for (const route of routes) {
      route.metadata.creationTimestamp = '2026-11-20T08:00:00Z';
      const parentRef = { namespace: 'gateways', name: 'public' };
      const conditions = ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True' }));
      route.status = { parents: [{ parentRef, conditions }] };
    }
  }

  /** The findings of verify when the route is live beside those of the golden case, as `OBJECT: MESSAGE`. */
  async function findingsBeside(written: Written): Promise<readonly string[]> {
    const { namespace, created, parent, match, hostname, labels, accepted } = written;
    const { findings } = await verificationOf(goldenCase('hostnames'), (live) => {
      acceptAll(live);
      live.httpRoute.push({
        metadata: { name: 'taken', namespace, creationTimestamp: created, labels },
        spec: { parentRefs: [parent], hostnames: [hostname], rules: [{ matches: [match] }] },
        status: {
          parents: [{ parentRef: parent, conditions: [{ type: 'Accepted', status: accepted }] }],
        },
      });
    });
    return findings.map(({ object, message, hint }) => {
      expect(hint).toMatch(/^delete HTTPRoute \w+\/taken, or remove the hostname from it: /);
      return `${object.replace(/-\w+$/, '')}: ${message}`;
    });
  }

  it.each<readonly [string, Written, readonly string[]]>([
    [
      'an older one of the same hostname',
      httpRoute('shop.example.com'),
      [`HTTPRoute shop/shop.example.com: HTTPRoute thief/taken ${older}`],
    ],
    [
      'one of the same age whose namespace comes first',
      httpRoute('shop.example.com', { namespace: 'a', created: '2026-11-20T08:00:00Z' }),
      [`HTTPRoute shop/shop.example.com: HTTPRoute a/taken ${older}`],
    ],
    [
      'a younger one with a longer path',
      httpRoute('shop.example.com', {
        created: late,
        match: { path: { type: 'PathPrefix', value: '/login' } },
      }),
      [`HTTPRoute shop/shop.example.com: HTTPRoute thief/taken ${closer}`],
    ],
    [
      'a younger one with a header',
      httpRoute('shop.example.com', {
        created: late,
        match: { ...all, headers: [{ name: 'cookie', value: 'x' }] },
      }),
      [`HTTPRoute shop/shop.example.com: HTTPRoute thief/taken ${closer}`],
    ],
    [
      'a younger one of all paths',
      httpRoute('shop.example.com', { created: late }),
      [`HTTPRoute shop/shop.example.com: HTTPRoute thief/taken ${younger}`],
    ],
    ['one of its own namespace', httpRoute('shop.example.com', { namespace: 'shop' }), []],
    [
      'an older one with a longer path by its path',
      httpRoute('shop.example.com', { match: { path: { type: 'Exact', value: '/' } } }),
      [`HTTPRoute shop/shop.example.com: HTTPRoute thief/taken ${closer}`],
    ],
    [
      'none of another Gateway',
      httpRoute('shop.example.com', { parent: { namespace: 'gateways', name: 'private' } }),
      [],
    ],
    [
      'none of a mesh',
      httpRoute('shop.example.com', {
        parent: { kind: 'Service', namespace: 'gateways', name: 'public' },
      }),
      [],
    ],
    [
      'none in the namespace of the Gateway, such as a redirect',
      httpRoute('shop.example.com', { namespace: 'gateways' }),
      [],
    ],
    ['none that the Gateway refuses', httpRoute('shop.example.com', { accepted: 'False' }), []],
    ['none of another hostname', httpRoute('shop.example.org'), []],
    [
      'one of a name below a wildcard, of any age',
      httpRoute('a.b.shop.example.com', { created: late }),
      [
        'HTTPRoute shop/wildcard: HTTPRoute thief/taken routes a.b.shop.example.com, which is below this wildcard',
      ],
    ],
    ['none of a wildcard above', httpRoute('*.example.com'), []],
  ])('reports %s', async (_, written, findings) => {
    expect(await findingsBeside(written)).toEqual(findings);
  });

  /** The Gateway of the golden case, whose one listener has a hostname. */
  const listening = (hostname: string, more: object = {}) => ({
    metadata: { name: 'public', namespace: 'gateways' },
    spec: {
      listeners: [
        {
          ...{ name: 'web', protocol: 'HTTPS', port: 443, hostname },
          ...{ allowedRoutes: { namespaces: { from: 'All' } }, ...more },
        },
      ],
    },
  });
  const from = (namespaces: object) => ({ allowedRoutes: { namespaces } });
  const selecting = (team: string) =>
    from({ from: 'Selector', selector: { matchLabels: { team } } });
  const ofKind = (kind: string) => ({
    allowedRoutes: { namespaces: { from: 'All' }, kinds: [{ kind }] },
  });
  const taken = (hostname: string) =>
    `takes the hostname ${hostname} of the listener web, so it can get the requests`;
  const shop = [`HTTPRoute shop/shop.example.com: ${taken('shop.example.com')}`];
  const wild = [`HTTPRoute shop/wildcard: ${taken('a.shop.example.com')}`];

  /** A route of no hostname of its own, unless a test says otherwise. */
  interface Taking {
    readonly kind?: 'httpRoute' | 'grpcRoute';
    readonly hostnames?: readonly string[];
    readonly ref?: object;
  }

  it.each<readonly [string, object, Taking, readonly string[]]>([
    [
      'one without hostnames on a listener of the hostname',
      listening('shop.example.com'),
      {},
      shop,
    ],
    ['one on a listener below a wildcard', listening('a.shop.example.com'), {}, wild],
    [
      'one with a wildcard that includes that of the listener',
      listening('a.shop.example.com'),
      { hostnames: ['*.example.com'] },
      wild,
    ],
    ['a GRPCRoute without hostnames', listening('shop.example.com'), { kind: 'grpcRoute' }, shop],
    [
      'one by the section that names the listener',
      listening('shop.example.com'),
      { ref: { sectionName: 'web', port: 443 } },
      shop,
    ],
    [
      'one of a namespace that the listener selects',
      listening('shop.example.com', selecting('red')),
      {},
      shop,
    ],
    [
      'one of a kind that the listener names',
      listening('shop.example.com', ofKind('GRPCRoute')),
      { kind: 'grpcRoute' },
      shop,
    ],
    ['none on a listener without a hostname', listening(''), {}, []],
    ['none on a listener of another hostname', listening('*.example.com'), {}, []],
    [
      'none with a wildcard that does not include that of the listener',
      listening('shop.example.com'),
      { hostnames: ['*.example.org'] },
      [],
    ],
    [
      'none of another section',
      listening('shop.example.com'),
      { ref: { sectionName: 'other' } },
      [],
    ],
    ['none of another port', listening('shop.example.com'), { ref: { port: 80 } }, []],
    ['none that may not attach', listening('shop.example.com', from({ from: 'Same' })), {}, []],
    ['none by default', listening('shop.example.com', { allowedRoutes: undefined }), {}, []],
    ['none of another team', listening('shop.example.com', selecting('blue')), {}, []],
    [
      'none of another kind',
      listening('shop.example.com', ofKind('HTTPRoute')),
      { kind: 'grpcRoute' },
      [],
    ],
    ['none of TLS', listening('shop.example.com', { protocol: 'TLS' }), {}, []],
    ['none of a Gateway without listeners', {}, {}, []],
  ])(
    'of routes that take hostnames of listeners, reports %s',
    async (_, gateway, { kind = 'httpRoute', hostnames = [], ref = {} }, expected) => {
      const { findings } = await verificationOf(goldenCase('hostnames'), (live) => {
        acceptAll(live);
        if ('metadata' in gateway) live.gateway.push(gateway as never);
        live.namespace.push({ metadata: { name: 'thief', labels: { team: 'red' } } });
        const parentRef = { namespace: 'gateways', name: 'public', ...ref };
        live[kind].push({
          metadata: { name: 'taken', namespace: 'thief', creationTimestamp: late },
          spec: { parentRefs: [parentRef], hostnames, rules: [{ matches: [all] }] },
        });
      });
      const rival = `${kind === 'grpcRoute' ? 'GRPCRoute' : 'HTTPRoute'} thief/taken `;
      expect(
        findings.map(
          ({ object, message }) => `${object.replace(/-\w+$/, '')}: ${message.replace(rival, '')}`,
        ),
      ).toEqual(expected);
      for (const { hint } of findings) {
        expect(hint).toMatch(/^delete \w+ thief\/taken, or name its hostnames: /);
      }
    },
  );

  it.each([
    ['older', early, [{}], older],
    ['of a method', late, [{ matches: [{ method: { service: 'shop.Cart' } }] }], closer],
    ['younger', late, [{}], younger],
  ])(
    'reports a GRPCRoute of the same hostname: %s',
    async (_, creationTimestamp, rules, reason) => {
      const { findings } = await verificationOf(goldenCase('hostnames'), (live) => {
        acceptAll(live);
        live.grpcRoute.push({
          metadata: {
            ...{ name: 'cart', namespace: 'thief', creationTimestamp },
            labels: { 'app.kubernetes.io/managed-by': 'leasehold' },
          },
          spec: {
            parentRefs: [{ namespace: 'gateways', name: 'public' }],
            hostnames: ['shop.example.com'],
            rules,
          },
        });
      });
      expect(findings.map(({ message }) => message)).toEqual([`GRPCRoute thief/cart ${reason}`]);
    },
  );

  it('needs neither Gateways nor GRPCRoutes in a cluster', async () => {
    const root = goldenCase('hostnames');
    const { gateway: _, grpcRoute: __, ...objects } = applied(root);
    acceptAll(objects);
    const { findings } = await verifyCluster(await desiredOf(root), memoryCluster(objects));
    expect(findings).toEqual([]);
  });

  it('reports Ingresses of the same class', async () => {
    const root = goldenCase('hostnames');
    const objects = applied(root, 'lab');
    const [leased] = objects.ingress;
    const ingress = (name: string, host: string, path: string, ingressClassName = 'nginx') => ({
      metadata: { name, namespace: 'thief', creationTimestamp: late },
      spec: { ingressClassName, rules: [{ host, http: { paths: [{ path }] } }] },
    });
    if (leased) leased.metadata.creationTimestamp = early;
    objects.ingress.push(
      ingress('login', 'con.blog.example.org', '/login'),
      ingress('all', 'con.blog.example.org', '/'),
      ingress('class', 'con.blog.example.org', '/login', 'other'),
      {
        ...ingress('annotated', 'con.blog.example.org', '/', ''),
        metadata: {
          ...ingress('annotated', '', '').metadata,
          annotations: { 'kubernetes.io/ingress.class': 'nginx' },
        },
      },
      ingress('below', 'a.con.blog.example.org', '/'),
    );
    const { findings } = await verifyCluster(await desiredOf(root, 'lab'), memoryCluster(objects));
    expect(findings.map(({ message }) => message)).toEqual([
      `Ingress thief/all ${younger}`,
      `Ingress thief/annotated ${younger}`,
      `Ingress thief/login ${closer}`,
    ]);
  });

  it('reports a route of leasehold that is not in dist/ as left over, and not a second time', async () => {
    const label = { 'app.kubernetes.io/managed-by': 'leasehold' };
    const { findings, objects } = await verificationOf(goldenCase('hostnames'), (live) => {
      acceptAll(live);
      const [leased] = live.httpRoute;
      if (leased)
        live.httpRoute.push({
          ...leased,
          metadata: { ...leased.metadata, namespace: 'before', labels: label },
        });
    });
    expect(findings).toEqual([]);
    expect(objects.map(({ object, state }) => `${state} ${object}`)).toEqual([
      expect.stringMatching(/^left over HTTPRoute before\//),
    ]);
  });
});
