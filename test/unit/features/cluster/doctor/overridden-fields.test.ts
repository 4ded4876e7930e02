import { describe, expect, it } from 'vitest';
import type { FindingCode } from '../../../../../src/features/cluster/doctor/finding-codes.ts';
import { findingsOf } from '../../../../support/live/findings.ts';
import { controller, type Live } from '../../../../support/live/healthy-cluster.ts';

/** What the fix of a code names for a cluster `west`, which the pool file has so. */
async function fixFor(code: FindingCode, live: Live, clusters: string): Promise<string> {
  const [finding] = await findingsOf(code, live, { clusters });
  return finding?.fix ?? '';
}

const withClass = { container: { args: ['--lb-class=a.example/b'] } };
const running = (release: string, changes = {}): Live => ({
  objects: { deployment: [controller(release, changes)] },
});

/** Each fix that names a field of MetalLB. */
const fixes: readonly (readonly [FindingCode, Live, field: string])[] = [
  ['METALLB_RELEASE', running('v0.16.1'), 'version: 0.16.1'],
  ['METALLB_RELEASE', running('v0.15.2'), 'version: 0.15.2'],
  ['METALLB_CONTROLLER', running('v0.16.0', { namespace: 'lb' }), 'namespace: lb'],
  ['METALLB_CONTROLLER', { objects: { deployment: [] } }, 'namespace'],
  [
    'METALLB_SPEAKERS',
    { objects: { deployment: [controller('v0.16.0', { namespace: 'lb' })], daemonSet: [] } },
    'namespace: lb',
  ],
  ['METALLB_NAMESPACE', { objects: { namespace: [] } }, 'namespace'],
  ['METALLB_CLASS', running('v0.16.0', withClass), 'loadBalancerClass: a.example/b'],
  ['KUBERNETES_VERSION', { version: 'v1.30.2' }, 'layout: lease'],
];

describe('a fix that names a field of MetalLB', () => {
  it.each(fixes)('%s names that of a cluster which has its own', async (code, live, field) => {
    const own =
      'version: 0.16.0, namespace: metallb-system, layout: pool, loadBalancerClass: x.example/y';
    const one = `{ name: west, metallb: { ${own} } }`;
    expect(await fixFor(code, live, one)).toContain(`set clusters[west].metallb.${field} in`);
    // That of the file would change the other cluster too.
    const two = `{ name: west, metallb: { layout: pool } }, { name: east }`;
    expect(await fixFor(code, live, two)).toContain(`set clusters[west].metallb.${field} in`);
  });

  it.each(fixes)('%s names that of the file otherwise', async (code, live, field) => {
    const metallb = 'version: 0.16.0, layout: pool';
    const [finding] = await findingsOf(code, live, { clusters: '{ name: west }', metallb });
    expect(finding?.fix).toContain(`set metallb.${field} in`);
  });
});
