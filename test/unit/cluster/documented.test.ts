import { expect, test } from 'vitest';
import { documented } from '../../support/cluster/documented.ts';

test.each(['AppProject', 'Application', 'GitRepository', 'Kustomization'])(
  'the suite takes its %s from the page',
  (kind) => {
    expect(documented(kind)).toMatchObject({
      kind,
      metadata: { name: expect.stringMatching(/^leases/) },
    });
  },
);
