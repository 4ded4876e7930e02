import { describe, expect, it } from 'vitest';
import { refusedConfigurations } from '../../../../../src/features/cluster/live/cluster-findings.ts';

const state = (status: unknown) => ({
  metadata: { name: 'controller', namespace: 'metallb-system' },
  status,
});

describe('refusedConfigurations', () => {
  it('tells the component and the reason', () => {
    expect(refusedConfigurations([state({ result: 'Invalid', errorSummary: 'overlap' })])).toEqual([
      expect.objectContaining({
        object: 'ConfigurationState metallb-system/controller',
        message: expect.stringMatching(/: overlap$/),
      }),
    ]);
  });

  it('tells a reason once, however many speakers there are', () => {
    const named = (name: string, errorSummary: string) => ({
      metadata: { name, namespace: 'm' },
      status: { result: 'Invalid', errorSummary },
    });
    const states = [named('speaker-b', 'x'), named('speaker-a', 'x'), named('controller', 'y')];

    expect(
      refusedConfigurations(states).map(({ object, message }) => `${object} ${message}`),
    ).toEqual([
      expect.stringMatching(
        /^ConfigurationState m\/speaker-a .*: x \(2 parts of MetalLB say so\)$/,
      ),
      expect.stringMatching(/^ConfigurationState m\/controller .*: y$/),
    ]);
  });

  it('does without a reason', () => {
    const [finding] = refusedConfigurations([state({ result: 'Invalid', errorSummary: ' ' })]);
    expect(finding?.message).toMatch(/: it does not say why$/);
  });

  it.each([{ result: 'Valid' }, { result: 'Unknown' }, {}, undefined])(
    'tells nothing of any other state: %s',
    (status) => {
      expect(refusedConfigurations([state(status)])).toEqual([]);
    },
  );
});
