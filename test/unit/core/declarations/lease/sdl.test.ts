import { describe, expect, test } from 'vitest';
import {
  edited,
  endpointLines,
  endpointsIn,
  problemLines,
  problemsIn,
  profilesLine,
  simpleSdl,
} from '../../../../support/declarations/sdl.ts';
import { cpuSeconds } from '../../../../support/run/cpu-seconds.ts';

const small = '{ profile: web, count: 1 }';

/** Two services, deployed to two placements whose names are not in the order of the file. */
const twoGroups = `version: "2.1"
services:
  web:
    expose: [{ port: 80, to: [{ global: true, ip: meow }] }]
    image: a
  api:
    expose: [{ port: 53, proto: udp, as: 5353, to: [{ global: true, ip: kittens }] }]
    image: a
deployment:
  web:
    west: { profile: web, count: 1 }
  api:
    east: { profile: api, count: 3 }
endpoints: { meow: { kind: ip }, kittens: { kind: ip } }
${profilesLine(['west', 'east'], ['web', 'api'])}`;

describe('the endpoints of an SDL', () => {
  test('an ip with global is an endpoint, and its place is that of the name', () => {
    expect(endpointsIn(simpleSdl)).toEqual([
      {
        name: 'myip',
        service: 'web',
        port: 80,
        externalPort: 80,
        protocol: 'TCP',
        at: { file: 'leases/a.sdl.yaml', line: 9, column: 17 },
      },
    ]);
  });

  test('as is the external port', () => {
    const text = edited(simpleSdl, 'port: 80\n', 'port: 8080\n        as: 80\n');
    expect(endpointLines(text)).toEqual(['myip web 8080>80 TCP']);
  });

  test.each([
    ['tcp', 'TCP'],
    ['TCP', 'TCP'],
    ['Tcp', 'TCP'],
    ["''", 'TCP'],
    ['udp', 'UDP'],
    ['UDP', 'UDP'],
    ['uDp', 'UDP'],
  ])('proto %s is %s', (proto, protocol) => {
    const text = edited(simpleSdl, 'port: 80\n', `port: 12345\n        proto: ${proto}\n`);
    expect(endpointLines(text)).toEqual([`myip web 12345>12345 ${protocol}`]);
  });

  test('an expose to other services or without an ip is not an endpoint', () => {
    const text = edited(
      simpleSdl,
      '    expose:\n',
      '    expose:\n      - { port: 443, to: [{ global: true }, { service: db }] }\n      - port: 22\n',
    );
    expect(endpointLines(text)).toEqual(['myip web 80>80 TCP']);
  });

  test('two services share an endpoint on different ports', () => {
    const text = `version: '2.0'
services:
  web: { image: a, expose: [{ port: 80, to: [{ global: true, ip: meow }] }] }
  bew: { image: a, expose: [{ port: 80, as: 81, to: [{ global: true, ip: meow }] }] }
deployment: { web: { west: ${small} }, bew: { west: ${small} } }
endpoints: { meow: { kind: ip } }
${profilesLine(['west'])}`;
    expect(endpointLines(text)).toEqual(['meow bew 80>81 TCP', 'meow web 80>80 TCP']);
  });

  test('one expose may name two endpoints', () => {
    const text = edited(
      edited(simpleSdl, 'ip: myip\n', 'ip: myip\n          - { global: true, ip: other }\n'),
      'endpoints:\n',
      'endpoints:\n  other: { kind: ip }\n',
    );
    expect(endpointLines(text)).toEqual(['myip web 80>80 TCP', 'other web 80>80 TCP']);
  });

  test.each([
    ...["'2.0'", '"2.1"', '2.0', '2.1', "'2'", '2', 'v2', 'v2.0', 'v2.1.0', '2.0.0'],
    ...["' 2.0 '", '02.0', '2.00', "'2.01.00'"],
  ])('version %s is read', (version) => {
    expect(endpointLines(edited(simpleSdl, '"2.0"', version))).toHaveLength(1);
  });

  test.each(['include: [other.yaml]', 'reclamation: { min_window: 1h }'])('%s passes', (part) => {
    expect(endpointLines(`${simpleSdl}${part}\n`)).toHaveLength(1);
  });

  test('a service without exposes passes, and so does one that is not deployed', () => {
    const text = edited(
      simpleSdl,
      'services:\n',
      'services:\n  idle: { image: a, expose: }\n  spare: { expose: [{ port: 1, to: [{ ip: none }] }] }\n',
    );
    expect(endpointLines(text)).toEqual(['myip web 80>80 TCP']);
  });
});

