/** The rooms of src, lowest first, and the rooms that each may use. Nothing else of src is within its reach. */
const rooms = {
  net: [],
  model: ['net'],
  ports: ['net', 'model'],
  text: ['net', 'model'],
  declarations: ['net', 'model', 'text'],
  records: ['net', 'model', 'text', 'declarations'],
  allocate: ['net', 'model', 'declarations', 'records'],
  transitions: ['net', 'model', 'declarations', 'records', 'allocate'],
  manifests: ['net', 'model', 'text'],
  workspace: ['net', 'model', 'ports', 'text', 'declarations', 'records'],
  world: ['net', 'model', 'ports'],
  cdk8s: ['net', 'model', 'text', 'declarations', 'allocate', 'manifests', 'workspace', 'world'],
};

/** The rooms that every feature may use. */
const below = Object.keys(rooms).filter((room) => room !== 'world' && room !== 'cdk8s');

/** The features, and the other features that each may use. */
const features = {
  synth: [],
  add: ['synth'],
  review: ['synth'],
  plan: ['review'],
  merge: ['review', 'synth'],
  operate: ['synth'],
  bots: ['add', 'synth'],
  keys: ['synth'],
  prove: [],
  comment: [],
  ask: [],
  export: ['ask', 'synth'],
  picture: ['ask'],
  cluster: ['ask', 'synth'],
  import: ['cluster', 'operate', 'synth'],
  delivery: ['cluster', 'import', 'operate', 'synth'],
  ipam: ['add', 'bots', 'synth'],
  serve: ['ask', 'ipam', 'picture', 'plan', 'review'],
  reference: [
    'add',
    'ask',
    'bots',
    'cluster',
    'comment',
    'delivery',
    'export',
    'import',
    'keys',
    'merge',
    'operate',
    'picture',
    'plan',
    'prove',
    'serve',
    'synth',
  ],
};

/** One rule for a room: what it may use, and itself. */
function roomRule(name, folder, reach) {
  return {
    name,
    severity: 'error',
    comment: `src/${folder} may use ${reach.join(', ') || 'no other room'}. See src/README.md.`,
    from: { path: `^src/${folder}/` },
    to: {
      path: '^(src|imports)/',
      pathNot: [folder, ...reach].map((room) => `^src/${room}/`).concat('^imports/'),
    },
  };
}

/** A rule that keeps a package in some rooms. */
function packageRule(name, packages, folders) {
  return {
    name,
    severity: 'error',
    from: { path: '^src/', pathNot: `^src/(${folders})/` },
    to: { path: `node_modules/(${packages})/` },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle has no lowest layer. Move what both need into a room below.',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(rooms).map(([room, reach]) => roomRule(`room-${room}`, room, reach)),
    ...Object.entries(features).map(([feature, others]) =>
      roomRule(`feature-${feature}`, `features/${feature}`, [
        ...below,
        ...others.map((other) => `features/${other}`),
      ]),
    ),
    {
      name: 'every-room-has-a-rule',
      severity: 'error',
      comment: 'A new room gets a line in `rooms` or `features` of this file.',
      from: {
        path: '^src/[^/]+/',
        pathNot: [
          `^src/(${Object.keys(rooms).join('|')}|cli|page)/`,
          `^src/features/(${Object.keys(features).join('|')})/`,
        ],
      },
      to: {},
    },
    {
      name: 'nothing-imports-an-entry-point',
      severity: 'error',
      from: {},
      to: { path: '^src/(main|cli/main|cdk8s/index)[.]ts$' },
    },
    {
      name: 'no-world-in-features',
      severity: 'error',
      comment:
        'No file, process, network or clock outside src/world and src/cli; hashing and signing through two files of src/core/model.',
      from: {
        path: '^src/',
        pathNot:
          '^src/(world|cli)/|[.]mjs$|^src/main[.]ts$|^src/core/model/(digest|ownership)[.]ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'cdk8s-in-manifests-only',
      severity: 'error',
      comment: 'src/cdk8s has the constructs for the cdk8s apps of others.',
      from: { path: '^src/', pathNot: '^src/(manifests|cdk8s)/' },
      to: { path: 'node_modules/(cdk8s|cdk8s-plus-28|constructs)/' },
    },
    {
      name: 'imports-in-manifests-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/manifests/' },
      to: { path: '^imports/|node_modules/ajv/' },
    },
    packageRule('zod-in-readers-only', 'zod', 'text|declarations|records|features'),
    packageRule(
      'yaml-in-readers-only',
      'yaml',
      'text|declarations|manifests|features/(ask|import)',
    ),
    packageRule('git-in-world-only', 'simple-git', 'world'),
    packageRule('kubernetes-client-in-world-only', '@kubernetes', 'world'),
    packageRule('http-in-world-only', 'hono|@hono', 'world'),
    packageRule('prompts-in-cli-only', '@clack', 'cli'),
    packageRule('metrics-format-in-serve-only', 'prom-client', 'features/serve'),
    {
      name: 'page-on-nouns-only',
      severity: 'error',
      comment:
        'src/features/page/browser runs in a browser: it may use addresses, nouns and the types of answers, and no package.',
      from: { path: '^src/features/page/browser/', pathNot: '[.]mjs$' },
      to: {
        pathNot: '^src/(net|model|page)/|^src/features/.+-answer[.]ts$|node_modules/ipaddr[.]js/',
      },
    },
    {
      name: 'nothing-imports-the-page',
      severity: 'error',
      comment: 'It is bundled, and read as a text.',
      from: { path: '^src/', pathNot: '^src/features/page/browser/' },
      to: { path: '^src/features/page/browser/' },
    },
    {
      name: 'src-not-to-test',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/' }, to: {} },
    {
      name: 'not-to-dev-dep',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(page/)?bundle[.]mjs$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-unresolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
