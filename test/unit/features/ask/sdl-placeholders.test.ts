import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/core/model/problem.ts';
import { type Address, parseAddress } from '../../../../src/core/net/address.ts';
import {
  fillPlaceholders,
  type Placeholder,
} from '../../../../src/features/ask/sdl-placeholders.ts';
import { profilesLine } from '../../../support/declarations/sdl.ts';

/** An SDL whose service `node` requests the endpoints `site` and `mail`. */
const sdlWith = (lines: string) => `version: '2.0'
endpoints: { site: { kind: ip }, mail: { kind: ip } }
services:
  node:
    image: example/node
${lines}    expose:
      - { port: 80, to: [{ global: true, ip: site }] }
      - { port: 25, to: [{ global: true, ip: mail }] }
${profilesLine(['rack'], ['node'])}deployment: { node: { rack: { profile: node, count: 1 } } }
`;

const addresses: Readonly<Record<string, string>> = {
  site: '203.0.113.7',
  mail: '2001:db8::',
};

/** The SDL with `address` filled in, or the problems as `code line:column message`. */
function filled(text: string, address = (name: string) => addresses[name] ?? '') {
  const asked: string[] = [];
  const outcome = fillPlaceholders('node.yaml', Buffer.from(text), (placeholder: Placeholder) => {
    asked.push(`${placeholder.endpoint} ${placeholder.family ?? 'any'}`);
    return ok(parseAddress(address(placeholder.endpoint)) as Address);
  });
  return outcome.ok
    ? { text: Buffer.from(outcome.value).toString('utf8'), asked }
    : outcome.problems.map(({ code, at, message }) => `${code} ${at.line}:${at.column} ${message}`);
}

describe('fillPlaceholders', () => {
  it('replaces placeholders in env, args and command, and changes no other byte', () => {
    const lines = `    # It learns \u00e4ts address.\r
    command: ["sh", '-c']
    args:
      - --p2p-hostname=$(leased.site)
      - "/ip4/$(leased.site.ipv4)/tcp/30303,[$(leased.mail.ipv6)]:25"
    env: [PUBLIC_IP=$(leased.site), 'SECRET=$(OTHER) $\{X}']
`;
    const text = sdlWith(lines);
    expect(filled(text)).toEqual({
      text: text
        .replaceAll(/\$\(leased\.site(?:\.ipv4)?\)/g, '203.0.113.7')
        .replaceAll('$(leased.mail.ipv6)', '2001:db8::'),
      asked: ['site any', 'site ipv4', 'mail ipv6'],
    });
  });

  it('returns an SDL without a placeholder as it is', () => {
    expect(filled(sdlWith(''))).toEqual({ text: sdlWith(''), asked: [] });
  });

  it('fills a value that aliases repeat', () => {
    const text = sdlWith('    env: &env [IP=$(leased.site)]\n    args: *env\n');
    expect(filled(text)).toMatchObject({ text: text.replace('$(leased.site)', '203.0.113.7') });
  });

  it.each([
    ['no name', '$(leased.)'],
    ['an unknown family', '$(leased.site.ipv5)'],
    ['inside after the family', '$(leased.site.ipv4.inside)'],
    ['no end', '$(leased.site'],
    ['a space', '$(leased. site)'],
  ])('refuses a placeholder with %s', (_, text) => {
    expect(filled(sdlWith(`    env:\n      - "IP=${text}"\n`))).toEqual([
      'SDL_PLACEHOLDER 7:9 the text has $(leased. and is not a placeholder',
    ]);
  });

  it('refuses an endpoint that no deployed service requests, once for each placeholder', () => {
    const text = sdlWith(
      '    env: [A=$(leased.sight), B=$(leased.sight), C=$(leased.sight.ipv4)]\n',
    );
    expect(filled(text)).toEqual([
      "SDL_PLACEHOLDER 6:11 $(leased.sight) names the IP endpoint 'sight', which no deployed service of the SDL requests",
      "SDL_PLACEHOLDER 6:49 $(leased.sight.ipv4) names the IP endpoint 'sight', which no deployed service of the SDL requests",
    ]);
  });

  it('refuses a plain text that would be a key with its address', () => {
    expect(filled(sdlWith('    env:\n      - IP=$(leased.mail)\n'))).toEqual([
      'SDL_PLACEHOLDER 7:9 with its address, the text would be read as something else',
    ]);
  });

  it('refuses a placeholder that is written with escapes', () => {
    expect(filled(sdlWith('    env: ["IP=\\x24(leased.site)"]\n'))).toEqual([
      'SDL_PLACEHOLDER 6:11 with its address, the text would be read as something else',
    ]);
  });

  it('reports the problems of the SDL', () => {
    expect(filled(sdlWith('').replace("'2.0'", "'3.0'"))).toEqual([
      "SDL_VERSION 1:10 the version of the SDL is '3.0', expected '2.0' or '2.1'",
    ]);
  });
});
