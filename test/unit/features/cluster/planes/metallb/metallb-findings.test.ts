import { describe, expect, it } from 'vitest';
import { refusedConfigurations } from '../../../../../../src/features/cluster/planes/metallb/metallb-findings.ts';

const state = (status: unknown) => ({
  metadata: { name: 'controller', namespace: 'metallb-system' },
  status,
});

describe('refusedConfigurations', () => {
  it('names the component and the reason', () => {
    expect(refusedConfigurations([state({ result: 'Invalid', errorSummary: 'overlap' })])).toEqual([
      expect.objectContaining({
        object: 'ConfigurationState metallb-system/controller',
        message: expect.stringMatching(/: overlap$/),
      }),
    ]);
  });

  it('reports each reason once for several speakers', () => {
    const named = (name: string, errorSummary: string) => ({
      metadata: { name, namespace: 'm' },
      status: { result: 'Invalid', errorSummary },
    });
    const states = [named('speaker-b', 'x'), named('speaker-a', 'x'), named('controller', 'y')];

    expect(
      refusedConfigurations(states).map(({ object, message }) => `${object} ${message}`),
    ).toEqual([
      expect.stringMatching(
        /^ConfigurationState m\/speaker-a .*: x \(reported by 2 MetalLB components\)$/,
      ),
      expect.stringMatching(/^ConfigurationState m\/controller .*: y$/),
    ]);
  });

  it('reports a missing reason', () => {
    const [finding] = refusedConfigurations([state({ result: 'Invalid', errorSummary: ' ' })]);
    expect(finding?.message).toMatch(/: no reason given$/);
  });

  it.each([{ result: 'Valid' }, { result: 'Unknown' }, {}, undefined])(
    'ignores other states: %s',
    (status) => {
      expect(refusedConfigurations([state(status)])).toEqual([]);
    },
  );
});
