import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Pool } from '../../../../../src/core/model/pools.ts';
import {
  type KubesprayTarget,
  kubesprayVariables,
} from '../../../../../src/features/setup/bootstrap/kubespray.ts';
import { aPool } from '../../../../support/declarations/pools-and-claims.ts';

const namespaceAt = { file: 'leases/pools.yaml', line: 3, column: 1 };

/** The parsed variables, or the problems. */
function variables(
  generation: KubesprayTarget['generation'],
  namespace: string,
  ...pools: readonly Pool[]
): unknown {
  const metallb = { version: '0.13.9', namespace };
  const written = kubesprayVariables({ generation, metallb, namespaceAt, pools });
  if (written.ok) return parse(written.value.text);
  return written.problems.map(({ code, at }) => `${code} ${at.line}`);
}

describe('kubesprayVariables', () => {
  const pool = aPool({ name: 'web', addresses: ['203.0.113.0/28'], avoidBuggyIPs: true });

  test('names another namespace from 2.23 on, and is a problem before', () => {
    expect(variables('second', 'lb', pool)).toMatchObject({ metallb_namespace: 'lb' });
    expect(variables('first', 'lb', pool)).toEqual(['KUBESPRAY_UNSAID 3']);
    expect(variables('first', 'metallb-system', pool)).not.toHaveProperty('metallb_namespace');
  });

  test('names the loadBalancerClass from 2.23 on, and has a caution before', () => {
    const metallb = { version: '0.13.9', namespace: 'metallb-system', loadBalancerClass: 'lb' };
    const written = (generation: KubesprayTarget['generation']) => {
      const found = kubesprayVariables({ generation, metallb, namespaceAt, pools: [pool] });
      if (!found.ok) throw new Error(JSON.stringify(found.problems));
      return { variables: parse(found.value.text), cautions: found.value.cautions };
    };
    expect(written('second').variables).toHaveProperty('metallb_loadbalancer_class', 'lb');
    expect(written('first').variables).not.toHaveProperty('metallb_loadbalancer_class');
    expect(written('first').cautions[0]).toContain('starts MetalLB without --lb-class=lb');
    expect(written('second').cautions).toEqual([]);
  });

  test('has the pools in the format of each generation', () => {
    const other = aPool({ name: 'lab', addresses: ['192.0.2.0/28'] });
    expect(variables('first', 'metallb-system', pool, other)).toEqual({
      kube_proxy_strict_arp: true,
      metallb_additional_address_pools: {
        lab: {
          auto_assign: false,
          avoid_buggy_ips: false,
          ip_range: ['192.0.2.0/28'],
          protocol: 'layer2',
        },
      },
      metallb_auto_assign: false,
      metallb_avoid_buggy_ips: true,
      metallb_enabled: true,
      metallb_ip_range: ['203.0.113.0/28'],
      metallb_pool_name: 'web',
      metallb_protocol: 'layer2',
      metallb_speaker_enabled: true,
    });
    expect(variables('second', 'metallb-system', pool)).toMatchObject({
      metallb_config: {
        address_pools: {
          web: { auto_assign: false, avoid_buggy_ips: true, ip_range: ['203.0.113.0/28'] },
        },
        layer2: ['web'],
      },
    });
  });

  test.each(['no', '1e3', '4-floor'])('rejects the pool name %s for 2.22', (name) => {
    expect(variables('first', 'metallb-system', { ...pool, name })).toEqual(['KUBESPRAY_UNSAID 1']);
    expect(variables('second', 'metallb-system', { ...pool, name })).toHaveProperty([
      'metallb_config',
      'address_pools',
      name,
    ]);
  });
});
