import { describe, expect, it } from 'vitest';
import { findingsOf, levelOf } from '../../../../support/live/findings.ts';

const poolLayout = { metallb: 'version: 0.14.9, layout: pool' };

describe('KUBERNETES_VERSION', () => {
  it.each([
    ['v1.30.14', 'problem'],
    ['v1.31.0', 'ok'],
    ['v1.31.0-rc.1', 'ok'],
    ['v1.31.4+k3s1', 'ok'],
    ['v1.9.11', 'problem'],
    ['v2.0.0', 'ok'],
    ['v0.0.0-master+$Format:%H$', 'unknown'],
    ['main', 'unknown'],
  ])('%s with layout: pool is %s', async (version, level) => {
    expect(await levelOf('KUBERNETES_VERSION', { version }, poolLayout)).toBe(level);
  });

  it('is ok for any version with layout: lease', async () => {
    expect(await levelOf('KUBERNETES_VERSION', { version: 'v1.24.0' })).toBe('ok');
  });
});

describe('AKASH_KINDS', () => {
  it.each([
    [{}, true, 'ok'],
    [{ leasedIP: undefined }, true, 'problem'],
    [{ leasedIP: undefined }, false, 'none'],
  ])('with %j and emit.providerLeasedIP %s is %s', async (objects, providerLeasedIP, level) => {
    expect(await levelOf('AKASH_KINDS', { objects }, { providerLeasedIP })).toBe(level);
  });

  it.each([
    [{ providerHost: undefined }, {}, 'ok'],
    [{ providerHost: undefined }, { provider: true, routes: true }, 'problem'],
    [{ providerHost: undefined }, { provider: true, routes: true, providerHost: false }, 'ok'],
    [{ providerHost: undefined }, { routes: true, providerLeasedIP: false }, 'none'],
    [{}, { provider: true, routes: true, providerLeasedIP: false }, 'ok'],
    [{}, { provider: true, providerLeasedIP: false }, 'none'],
  ])('with %j and %j is %s', async (objects, declared, level) => {
    expect(await levelOf('AKASH_KINDS', { objects }, declared)).toBe(level);
  });

  it('names the field that stops each kind that is not served', async () => {
    const objects = { leasedIP: undefined, providerHost: undefined };
    const declared = { provider: true, routes: true };
    const [finding] = await findingsOf('AKASH_KINDS', { objects }, declared);

    expect(finding?.found).toBe(
      'the cluster does not serve providerleasedips, providerhosts of akash.network/v2beta2',
    );
    expect(finding?.fix).toContain('emit.providerLeasedIP: false and emit.providerHost: false');
  });
});
