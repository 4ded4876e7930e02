/** The rooms of core, lowest first, and the rooms of core that each may use. */
const rooms = {
  net: [],
  model: ['net'],
  interfaces: ['net', 'model'],
  text: ['net', 'model'],
  declarations: ['net', 'model', 'text'],
  records: ['net', 'model', 'text', 'declarations'],
  allocate: ['net', 'model', 'declarations', 'records'],
  transitions: ['net', 'model', 'declarations', 'records', 'allocate'],
  manifests: ['net', 'model', 'text'],
  tree: ['net', 'model', 'interfaces', 'text', 'declarations', 'records', 'manifests'],
  world: ['net', 'model', 'interfaces'],
};

/** The rooms that each run, library and feature may use. */
const below = Object.keys(rooms).filter((room) => room !== 'world');

/** The runs of core, and the other runs that each may use. */
const runs = {
  synth: [],
  review: ['synth'],
  plan: ['review'],
  explain: ['plan'],
};

/** The libraries, and the other libraries that each may use. */
const libraries = {
  http: [],
  kubernetes: ['http'],
  branch: [],
  list: [],
  edit: [],
  markdown: [],
  history: [],
  forecast: ['branch', 'history', 'list'],
  foreign: [],
  akash: [],
  service: ['forecast', 'history', 'http', 'list'],
};

/** The features, and the other features that each may use. To be emptied but for what a feature needs. */
const features = {
  add: [],
  ask: [],
  bots: [],
  cluster: [],
  export: [],
  forge: [],
  formats: [],
  import: [],
  inventory: [],
  ipam: [],
  keys: [],
  list: [],
  move: [],
  page: [],
  prove: [],
  rename: [],
  resolve: [],
  serve: ['ipam'],
  setup: [],
};

/** One rule for a folder of src: it may use these folders of src, and itself. */
function folderRule(folder, reach) {
  return {
    name: folder.replaceAll('/', '-'),
    severity: 'error',
    comment: `src/${folder} may use ${reach.join(', ') || 'nothing else of src'}. See src/README.md.`,
    from: {
      path: `^src/${folder}/`,
      pathNot: folder.startsWith('core/') ? '[.]mjs$' : '/(cli|world)/|/feature[.]ts$|[.]mjs$',
    },
    to: {
      path: '^(src|imports)/',
      pathNot: [folder, ...reach].map((room) => `^src/${room}/`).concat('^imports/'),
    },
  };
}

/** The folders cli and world of a feature or library may use all of core and every library too. */
function commandRule(folder, reach) {
  return {
    name: `${folder.replaceAll('/', '-')}-cli`,
    severity: 'error',
    comment: `src/${folder}/cli and world may use core, the libraries, ${[folder, ...reach].join(', ')}.`,
    from: { path: [`^src/${folder}/.*(cli|world)/`, `^src/${folder}/feature[.]ts$`] },
    to: {
      path: '^src/',
      pathNot: ['core', 'lib', folder, ...reach]
        .map((room) => `^src/${room}/`)
        .concat('^src/features[.]ts$'),
    },
  };
}

const inCore = (names) => names.map((name) => `core/${name}`);
const everyRun = inCore(Object.keys(runs).map((run) => `run/${run}`));
const everyLibrary = Object.keys(libraries).map((library) => `lib/${library}`);

const folders = [
  ...Object.entries(rooms).map(([room, reach]) => folderRule(`core/${room}`, inCore(reach))),
  ...Object.entries(runs).map(([run, others]) =>
    folderRule(`core/run/${run}`, [
      ...inCore(below),
      ...inCore(others.map((other) => `run/${other}`)),
    ]),
  ),
  folderRule('core/cli', ['core']),
  ...Object.entries(libraries).flatMap(([library, others]) => {
    const reach = others.map((other) => `lib/${other}`);
    return [
      folderRule(`lib/${library}`, [...inCore(below), ...everyRun, 'core/world', ...reach]),
      commandRule(`lib/${library}`, reach),
    ];
  }),
  ...Object.entries(features).flatMap(([feature, others]) => {
    const reach = others.map((other) => `features/${other}`);
    return [
      folderRule(`features/${feature}`, [
        ...inCore(below),
        ...everyRun,
        'core/world',
        ...everyLibrary,
        ...reach,
      ]),
      commandRule(`features/${feature}`, reach),
    ];
  }),
  folderRule('cdk8s', ['core']),
];