test('a quoted text may go on at the column of its dash, and places stay as they are', () => {
  const args = "    args:\n      - 'grep -q x .htaccess;\n      exec apache2-foreground'\n";
  const [endpoint] = endpointsIn(edited(simpleSdl, '    expose:\n', `${args}    expose:\n`));
  expect(endpoint?.at).toEqual({ file: 'leases/a.sdl.yaml', line: 12, column: 17 });
});

describe('ip_name of the published documents', () => {
  const published = edited(
    edited(simpleSdl, '            ip: myip\n', '        ip_name: myip\n'),
    'endpoints:\n  myip: { kind: ip }\n',
    '',
  );

  test('without an endpoints section it needs no declaration', () => {
    expect(endpointsIn(published)).toMatchObject([{ name: 'myip', at: { line: 9, column: 18 } }]);
  });

  test('an endpoints section is optional, and must declare the name when present', () => {
    expect(endpointLines(`${published}endpoints: { myip: { kind: ip } }\n`)).toHaveLength(1);
    expect(problemLines(`${published}endpoints: { other: { kind: ip } }\n`)).toEqual([
      'SDL_ENDPOINT_UNKNOWN 9:18',
      'SDL_ENDPOINT_UNUSED 24:14',
    ]);
    expect(problemLines(`${published}endpoints:\n`)).toEqual(['SDL_ENDPOINT_UNKNOWN 9:18']);
  });

  test('it needs a global target', () => {
    expect(problemLines(edited(published, 'global: true', 'service: db'))).toEqual([
      'SDL_NOT_GLOBAL 9:18',
    ]);
  });

  test('one global target is enough', () => {
    const text = edited(
      published,
      '          - global: true\n',
      '          - service: db\n          - global: true\n',
    );
    expect(endpointLines(text)).toEqual(['myip web 80>80 TCP']);
  });

  test('it needs a name that Akash accepts', () => {
    expect(problemLines(edited(published, 'ip_name: myip', 'ip_name: MyIP'))).toEqual([
      'SDL_ENDPOINT_NAME 9:18',
    ]);
  });

  test('it is refused together with ip', () => {
    const text = edited(simpleSdl, 'port: 80\n', 'port: 80\n        ip_name: myip\n');
    expect(problemLines(text)).toEqual(['SDL_INVALID 7:18']);
  });
});

describe('the placement of a lease', () => {
  test('gseq counts placements from 1 in name order', () => {
    expect(endpointLines(twoGroups, 1)).toEqual(['kittens api 53>5353 UDP']);
    expect(endpointLines(twoGroups, 2)).toEqual(['meow web 80>80 TCP']);
  });

  test('a gseq beyond the last placement is refused at the deployment', () => {
    expect(problemLines(twoGroups, 3)).toEqual(['SDL_GROUP_UNKNOWN 10:3']);
    const unused = edited(simpleSdl, 'endpoints:\n  myip: { kind: ip }\n', '');
    const nothing = edited(unused, '  web:\n    west: { profile: web, count: 1 }\n', '  {}\n');
    expect(problemLines(nothing)).toEqual(['SDL_GROUP_UNKNOWN 22:3']);
  });

  test('a declared placement that no service is deployed to is not a group', () => {
    const text = edited(simpleSdl, '  placement:\n', '  placement:\n    east: { pricing: {} }\n');
    expect(endpointLines(text, 1)).toEqual(['myip web 80>80 TCP']);
  });

  test('a placement without endpoints is refused where it is deployed', () => {
    const text = edited(twoGroups, 'as: 5353, to: [{ global: true, ip: kittens }]', 'as: 5353');
    const alone = edited(text, ', kittens: { kind: ip }', '');
    expect(problemLines(alone, 1)).toEqual(['SDL_NO_ENDPOINT 13:5']);
    expect(endpointLines(alone, 2)).toEqual(['meow web 80>80 TCP']);
  });

  test('a service in two placements counts in both', () => {
    const text = edited(
      simpleSdl,
      '    west: { profile: web, count: 1 }\n',
      '    west: { profile: web, count: 1 }\n    east: { profile: web, count: 1 }\n',
    );
    const priced = '{ pricing: { web: { denom: uakt, amount: 10 } } }';
    const both = edited(text, '  placement:\n', `  placement:\n    east: ${priced}\n`);
    expect(endpointLines(both, 1)).toEqual(['myip web 80>80 TCP']);
    expect(endpointLines(both, 2)).toEqual(['myip web 80>80 TCP']);
  });
});

