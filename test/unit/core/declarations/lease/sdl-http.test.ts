import { describe, expect, test } from 'vitest';
import { openSdl, requestsIn } from '../../../../../src/core/declarations/lease/sdl.ts';
import { defaultHttp } from '../../../../../src/core/model/lease.ts';
import {
  edited,
  endpointLines,
  problemLines,
  problemsIn,
  profilesLine,
  simpleSdl,
} from '../../../../support/declarations/sdl.ts';

/** The simple SDL with more lines in its expose, from line 7. */
function exposing(...lines: readonly string[]): string {
  const text = lines.map((line) => `        ${line}\n`).join('');
  return edited(simpleSdl, '      - port: 80\n', `      - port: 80\n${text}`);
}

const leased = ['myip web 80>80 TCP'];

describe('hosts under accept', () => {
  test.each(['shop.example.com', 'a', '80', '1.5', 'x-1.y', `${'a'.repeat(63)}.b`, '~', ''])(
    'the host %s is accepted',
    (host) => {
      expect(endpointLines(exposing('accept:', `  - ${host}`))).toEqual(leased);
    },
  );

  test.each([
    'Shop.example.com',
    '"*.example.com"',
    'shop.example.com.',
    'my_shop.example.com',
    'shop.example.com:8080',
    'http://shop.example.com',
    'bücher.example',
    '-a.b',
    'a..b',
    '""',
    'a'.repeat(254),
  ])('the host %s is refused', (host) => {
    expect(problemLines(exposing('accept:', `  - ${host}`))).toEqual(['SDL_HOST 8:13']);
  });

  test.each([
    ['shop.example.com', 'FIELD_TYPE 7:17'],
    ['{ host: a }', 'FIELD_TYPE 7:17'],
    ['[{ host: a }]', 'FIELD_TYPE 7:18'],
  ])('accept: %s is refused', (accept, problem) => {
    expect(problemLines(exposing(`accept: ${accept}`))).toEqual([problem]);
  });

  test('a duplicate host is refused with both places, also in two services', () => {
    const api =
      '  api: { expose: [{ port: 81, accept: [b.example, a.example], to: [{ global: true }] }], image: a }\n';
    const text = edited(
      edited(exposing('accept: [a.example]'), 'services:\n', `services:\n${api}`),
      'deployment:\n',
      'deployment:\n  api: { west: { profile: web, count: 1 } }\n',
    );
    expect(problemsIn(text)).toEqual([
      {
        code: 'SDL_HOST_TAKEN',
        message:
          "host 'a.example' is listed under accept twice, but Akash accepts a host only once",
        at: { file: 'leases/a.sdl.yaml', line: 8, column: 18 },
        also: [{ file: 'leases/a.sdl.yaml', line: 3, column: 51 }],
      },
    ]);
  });

  test('a host is read once for each entry under to', () => {
    const text = edited(
      exposing('accept: [a.example]'),
      'to:\n',
      'to:\n          - service: api\n',
    );
    expect(problemLines(text)).toEqual(['SDL_HOST_TAKEN 7:18']);
  });

  test('a host is read once for each placement', () => {
    const west = '    west: { profile: web, count: 1 }\n';
    const text = edited(
      edited(exposing('accept: [a.example]'), west, `${west}${west.replace('west', 'east')}`),
      '  placement:\n',
      '  placement:\n    east: { pricing: { web: { denom: uakt, amount: 10 } } }\n',
    );
    expect(problemLines(text)).toEqual(['SDL_HOST_TAKEN 7:18']);
  });
});

describe('http_options', () => {
  test.each([
    '',
    '{}',
    '{ max_body_size: 104857600, proxy_buffer_size: 1048576, read_timeout: 60000 }',
    '{ send_timeout: 60000, next_tries: 4294967295, next_timeout: 4294967295 }',
    '{ max_body_size: 0, next_tries: , next_cases: }',
    '{ next_cases: [error, timeout, 500, "502", 503, 504, 403, 404, 429, ~] }',
    '{ next_cases: [off] }',
    '{ another_option: 7 }',
  ])('the options %s are accepted', (options) => {
    expect(endpointLines(exposing(`http_options: ${options}`))).toEqual(leased);
  });

  test.each([
    ['max_body_size: 104857601', 'SDL_HTTP_OPTION'],
    ['proxy_buffer_size: 1048577', 'SDL_HTTP_OPTION'],
    ['read_timeout: 60001', 'SDL_HTTP_OPTION'],
    ['send_timeout: 60001', 'SDL_HTTP_OPTION'],
    ['next_tries: 4294967296', 'FIELD_VALUE'],
    ['next_timeout: -1', 'FIELD_VALUE'],
    ['max_body_size: 1.5', 'FIELD_VALUE'],
    ['read_timeout: 0x10', 'FIELD_VALUE'],
    ['read_timeout: 60s', 'FIELD_TYPE'],
    ['next_cases: error', 'FIELD_TYPE'],
  ])('the option %s is refused', (option, code) => {
    const column = option.indexOf(':') + 13;
    expect(problemLines(exposing('http_options:', `  ${option}`))).toEqual([`${code} 8:${column}`]);
  });

  test.each([
    ['[error, http_500]', ['SDL_HTTP_OPTION 8:31']],
    ['[429, 0x1f4]', ['SDL_HTTP_OPTION 8:29']],
    ['[off, error]', ['SDL_HTTP_OPTION 8:24']],
    ['[off, off]', ['SDL_HTTP_OPTION 8:24', 'SDL_HTTP_OPTION 8:29']],
  ])('next_cases: %s is refused', (cases, problems) => {
    expect(problemLines(exposing('http_options:', `  next_cases: ${cases}`))).toEqual(problems);
  });

  test('a message contains the value and the limit', () => {
    expect(problemsIn(exposing('http_options: { max_body_size: 1073741824 }'))[0]?.message).toBe(
      "'max_body_size' is 1073741824, expected at most 104857600",
    );
  });
});

