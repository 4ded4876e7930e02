import { describe, expect, it } from 'vitest';
import { withCredentials } from '../../../../src/lib/kubernetes/world/kubeconfig.ts';

describe('the credentials of a program', () => {
  it('time out', async () => {
    const user = { name: 'me', exec: { command: 'sleep', args: ['60'] } };

    await expect(withCredentials(user, 50)).rejects.toThrow(
      /the program sleep, .* it was ended by SIGTERM, after 0.05 s at the latest$/,
    );
  });

  it('may be a certificate and a key', async () => {
    const status = { clientCertificateData: 'PEM 1', clientKeyData: 'PEM 2' };
    const user = { name: 'me', exec: { command: 'echo', args: [JSON.stringify({ status })] } };
    const { exec, certData, keyData } = await withCredentials(user);

    expect([exec, atob(certData ?? ''), atob(keyData ?? '')]).toEqual([
      undefined,
      'PEM 1',
      'PEM 2',
    ]);
    expect(await withCredentials({ name: 'other', token: 'a' })).toEqual({
      name: 'other',
      token: 'a',
    });
  });
});
