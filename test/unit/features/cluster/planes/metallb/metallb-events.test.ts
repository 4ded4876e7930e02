import { describe, expect, it } from 'vitest';
import { metalLBWarnings } from '../../../../../../src/features/cluster/planes/metallb/metallb-events.ts';

const service = { metadata: { name: 'app', namespace: 'web', uid: 'one' } };
const subject = { kind: 'Service', namespace: 'web', name: 'app', uid: 'one' };
const warning = (fields: object) => ({
  metadata: { name: 'app.1', namespace: 'web' },
  type: 'Warning',
  reason: 'AllocationFailed',
  message: 'no',
  involvedObject: subject,
  ...fields,
});

/** The warning about the Service. */
function warningOf(...events: ReturnType<typeof warning>[]): string | undefined {
  return metalLBWarnings([service], events).get('Service web/app');
}

describe('metalLBWarnings', () => {
  it('returns reason and message', () => {
    expect(warningOf(warning({}))).toBe('AllocationFailed: no');
    expect(warningOf(warning({ reason: undefined, message: ' no\n' }))).toBe('Warning: no');
  });

  it("accepts events of MetalLB's components", () => {
    expect(warningOf(warning({ source: { component: 'metallb-controller' } }))).toBeDefined();
    expect(warningOf(warning({ reportingComponent: 'metallb-speaker' }))).toBeDefined();
    expect(warningOf(warning({ source: {}, reportingComponent: '' }))).toBeDefined();
  });

  it('returns the newest by whichever time it has', () => {
    const old = warning({ message: 'old', lastTimestamp: '2026-11-20T10:00:00Z' });
    const newer = [
      { lastTimestamp: '2026-11-20T10:00:01Z' },
      { lastTimestamp: null, eventTime: '2026-11-20T10:00:00.500000Z' },
      { series: { lastObservedTime: '2026-11-20T10:00:00.000001Z' } },
      { metadata: { name: 'a', creationTimestamp: '2026-11-20T11:00:00Z' } },
    ];
    for (const fields of newer) {
      const event = warning({ message: 'new', ...fields });
      expect(warningOf(old, event), JSON.stringify(fields)).toBe('AllocationFailed: new');
      expect(warningOf(event, old), JSON.stringify(fields)).toBe('AllocationFailed: new');
    }
  });

  it('orders events of the same time by their text', () => {
    const [a, b] = [warning({ message: 'a' }), warning({ message: 'b' })];

    expect(warningOf(a, b)).toBe(warningOf(b, a));
  });

  it.each([
    ['of type Normal', { type: 'Normal' }],
    ['of another kind', { involvedObject: { ...subject, kind: 'Pod' } }],
    ['of another name', { involvedObject: { ...subject, name: 'other' } }],
    ['of another namespace', { involvedObject: { ...subject, namespace: 'other' } }],
    ['of a former Service', { involvedObject: { ...subject, uid: 'two' } }],
    ['about no object', { involvedObject: undefined }],
    ['of another controller', { source: { component: 'endpoint-slice-controller' } }],
    ['reported by another controller', { source: {}, reportingComponent: 'service-controller' }],
    ['about the prefix of an annotation', { reason: 'deprecatedAnnotation' }],
  ])('ignores events %s', (_, fields) => {
    expect(warningOf(warning(fields))).toBeUndefined();
  });
});
