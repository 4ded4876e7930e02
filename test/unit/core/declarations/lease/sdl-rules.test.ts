import { describe, expect, test } from 'vitest';
import {
  edited,
  endpointLines,
  problemLines,
  problemsIn,
  profilesLine,
  simpleSdl,
} from '../../../../support/declarations/sdl.ts';

const small = '{ profile: web, count: 1 }';

/** An SDL of one placement; a service and its exposes a line, from line 3. */
function sdlWith(services: Readonly<Record<string, string>>, endpoints = 'meow'): string {
  const names = Object.keys(services);
  return [
    "version: '2.0'",
    'services:',
    ...names.map((name) => `  ${name}: { expose: [${services[name]}], image: a }`),
    `deployment: { ${names.map((name) => `${name}: { west: ${small} }`).join(', ')} }`,
    `endpoints: { ${endpoints
      .split(' ')
      .map((name) => `${name}: { kind: ip }`)
      .join(', ')} }`,
    profilesLine(['west', 'east', 'a', 'b', 'c']),
  ].join('\n');
}

const meow = 'to: [{ global: true, ip: meow }]';

describe('names and kinds of IP endpoints', () => {
  const named = (name: string): string =>
    edited(edited(simpleSdl, 'ip: myip', `ip: "${name}"`), '  myip:', `  "${name}":`);

  test.each([
    'meow72-memes',
    'meow72-mem_es',
    'myendpoint',
    'my-endpoint',
    'my_endpoint',
    'endpoint123',
    'my-endpoint_123',
    'a-',
    'ab',
  ])('%s is accepted', (name) => {
    expect(endpointLines(named(name))).toEqual([`${name} web 80>80 TCP`]);
  });

  test('a long name is refused quickly, and shortened in the message', () => {
    const text = edited(simpleSdl, 'ip: myip', `ip: "${'a'.repeat(200_000)}!"`);
    const started = performance.now();
    const [problem] = problemsIn(text).filter(({ code }) => code === 'SDL_ENDPOINT_NAME');

    expect(problem?.message.length).toBeLessThan(120);
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test.each([
    '!important',
    'foo^bar',
    'ROAR',
    '996',
    '_kittens',
    '-kittens',
    'MyEndpoint',
    '123endpoint',
    'my endpoint',
    'my.endpoint',
    'a',
    '',
    'a1\\n',
    `\${HOME}`,
    '../up',
    'mеow',
    'meow\\u200b',
    'constructor.x',
  ])('%j is refused where it is declared', (name) => {
    expect(problemLines(named(name))).toEqual(['SDL_ENDPOINT_NAME 25:3']);
  });

  test('names of object properties are not declared implicitly', () => {
    for (const name of ['constructor', 'toString', 'valueOf']) {
      const text = edited(simpleSdl, 'ip: myip', `ip: ${name}`);
      expect(problemsIn(text)[0]?.code).toMatch(/^SDL_ENDPOINT_(UNKNOWN|NAME)$/);
    }
  });

  test.each([
    ['{ kind: ipv6 }', 'SDL_ENDPOINT_KIND 25:17'],
    ['{ kind: IP }', 'SDL_ENDPOINT_KIND 25:17'],
    ['{ kind: 4 }', 'SDL_ENDPOINT_KIND 25:17'],
    ["{ kind: '' }", 'SDL_ENDPOINT_KIND 25:17'],
    ['{}', 'SDL_ENDPOINT_KIND 25:3'],
    ['', 'SDL_ENDPOINT_KIND 25:3'],
    ['ip', 'FIELD_TYPE 25:9'],
  ])('an endpoint %s is refused', (endpoint, problem) => {
    expect(problemLines(edited(simpleSdl, '{ kind: ip }', endpoint))).toEqual([problem]);
  });

  test('an unused endpoint is refused at its key', () => {
    expect(problemLines(`${simpleSdl}  spare: { kind: ip }\n`)).toEqual([
      'SDL_ENDPOINT_UNUSED 26:3',
    ]);
  });

  test('an endpoint that only a service without deployment uses is unused', () => {
    const text = edited(
      `${simpleSdl}  spare: { kind: ip }\n`,
      'services:\n',
      'services:\n  idle: { expose: [{ port: 1, to: [{ global: true, ip: spare }] }] }\n',
    );
    expect(problemLines(text)).toEqual(['SDL_ENDPOINT_UNUSED 27:3']);
  });

  test('an endpoint that is not declared is refused where it is named', () => {
    const text = edited(simpleSdl, 'ip: myip', 'ip: other');
    expect(problemLines(text)).toEqual(['SDL_ENDPOINT_UNKNOWN 9:17', 'SDL_ENDPOINT_UNUSED 25:3']);
    expect(problemsIn(edited(simpleSdl, 'endpoints:\n  myip: { kind: ip }\n', ''))).toMatchObject([
      { code: 'SDL_ENDPOINT_UNKNOWN', hint: 'declare it: endpoints: {myip: {kind: ip}}' },
    ]);
  });
});

describe('global', () => {
  test.each(['- global: false\n            ip: myip', '- service: db\n            ip: myip'])(
    'an ip in %j is refused',
    (target) => {
      const text = edited(simpleSdl, '- global: true\n            ip: myip', target);
      expect(problemLines(text)).toEqual(['SDL_NOT_GLOBAL 9:17']);
    },
  );

  test('a word that only YAML 1.1 reads as true has the wrong type', () => {
    const text = edited(simpleSdl, 'global: true', 'global: yes');
    expect(problemLines(text)).toContain('FIELD_TYPE 8:21');
  });
});

describe('ports of one IP endpoint', () => {
  const collision = (first: string, second: string): readonly string[] =>
    problemLines(sdlWith({ web: `{ ${first}, ${meow} }`, api: `{ ${second}, ${meow} }` }));

  test.each([
    ['port: 80', 'port: 80'],
    ['port: 80', 'port: 8080, as: 80'],
    ['port: 80, as: 80', 'port: 80'],
    ['port: 80, proto: tcp', 'port: 80, proto: TCP'],
    ['port: 80, proto: Tcp', 'port: 80'],
    ['port: 53, proto: udp', 'port: 5353, as: 53, proto: UDP'],
  ])('%s and %s are the same port', (first, second) => {
    const [problem] = collision(first, second);
    expect(problem).toMatch(/^PORT_TAKEN 4:/);
  });

  test.each([
    ['port: 80', 'port: 81'],
    ['port: 80', 'port: 80, as: 81'],
    ['port: 80, proto: tcp', 'port: 80, proto: udp'],
    ['port: 53', 'port: 53, proto: UDP'],
  ])('%s and %s are two ports', (first, second) => {
    expect(collision(first, second)).toEqual([]);
  });

  test('the problem is at the second, and names the first', () => {
    const text = sdlWith({ web: `{ port: 80, ${meow} }`, api: `{ port: 80, ${meow} }` });
    const column = '  api: { expose: [{ port: 80, to: [{ global: true, ip: '.length + 1;
    expect(problemsIn(text)).toMatchObject([
      {
        code: 'PORT_TAKEN',
        at: { line: 4, column },
        also: [{ file: 'leases/a.sdl.yaml', line: 3, column }],
        message:
          "service 'api' requests 80/TCP of IP endpoint 'meow', which service 'web' already has",
      },
    ]);
  });

  test('one service collides with itself, within an expose and between two', () => {
    const twice = '{ port: 80, to: [{ global: true, ip: meow }, { global: true, ip: meow }] }';
    expect(problemLines(sdlWith({ web: twice }))).toHaveLength(1);
    expect(
      problemLines(sdlWith({ web: `{ port: 80, ${meow} }, { port: 80, ${meow} }` })),
    ).toHaveLength(1);
  });

  test('two exposes of one service without as are two ports', () => {
    const text = sdlWith({ web: `{ port: 80, ${meow} }, { port: 443, ${meow} }` });
    expect(endpointLines(text)).toEqual(['meow web 80>80 TCP', 'meow web 443>443 TCP']);
  });

  test('one port on two endpoints is not a collision', () => {
    const both = '{ port: 80, to: [{ global: true, ip: meow }, { global: true, ip: purr }] }';
    expect(endpointLines(sdlWith({ web: both }, 'meow purr'))).toHaveLength(2);
  });

  const services = sdlWith({ web: `{ port: 80, ${meow} }`, api: `{ port: 80, ${meow} }` });
  const deployment = `deployment: { web: { west: ${small} }, api: { west: ${small} } }`;

  test('services in different placements do not collide', () => {
    const apart = edited(
      services,
      deployment,
      `deployment: { web: { west: ${small} }, api: { east: ${small} } }`,
    );
    expect(endpointLines(apart, 1)).toEqual(['meow api 80>80 TCP']);
    expect(endpointLines(apart, 2)).toEqual(['meow web 80>80 TCP']);
  });

  test('a collision in two placements is reported once, also for a lease of a third one', () => {
    const text = edited(
      services,
      deployment,
      `deployment: { web: { a: ${small}, b: ${small}, c: ${small} }, api: { a: ${small}, b: ${small} } }`,
    );
    expect(problemLines(text, 3)).toHaveLength(1);
  });
});

describe('services and placements', () => {
  test.each(['9web', 'Web', 'web-', 'web_1', '../web', `\${web}`, 'wеb'])(
    'a deployed service named %j is refused',
    (name) => {
      const text = `version: '2.0'
services:
  '${name}': { expose: [{ port: 80, to: [{ global: true, ip: meow }] }], image: a }
deployment: { '${name}': { west: ${small} } }
endpoints: { meow: { kind: ip } }
${profilesLine(['west'])}`;
      expect(problemLines(text)).toEqual(['SDL_INVALID 3:3']);
    },
  );

  test('a deployed service that is not declared is refused', () => {
    const text = `${edited(simpleSdl, 'deployment:\n', `deployment:\n  db: { west: ${small} }\n`)}`;
    expect(problemLines(text)).toEqual(['SDL_INVALID 22:3']);
  });

  test('a placement that profiles do not declare is refused', () => {
    const text = edited(simpleSdl, '    west: { profile', '    wst: { profile');
    expect(problemLines(text)).toEqual(['SDL_INVALID 23:5']);
  });

  test('all problems of an SDL come together, in the order of the file', () => {
    const text = `version: '3'
services:
  Web: { expose: [{ port: 80, to: [{ ip: meow }] }, { port: 80, to: [{ global: true, ip: meow }] }], image: a }
  api: { expose: [{ port: 0, proto: http }] }
deployment: { Web: { west: ${small} } }
endpoints: { meow: { kind: dns }, UP: { kind: ip } }
${profilesLine(['west'])}`;
    expect(problemLines(text).map((line) => line.split(' ')[0])).toEqual([
      'SDL_VERSION',
      'FIELD_VALUE',
      'FIELD_VALUE',
      'SDL_ENDPOINT_KIND',
      'SDL_ENDPOINT_NAME',
    ]);
    const shaped = edited(edited(text, 'port: 0', 'port: 1'), ', proto: http', '');
    expect(problemLines(shaped).map((line) => line.split(' ')[0])).toEqual([
      'SDL_VERSION',
      'SDL_INVALID',
      'SDL_NOT_GLOBAL',
      'PORT_TAKEN',
      'SDL_ENDPOINT_KIND',
      'SDL_ENDPOINT_NAME',
      'SDL_ENDPOINT_UNUSED',
    ]);
  });
});

/** Each rule of Akash's parser is broken by one edit of the simple SDL. */
describe('a deployed service and its profiles', () => {
  test.each([
    ['no image', '    image: ghcr.io/example/web\n', '', 'SDL_INVALID 3:3'],
    ['an empty image', 'ghcr.io/example/web', '""', 'SDL_INVALID 4:12'],
    ['a count of 0', 'count: 1', 'count: 0', 'SDL_INVALID 23:34'],
    ['no count', ', count: 1', '', 'SDL_INVALID 23:11'],
    ['no profile', 'profile: web, ', '', 'SDL_INVALID 23:11'],
    ['an unknown profile', 'profile: web', 'profile: api', 'SDL_INVALID 23:22'],
    ['no price', '{ denom: uakt, amount: 10 }', '', 'SDL_INVALID 20:14'],
    [
      'a price for another profile',
      '        web: { denom',
      '        api: { denom',
      'SDL_INVALID 23:22',
    ],
    ['a price of 0', 'amount: 10', 'amount: 0', 'SDL_INVALID 20:37'],
    ['no cpu', '        cpu: { units: 0.1 }\n', '', 'SDL_INVALID 14:9'],
    ['negative cpu', 'units: 0.1', 'units: -100m', 'SDL_INVALID 14:23'],
    ['no memory size', '{ size: 128Mi }', '{}', 'SDL_INVALID 15:17'],
    ['no storage', '{ size: 512Mi }', '[]', 'SDL_INVALID 14:9'],
    ['storage of size 0', 'size: 512Mi', 'size: 0Gi', 'SDL_INVALID 16:26'],
    [
      'persistent storage without mount',
      '512Mi }',
      '1Gi, attributes: { persistent: true } }',
      'SDL_INVALID 16:57',
    ],
    [
      'a GPU for its TEE',
      '    expose:\n',
      '    params: { tee: cpu-gpu }\n    expose:\n',
      'SDL_INVALID 5:20',
    ],
    ['an unknown part', 'endpoints:\n', 'x-note: any\nendpoints:\n', 'SDL_INVALID 24:1'],
    [
      'a reclamation without time',
      'endpoints:\n',
      'reclamation: { min_window: 0s }\nendpoints:\n',
      'SDL_INVALID 24:28',
    ],
  ])('%s is refused', (_, original, replacement, problem) => {
    expect(problemLines(edited(simpleSdl, original, replacement))).toEqual([problem]);
  });

  test('persistent storage is mounted, and that of class ram is not persistent', () => {
    const volume = (attributes: string) =>
      edited(
        simpleSdl,
        '{ size: 512Mi }',
        `[{ size: 1Gi }, { name: data, size: 1Gi, ${attributes} }]`,
      );
    const mounted = (text: string) =>
      edited(
        text,
        '    expose:\n',
        '    params: { storage: { data: { mount: /data } } }\n    expose:\n',
      );
    const ofRam = volume('attributes: { class: ram, persistent: true }');
    expect(problemLines(mounted(volume('attributes: { class: beta3, persistent: true }')))).toEqual(
      [],
    );
    expect(problemLines(mounted(volume('attributes: { class: ram, persistent: false }')))).toEqual(
      [],
    );
    expect(problemLines(mounted(ofRam))).toEqual(['SDL_INVALID 17:97']);
  });

  test('a profile that two services are deployed with has its problems once', () => {
    const api = 'services:\n  api: { image: a, expose: [{ port: 81, to: [{ global: true }] }] }\n';
    const text = edited(edited(simpleSdl, 'services:\n', api), 'size: 128Mi', 'size: -1');
    const both = edited(
      text,
      'deployment:\n',
      'deployment:\n  api: { west: { profile: web, count: 1 } }\n',
    );
    expect(problemLines(both)).toEqual(['SDL_INVALID 16:25']);
  });

  test('nothing is required of a service that is not deployed, or of its profile', () => {
    const text = edited(
      simpleSdl,
      'services:\n',
      'services:\n  idle: { params: { tee: cpu-gpu } }\n',
    );
    const both = edited(
      text,
      '  compute:\n',
      '  compute:\n    big: { resources: { cpu: { units: 0 } } }\n',
    );
    expect(problemLines(both)).toEqual([]);
  });

  test('quantities have any unit, limits are not judged, and credentials need no password', () => {
    const credentials =
      '    credentials: { host: registry.example.com, username: ann }\n    expose:\n';
    const text = edited(
      edited(simpleSdl, '    expose:\n', credentials),
      'units: 0.1',
      'units: "9000000m"',
    );
    expect(problemLines(edited(text, 'size: 128Mi', 'size: 64gb'))).toEqual([]);
  });
});

describe('the ip_lease of older pages', () => {
  test.each([
    ['under to', 'ip: myip', 'ip_lease: true', 'SDL_INVALID 9:13'],
    ['in the expose', 'port: 80\n', 'port: 80\n        ip_lease: true\n', 'SDL_INVALID 7:9'],
  ])('%s is refused, with what to write', (_, original, replacement, problem) => {
    const text = edited(simpleSdl, original, replacement);
    expect(problemLines(text)[0]).toBe(problem);
    expect(problemsIn(text)[0]).toMatchObject({
      message: "'ip_lease' requests no IP endpoint: Akash reads only 'ip', the name of one",
      hint: 'declare endpoints: {myip: {kind: ip}}, and write ip: myip here instead',
    });
  });
});