/** Folders that see files, processes, the network and the clock. */
const outer = '/(world|cli)/|[.]mjs$|^src/(main|program)[.]ts$';

/** A rule that keeps a package in some folders. */
function packageRule(name, packages, folders) {
  return {
    name,
    severity: 'error',
    from: { path: '^src/', pathNot: folders },
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
    ...folders,
    {
      name: 'every-folder-has-a-rule',
      severity: 'error',
      comment: 'A new folder gets a line in this file.',
      from: {
        path: '^src/[^/]+/',
        pathNot: [
          `^src/core/(${Object.keys(rooms).join('|')}|cli)/`,
          `^src/core/run/(${Object.keys(runs).join('|')})/`,
          `^src/lib/(${Object.keys(libraries).join('|')})/`,
          `^src/features/(${Object.keys(features).join('|')})/`,
          '^src/cdk8s/',
        ],
      },
      to: {},
    },
    {
      name: 'nothing-imports-an-entry-point',
      severity: 'error',
      from: {},
      to: { path: '^src/(main|program|cdk8s/index)[.]ts$' },
    },
    {
      name: 'the-list-of-features-in-entry-points-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|program)[.]ts$|-thread[.]ts$' },
      to: { path: '^src/features[.]ts$' },
    },
    {
      name: 'world-from-outside-only',
      severity: 'error',
      comment: 'What decides takes interfaces; a command gives it what stands in a folder world.',
      from: { path: '^src/', pathNot: `${outer}|^src/cdk8s/` },
      to: { path: '^src/.+/world/' },
    },
    {
      name: 'no-world-inside',
      severity: 'error',
      comment:
        'No file, process, network or clock outside of folders named world or cli; hashing and signing through two files of src/core/model.',
      from: { path: '^src/', pathNot: `${outer}|^src/core/model/(digest|ownership)[.]ts$` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'cdk8s-in-manifests-only',
      severity: 'error',
      comment: 'src/cdk8s has the constructs for the cdk8s apps of others.',
      from: { path: '^src/', pathNot: '^src/(core/manifests|cdk8s)/' },
      to: { path: 'node_modules/(cdk8s|cdk8s-plus-28|constructs)/' },
    },
    {
      name: 'constructs-in-the-app-only',
      severity: 'error',
      comment: 'Commands load no cdk8s, which takes 0.05 s: only the app of `cdk8s synth` does.',
      from: { path: '^src/', pathNot: '^src/main[.]ts$' },
      to: { path: '/manifests/dist-app[.]ts$' },
    },
    {
      name: 'imports-in-manifests-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/manifests/' },
      to: { path: '^imports/' },
    },
    packageRule(
      'zod-in-readers-only',
      'zod',
      '^src/(core/(text|declarations|records|run|cli)|lib|features)/',
    ),
    packageRule(
      'yaml-in-readers-only',
      'yaml',
      '^src/(core/(text|declarations|manifests)|features/(ask|import|list)|lib/edit)/',
    ),
    packageRule('git-in-world-only', 'simple-git', '^src/(core|lib/branch)/world/'),
    packageRule('kubernetes-client-in-world-only', '@kubernetes', '/world/'),
    packageRule('http-in-world-only', 'hono|@hono', '/world/'),
    packageRule('prompts-in-cli-only', '@clack', '/cli/'),
    packageRule('metrics-format-in-serve-only', 'prom-client', '^src/features/serve/'),
    {
      name: 'page-on-nouns-only',
      severity: 'error',
      comment:
        'src/features/page/browser runs in a browser: it may use addresses, nouns, the types of answers and the text of an announcement, and no package.',
      from: { path: '^src/features/page/browser/', pathNot: '[.]mjs$' },
      to: {
        pathNot:
          '^src/core/(net|model)/|^src/features/page/browser/|^src/.+-answer[.]ts$|^src/lib/list/announced-text[.]ts$|node_modules/ipaddr[.]js/',
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
      from: { path: '^src/', pathNot: '^src/.*bundle[.]mjs$' },
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
