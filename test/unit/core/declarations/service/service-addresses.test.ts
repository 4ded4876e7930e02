import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import {
  declaredBy,
  placeText,
  problemsOf,
  serviceText,
} from '../../../../support/declarations/read-declaration.ts';

type Annotated = 'ipv4' | 'ipv6' | 'dual' | undefined;

function text(
  annotated: Annotated,
  families: string | undefined,
  policy: string | undefined,
): string {
  const annotations = annotated === undefined ? {} : { 'ipam.vitistack.io/ip-family': annotated };
  const lines = [
    families === undefined ? [] : [`ipFamilies: ${families}`],
    policy === undefined ? [] : [`ipFamilyPolicy: ${policy}`],
  ];
  return serviceText({ annotations, spec: lines.flat().join('\n') });
}

describe('the families of a Service', () => {
  it.each<[Annotated, string | undefined, string | undefined, string, string]>([
    [undefined, undefined, undefined, 'ipv4', 'ipv4'],
    [undefined, undefined, 'SingleStack', 'ipv4', 'ipv4'],
    [undefined, '[IPv6]', undefined, 'ipv6', 'ipv6'],
    [undefined, '[IPv6]', 'SingleStack', 'ipv6', 'ipv6'],
    [undefined, undefined, 'RequireDualStack', 'dual', 'ipv4 ipv6'],
    [undefined, '[IPv6]', 'RequireDualStack', 'dual', 'ipv6 ipv4'],
    [undefined, '[IPv6, IPv4]', undefined, 'dual', 'ipv6 ipv4'],
    [undefined, '[IPv4, IPv6]', 'PreferDualStack', 'dual', 'ipv4 ipv6'],
    ['ipv4', undefined, undefined, 'ipv4', 'ipv4'],
    ['ipv6', undefined, undefined, 'ipv6', 'ipv6'],
    ['ipv6', undefined, 'SingleStack', 'ipv6', 'ipv6'],
    ['ipv6', '[IPv6]', undefined, 'ipv6', 'ipv6'],
    ['dual', undefined, undefined, 'dual', 'ipv4 ipv6'],
    ['dual', '[IPv6, IPv4]', undefined, 'dual', 'ipv6 ipv4'],
    ['dual', undefined, 'PreferDualStack', 'dual', 'ipv4 ipv6'],
    ['dual', '[IPv6]', 'PreferDualStack', 'dual', 'ipv6 ipv4'],
  ])('%s with ipFamilies %s and policy %s are %s, in the order %s', (...row) => {
    const [annotated, families, policy, ipFamily, order] = row;

    expect(declaredBy(text(annotated, families, policy))).toMatchObject({
      ipFamily,
      familyOrder: order.split(' '),
    });
  });

  it.each<[Annotated, string | undefined, string | undefined, string]>([
    [undefined, undefined, 'PreferDualStack', 'FIELD_VALUE 8:19'],
    [undefined, '[IPv4]', 'PreferDualStack', 'FIELD_VALUE 9:19'],
    ['ipv4', undefined, 'PreferDualStack', 'ANNOTATION_CONFLICT 6:34'],
    ['ipv4', undefined, 'RequireDualStack', 'ANNOTATION_CONFLICT 6:34'],
    ['ipv4', '[IPv6]', undefined, 'ANNOTATION_CONFLICT 6:34'],
    ['ipv4', '[IPv4, IPv6]', undefined, 'ANNOTATION_CONFLICT 6:34'],
    ['dual', '[IPv6]', undefined, 'ANNOTATION_CONFLICT 6:34'],
    ['dual', undefined, 'SingleStack', 'ANNOTATION_CONFLICT 6:34'],
  ])('%s are refused with ipFamilies %s and policy %s', (annotated, families, policy, problem) => {
    expect(problemsOf(text(annotated, families, policy)).map(placeText)).toEqual([problem]);
  });
});

describe('the pins of a Service', () => {
  const dual = { 'ipam.vitistack.io/ip-family': 'dual' };
  const pinsOf = (words: Parameters<typeof serviceText>[0]): string[] =>
    declaredBy(serviceText(words)).pins.map(({ address }) => formatAddress(address));

  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    [' 203.0.113.7 , 2001:DB8:0::7 ', ['203.0.113.7', '2001:db8::7']],
    ['2001:db8::7/128,203.0.113.7/32', ['2001:db8::7', '203.0.113.7']],
    ['', []],
  ])('are read from %j', (addresses, pins) => {
    expect(pinsOf({ annotations: { ...dual, 'ipam.vitistack.io/addresses': addresses } })).toEqual(
      pins,
    );
  });

  it.each(['metallb.io/loadBalancerIPs', 'metallb.universe.tf/loadBalancerIPs'])(
    'are read from %s',
    (key) => {
      const both = { annotations: { ...dual, [key]: '203.0.113.7,2001:db8::7' } };

      expect(pinsOf(both)).toEqual(['203.0.113.7', '2001:db8::7']);
      expect(pinsOf({ annotations: { [key]: '', 'ipam.vitistack.io/addresses': '' } })).toEqual([]);
    },
  );

  it('are read from spec.loadBalancerIP, with its place', () => {
    const { pins } = declaredBy(serviceText({ spec: 'loadBalancerIP: 203.0.113.7' }));

    expect(pins.map(({ at }) => `${at.line}:${at.column}`)).toEqual(['8:19']);
    expect(pinsOf({ spec: "loadBalancerIP: ''" })).toEqual([]);
  });

  it.each([
    ['010.0.0.1', 'ADDRESS_INVALID'],
    ['203.0.113.7/', 'ADDRESS_INVALID'],
    ['203.0.113.7/32/32', 'ADDRESS_INVALID'],
    ['203.0.113.7/128', 'ADDRESS_INVALID'],
    ['203.0.113.7/31', 'ADDRESS_INVALID'],
    ['::ffff:203.0.113.7', 'ADDRESS_INVALID'],
    [',203.0.113.7', 'ADDRESS_INVALID'],
    ['203.0.113.7,203.0.113.7', 'FIELD_VALUE'],
    ['2001:db8::7,2001:db8:0::7', 'FIELD_VALUE'],
  ])('are refused in %j: %s', (addresses, code) => {
    const annotations = { 'ipam.vitistack.io/addresses': addresses, ...dual };

    expect(problemsOf(serviceText({ annotations })).map(placeText)).toEqual([`${code} 6:34`]);
  });
});
