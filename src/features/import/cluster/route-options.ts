import type { HttpOptions } from '../../../core/model/lease.ts';
import { fieldAt, listAt, textAt } from '../../../core/model/live.ts';
import type { Routes } from '../../../core/model/pools.ts';
import type { SourceObject } from '../metallb/source-object.ts';

/**
 * The HTTP options in the annotations of a route, as the Akash provider's hostname operator writes
 * them, in the units of `HttpOptions`; empty when there are none. Values that cannot be read are left
 * out. Akash provider: cluster/kube/client_ingress.go, cluster/kube/gateway/nginx_gateway.go.
 */
export function routeOptions(
  kind: Routes['kind'],
  annotations: Readonly<Record<string, unknown>>,
): Partial<HttpOptions> {
  const { domain, body } = writtenBy[kind];
  const text = (key: string): string => String(annotations[`${domain}/${key}`] ?? '');
  const cases = text('proxy-next-upstream').split(' ');
  return given({
    maxBodySize: whole(text(body)),
    readTimeout: inMilliseconds(text('proxy-read-timeout')),
    sendTimeout: inMilliseconds(text('proxy-send-timeout')),
    nextTries: whole(text('proxy-next-upstream-tries')),
    nextTimeout: inMilliseconds(text('proxy-next-upstream-timeout')),
    nextCases: cases[0] === '' ? undefined : cases.map((one) => one.replace(/^http_/, '')),
  });
}

/** The domain of the annotations on each kind of route, and the key of the longest body. */
const writtenBy = {
  Ingress: { domain: 'nginx.ingress.kubernetes.io', body: 'proxy-body-size' },
  HTTPRoute: { domain: 'nginx.org', body: 'client-max-body-size' },
} as const;

function given(
  options: {
    readonly [Option in keyof HttpOptions]: HttpOptions[Option] | undefined;
  },
): Partial<HttpOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function whole(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Seconds, with or without their unit. */
function inMilliseconds(text: string): number | undefined {
  const seconds = whole(text.replace(/s$/, ''));
  return seconds === undefined ? undefined : seconds * 1000;
}

/**
 * The HTTP options in policies of NGINX Gateway Fabric, by the namespace and name of their HTTPRoute.
 * apis/v1alpha1: ClientSettingsPolicy and ProxySettingsPolicy.
 */
export function policyOptions(
  policies: readonly SourceObject[],
): ReadonlyMap<string, Partial<HttpOptions>> {
  const found = new Map<string, Partial<HttpOptions>>();
  for (const { namespace = 'default', spec } of policies) {
    const timeout = spec.get('timeout')?.value;
    const options = given({
      ...none,
      maxBodySize: measured(textAt(spec.get('body')?.value, 'maxSize'), sizes),
      readTimeout: measured(textAt(timeout, 'read'), times),
      sendTimeout: measured(textAt(timeout, 'send'), times),
    });
    const targets = [spec.get('targetRef')?.value, ...listAt(spec.get('targetRefs')?.value)];
    for (const target of targets.filter((one) => fieldAt(one, 'kind') === 'HTTPRoute')) {
      const key = `${namespace}/${textAt(target, 'name')}`;
      found.set(key, { ...found.get(key), ...options });
    }
  }
  return found;
}

const none = { nextTries: undefined, nextTimeout: undefined, nextCases: undefined };

/** The units of nginx. */
const sizes: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
const times: Readonly<Record<string, number>> = { ms: 1, '': 1e3, s: 1e3, m: 6e4, h: 36e5 };

function measured(text = '', units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,4})([a-z]*)$/.exec(text) ?? [];
  const one = units[unit];
  return digits === undefined || one === undefined ? undefined : Number(digits) * one;
}
