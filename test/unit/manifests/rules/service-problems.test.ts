import { expect, test } from 'vitest';
import { aClaim, aPlacement, thePools } from '../../../support/builders.ts';
import { problemsOf, rendered } from '../../../support/rendered.ts';

const readable = thePools({ cluster: { naming: 'readable' } });
const at = (line: number) => ({ file: 'leases/1.yaml', line, column: 7 });
const selector = { app: 'web' };

test('readable names need a selector on every endpoint, each of which is named', () => {
  const claims = [80, 443].map((externalPort) => aClaim({ externalPort, at: at(externalPort) }));
  expect(problemsOf(readable, [aPlacement({ claims })])).toMatchObject([
    { code: 'SELECTOR_REQUIRED', at: at(80) },
    { code: 'SELECTOR_REQUIRED', at: at(443) },
  ]);
  expect(rendered(thePools(), [aPlacement({ claims })]).length).toBeGreaterThan(0);
});

test('endpoints of one readable Service with two selectors are a problem', () => {
  const claims = [
    aClaim({ selector: { a: '1', b: '2' }, at: at(1) }),
    aClaim({ selector: { b: '2', a: '1' }, externalPort: 81, at: at(2) }),
    aClaim({ selector: { a: '1' }, externalPort: 82, at: at(3) }),
  ];
  expect(problemsOf(readable, [aPlacement({ claims })])).toMatchObject([
    { code: 'SERVICE_CONFLICT', at: at(3), also: [at(1)] },
  ]);
});

test('endpoints of one readable Service with two families are a problem', () => {
  const claims = [
    aClaim({ selector, ipFamily: 'dual', at: at(1) }),
    aClaim({ selector, ipFamily: 'ipv4', externalPort: 81, at: at(2) }),
  ];
  const placement = aPlacement({ claims, addresses: ['203.0.113.7', '2001:db8::7'] });
  expect(problemsOf(readable, [placement])).toMatchObject([
    { code: 'SERVICE_CONFLICT', at: at(2), also: [at(1)] },
  ]);
});