describe('aliases', () => {
  test('an alias has the value of its anchor, and the place of the anchored text', () => {
    const text = `version: '2.0'
services:
  web: { image: a, expose: [{ port: 80, to: &to [{ global: true, ip: meow }] }] }
  api: { image: a, expose: [{ port: 81, to: *to }] }
deployment: { web: &where { west: ${small} }, api: *where }
endpoints: { meow: { kind: ip } }
${profilesLine(['west'])}`;
    expect(endpointLines(text)).toEqual(['meow api 81>81 TCP', 'meow web 80>80 TCP']);
    expect(endpointsIn(text).map(({ at }) => at.line)).toEqual([3, 3]);
  });

  test('a hundred aliases are read, and one more is refused', () => {
    const withAliases = (count: number): string =>
      edited(
        simpleSdl,
        '    expose:\n',
        `    command: [&x sh]\n    args: [${Array(count).fill('*x').join(', ')}]\n    expose:\n`,
      );
    expect(endpointLines(withAliases(100))).toHaveLength(1);
    expect(problemLines(withAliases(101))[0]).toMatch(/^YAML_ALIAS /);
  });

  test('a merge key adds missing fields, from the first source first', () => {
    const text = `version: "2.0"
services:
  db: { expose: [&shared { port: 80, proto: udp, to: &to [{ global: true, ip: meow }] }] }
  idle: { expose: [&other { port: 81, as: 8080 }] }
  web: { image: a, expose: [{ <<: *shared, proto: tcp }] }
  api: { image: a, expose: [{ <<: [*other, *shared] }] }
deployment:
  web: { west: { profile: web, count: 1 } }
  api: { west: { profile: web, count: 1 } }
endpoints: { meow: { kind: ip } }
${profilesLine(['west'])}`;
    expect(endpointLines(text)).toEqual(['meow api 81>8080 UDP', 'meow web 80>80 TCP']);
    expect(endpointsIn(text).map(({ at }) => `${at.line}:${at.column}`)).toEqual(['3:79', '3:79']);
  });

  test('a merge key without a mapping is a problem', () => {
    expect(problemLines(`${simpleSdl}x: { <<: [{ a: 1 }, 2] }\n`)).toEqual(['YAML_ALIAS 26:10']);
    expect(problemLines(`${simpleSdl}x:\n  ? <<\n`)).toEqual(['YAML_ALIAS 27:3']);
  });

  test('a mapping that merges itself is a problem', () => {
    expect(problemLines(`${simpleSdl}x: &x { <<: *x }\n`)).toEqual([
      'YAML_ALIAS 26:13',
      'YAML_ALIAS 26:13',
    ]);
  });
});

test('an SDL of thousands of services and placements is read quickly', { tags: 'slow' }, () => {
  const names = Array.from({ length: 2500 }, (_, index) => index);
  const of = (text: (index: number) => string) => `{${names.map(text).join(', ')}}`;
  const text = `version: "2.0"
services: ${of((index) => `a${index}: {image: a}`)}
deployment: ${of((index) => `a${index}: {p${index}: {profile: w, count: 1}}`)}
profiles:
  compute: {w: {resources: {cpu: {units: 1}, memory: {size: 1}, storage: {size: 1}}}}
  placement: ${of((index) => `p${index}: {pricing: {w: {amount: 1}}}`)}
`;
  const [seconds, problems] = cpuSeconds(() => problemsIn(text, 6000));
  expect(problems).toMatchObject([
    {
      code: 'SDL_GROUP_UNKNOWN',
      hint: expect.stringMatching(/^placements are numbered by name: .{40,60}, …$/),
    },
  ]);
  // It takes two, nearly all of them to read YAML.
  expect(seconds).toBeLessThan(6);
});
