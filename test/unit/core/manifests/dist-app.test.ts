import { ApiObject, type Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-28';
import { expect, test } from 'vitest';
import { ProviderLeasedIp } from '../../../../imports/akash.network.ts';
import { IpAddressPool, L2Advertisement } from '../../../../imports/metallb.io.ts';
import { DistApp, PlainObject } from '../../../../src/core/manifests/dist-app.ts';
import {
  KeepObject,
  LabelledNamespace,
} from '../../../../src/core/manifests/objects/cluster-objects.ts';
import {
  IPv6NetworkPolicy,
  LeasedIPObject,
  LeaseService,
} from '../../../../src/core/manifests/objects/lease-objects.ts';
import { addAdvertisement, HeldPool } from '../../../../src/core/manifests/objects/pool-objects.ts';
import { yamlText } from '../../../../src/core/manifests/yaml-text.ts';
import {
  aClaim,
  anAddress,
  aPool,
  thePools,
} from '../../../support/declarations/pools-and-claims.ts';

const [cluster] = thePools().clusters;
const claim = aClaim({ ipFamily: 'dual' });
const addresses = [anAddress('203.0.113.7'), anAddress('2001:db8::7')] as const;
const metallbNamespace = 'metallb-system';

/** Each kind of object once. */
function defineAll(chart: Chart): void {
  const pool = aPool();
  new HeldPool(chart, 'pool', { pool, addresses, metallbNamespace, namespaces: ['a', 'b'] });
  addAdvertisement(chart, 'advertisement', pool.advertise[0]!, { name: 'ip', metallbNamespace });
  new LeasedIPObject(chart, 'leased-ip', 'akash', claim);
  new LeaseService(chart, 'service', cluster!, { claims: [claim], addresses });
  new IPv6NetworkPolicy(chart, 'policy', claim);
  new LabelledNamespace(chart, 'namespace', 'a', { x: 'y' });
  new KeepObject(chart, 'keep', cluster!, '');
}

/** The generated classes of those objects, in their order. */
const classes = [
  IpAddressPool,
  L2Advertisement,
  ProviderLeasedIp,
  k8s.KubeService,
  k8s.KubeNetworkPolicy,
  k8s.KubeNamespace,
  k8s.KubeConfigMap,
];

test('an object renders as its generated class does in a chart', () => {
  const rendered: string[] = [];
  const manifests = new DistApp().renderFile((chart) => {
    defineAll(chart);
    for (const [index, object] of chart.apiObjects.entries()) {
      expect(object).toBeInstanceOf(classes[index]);
      rendered.push(yamlText([classes[index]?.prototype.toJson.call(object)]));
    }
  });
  expect(rendered).toHaveLength(classes.length);
  expect(manifests.map((manifest) => yamlText([manifest]))).toEqual(rendered);
});

test('a chart is a child of the app until its file is rendered', () => {
  const app = new DistApp();
  for (const name of ['a', 'b']) {
    const manifests = app.renderFile((chart) => {
      expect(app.charts).toEqual([chart]);
      new LabelledNamespace(chart, 'namespace', name, {});
    });
    expect(manifests.map(({ metadata }) => metadata.name)).toEqual([name]);
  }
  expect(app.node.children).toEqual([]);
});

test('a plain object renders unchanged', () => {
  const written = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', namespace: 'b', labels: {}, annotations: {} },
    spec: { loadBalancerIP: '203.0.113.7', ports: [] },
  };
  const [manifest] = new DistApp().renderFile((chart) => {
    expect(new PlainObject(chart, 'object', written)).toBeInstanceOf(ApiObject);
  });
  expect(manifest).toEqual(written);
});
