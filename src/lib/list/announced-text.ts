import type { Announcement } from './list-answer.ts';

/** Such as `L2 on eth0` and `BGP to tor-a 64500:100`. */
export function announcedTexts(announced: readonly Announcement[] = []): readonly string[] {
  return announced.map(({ by, interfaces, peers, communities = [], localPref, nodes }) =>
    [
      by.toUpperCase(),
      ...(interfaces ? [`on ${interfaces.join(',')}`] : []),
      ...(peers ? [`to ${peers.join(',')}`] : []),
      ...communities,
      ...(localPref === undefined ? [] : [`localPref ${localPref}`]),
      ...(nodes ? [`from ${nodes.join(' or ')}`] : []),
    ].join(' '),
  );
}

/** The words by which a list is limited to what is announced so. */
export function announcedWords(announced: readonly Announcement[] = []): readonly string[] {
  return announced.flatMap(({ by, name, interfaces = [], peers = [], communities = [] }) => [
    by,
    name,
    ...interfaces,
    ...peers,
    ...communities,
  ]);
}
