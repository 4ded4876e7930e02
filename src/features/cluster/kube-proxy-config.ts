import { valueAt } from '../../text/field-text.ts';
import { readYaml } from '../../text/yaml/yaml-document.ts';
import type { KubeProxy } from './doctor/kube-proxy.ts';

/**
 * The KubeProxyConfiguration of kubeadm's ConfigMap kube-system/kube-proxy, key `config.conf`; undefined
 * when the text is none.
 */
export function readKubeProxyConfig(text: string): KubeProxy | undefined {
  const document = readYaml('config.conf', Buffer.from(text), 'refused');
  if (!document.ok) return undefined;
  if (valueAt(document.value.value, ['kind']) !== 'KubeProxyConfiguration') return undefined;
  const mode = valueAt(document.value.value, ['mode']);
  const strictARP = valueAt(document.value.value, ['ipvs', 'strictARP']);
  return { mode: typeof mode === 'string' ? mode : '', strictARP: strictARP === true };
}
