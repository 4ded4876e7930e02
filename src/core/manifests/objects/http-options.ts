import { type HttpOptions, unusualOptions } from '../../model/lease.ts';
import { type Manifest, type Metadata, wave } from '../manifest.ts';

/**
 * The annotations of an Ingress for ingress-nginx, all of them, since a controller can have other
 * defaults. Times are rounded up to seconds. Akash provider: cluster/kube/client_ingress.go
 * kubeNginxIngressAnnotations.
 */
export function ingressNginxAnnotations(http: HttpOptions): Readonly<Record<string, string>> {
  return {
    [`${ingressNginx}/proxy-body-size`]: String(http.maxBodySize),
    [`${ingressNginx}/proxy-next-upstream`]: http.nextCases
      .map((one) => (/^\d/.test(one) ? `http_${one}` : one))
      .join(' '),
    [`${ingressNginx}/proxy-next-upstream-timeout`]: String(inSeconds(http.nextTimeout)),
    [`${ingressNginx}/proxy-next-upstream-tries`]: String(http.nextTries),
    [`${ingressNginx}/proxy-read-timeout`]: String(inSeconds(http.readTimeout)),
    [`${ingressNginx}/proxy-send-timeout`]: String(inSeconds(http.sendTimeout)),
  };
}

const ingressNginx = 'nginx.ingress.kubernetes.io';

/**
 * The policies of NGINX Gateway Fabric for the options of an HTTPRoute that differ from Akash's
 * defaults. The controller reads no annotation of an HTTPRoute. Its policies: apis/v1alpha1, since
 * version 2.4.
 */
export function nginxPolicies(route: Metadata, http: HttpOptions): readonly Manifest[] {
  const unusual = unusualOptions(http);
  const target = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: route.name };
  const maxSize = unusual.has('maxBodySize') ? sizeText(http.maxBodySize) : undefined;
  const read = unusual.has('readTimeout') ? `${inSeconds(http.readTimeout)}s` : undefined;
  const send = unusual.has('sendTimeout') ? `${inSeconds(http.sendTimeout)}s` : undefined;
  const policies: Manifest[] = [];
  if (maxSize !== undefined) {
    policies.push({
      apiVersion: 'gateway.nginx.org/v1alpha1',
      kind: 'ClientSettingsPolicy',
      metadata: { ...route, annotations: wave('clientSettingsPolicy') },
      spec: { targetRef: target, body: { maxSize } },
    });
  }
  if (read !== undefined || send !== undefined) {
    policies.push({
      apiVersion: 'gateway.nginx.org/v1alpha1',
      kind: 'ProxySettingsPolicy',
      metadata: { ...route, annotations: wave('proxySettingsPolicy') },
      spec: { targetRefs: [target], timeout: { read, send } },
    });
  }
  return policies;
}

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

/** A size in at most four digits and a unit, rounded up: 104857600 is `100m`. */
function sizeText(bytes: number): string {
  if (bytes <= 9999) return String(bytes);
  const kibibytes = Math.ceil(bytes / 1024);
  const exact = bytes % 2 ** 20 === 0 || kibibytes > 9999;
  return exact ? `${Math.ceil(bytes / 2 ** 20)}m` : `${kibibytes}k`;
}