test('hosts and limits of a service that is not deployed are not checked', () => {
  const idle =
    '  idle: { expose: [{ port: 80, accept: [A, A], http_options: { read_timeout: 60001 } }] }\n';
  expect(endpointLines(edited(simpleSdl, 'services:\n', `services:\n${idle}`))).toEqual(leased);
});

describe('the hostnames of a placement', () => {
  /** The hosts of an SDL whose service `web` has one expose, beside that of its leased IP. */
  function hostsOf(expose: string, { isRouted = true } = {}) {
    const text = edited(simpleSdl, '    expose:\n', `    expose:\n      - { ${expose} }\n`);
    const sdl = openSdl('leases/a.sdl.yaml', Buffer.from(text));
    if (!sdl.ok) throw new Error(JSON.stringify(sdl.problems));
    return requestsIn(sdl.value, { gseq: 1, isRouted });
  }
  const global = 'to: [{ global: true }]';

  test.each([
    `port: 80, accept: [a.example.com], ${global}`,
    `port: 8080, as: 80, proto: tcp, accept: [a.example.com], ${global}`,
  ])('are those of an ingress: %s', (expose) => {
    expect(hostsOf(expose)).toMatchObject({
      ok: true,
      value: { hosts: [{ service: 'web', hostname: 'a.example.com', http: defaultHttp }] },
    });
  });

  test.each([
    `port: 443, accept: [a.example.com], ${global}`,
    `port: 80, as: 81, accept: [a.example.com], ${global}`,
    `port: 80, proto: udp, accept: [a.example.com], ${global}`,
    'port: 80, accept: [a.example.com]',
    'port: 80, accept: [a.example.com], to: [{ service: web }]',
  ])('are not those of another expose: %s', (expose) => {
    expect(hostsOf(expose)).toMatchObject({ ok: true, value: { hosts: [] } });
  });

  test('are not claimed in a cluster without routes', () => {
    const hosts = hostsOf(`port: 80, accept: [a], ${global}`, { isRouted: false });
    expect(hosts).toMatchObject({ ok: true, value: { hosts: [] } });
  });

  test('that leasehold does not allow are refused in a cluster with routes', () => {
    expect(hostsOf(`port: 80, accept: [a], ${global}`)).toMatchObject({
      problems: [{ code: 'DNS_INVALID' }],
    });
  });

  test('have the options of their expose; 0 and an empty list are defaults', () => {
    const options =
      'max_body_size: 2097152, read_timeout: 0, next_tries: 5, next_cases: [], proxy_buffer_size: 4096';
    expect(
      hostsOf(`port: 80, accept: [a.example.com], ${global}, http_options: { ${options} }`),
    ).toMatchObject({
      value: { hosts: [{ http: { ...defaultHttp, maxBodySize: 2_097_152, nextTries: 5 } }] },
    });
  });

  test('are enough for a lease without an IP endpoint', () => {
    const text = `version: '2.0'
services: { web: { image: a, expose: [{ port: 80, accept: [a.example.com], ${global} }] } }
${profilesLine(['west'])}deployment: { web: { west: { profile: web, count: 1 } } }
`;
    const sdl = openSdl('leases/a.sdl.yaml', Buffer.from(text));
    if (!sdl.ok) throw new Error(JSON.stringify(sdl.problems));
    expect(requestsIn(sdl.value, { gseq: 1, isRouted: true })).toMatchObject({
      value: { endpoints: [], hosts: [{ hostname: 'a.example.com' }] },
    });
    expect(requestsIn(sdl.value, { gseq: 1, isRouted: false })).toMatchObject({
      problems: [{ code: 'SDL_NO_ENDPOINT' }],
    });
  });
});
