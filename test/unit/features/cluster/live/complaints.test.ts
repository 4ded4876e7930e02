import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../../../../../src/features/cluster/live/complaints.ts';

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

/** The complaint about the Service. */
function complaint(...events: ReturnType<typeof warning>[]): string | undefined {
  return complaintsAbout([service], events).get('Service web/app');
}

describe('complaintsAbout', () => {
  it('gives reason and message', () => {
    expect(complaint(warning({}))).toBe('AllocationFailed: no');
    expect(complaint(warning({ reason: undefined, message: ' no\n' }))).toBe('Warning: no');
  });

  it('takes what parts of MetalLB say', () => {
    expect(complaint(warning({ source: { component: 'metallb-controller' } }))).toBeDefined();
    expect(complaint(warning({ reportingComponent: 'metallb-speaker' }))).toBeDefined();
    expect(complaint(warning({ source: {}, reportingComponent: '' }))).toBeDefined();
  });

  it('gives the newest, by whichever time it has', () => {
    const old = warning({ message: 'old', lastTimestamp: '2026-11-20T10:00:00Z' });
    const newer = [
      { lastTimestamp: '2026-11-20T10:00:01Z' },
      { lastTimestamp: null, eventTime: '2026-11-20T10:00:00.500000Z' },
      { series: { lastObservedTime: '2026-11-20T10:00:00.000001Z' } },
      { metadata: { name: 'a', creationTimestamp: '2026-11-20T11:00:00Z' } },
    ];
    for (const fields of newer) {
      const event = warning({ message: 'new', ...fields });
      expect(complaint(old, event), JSON.stringify(fields)).toBe('AllocationFailed: new');
      expect(complaint(event, old), JSON.stringify(fields)).toBe('AllocationFailed: new');
    }
  });

  it('chooses between two of one time by their text, whatever the order', () => {
    const [a, b] = [warning({ message: 'a' }), warning({ message: 'b' })];

    expect(complaint(a, b)).toBe(complaint(b, a));
  });

  it.each([
    ['a normal event', { type: 'Normal' }],
    ['of another kind', { involvedObject: { ...subject, kind: 'Pod' } }],
    ['of another name', { involvedObject: { ...subject, name: 'other' } }],
    ['of another namespace', { involvedObject: { ...subject, namespace: 'other' } }],
    ['of a former Service', { involvedObject: { ...subject, uid: 'two' } }],
    ['of nothing', { involvedObject: undefined }],
    ['of another controller', { source: { component: 'endpoint-slice-controller' } }],
    ['reported by another controller', { source: {}, reportingComponent: 'service-controller' }],
    ['about the prefix of an annotation', { reason: 'deprecatedAnnotation' }],
  ])('leaves out what is %s', (_, fields) => {
    expect(complaint(warning(fields))).toBeUndefined();
  });
});
