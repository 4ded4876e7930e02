/** Layers, lowest first: a folder may import those below it and itself, and nothing above. */
const engines = '^src/(allocate|codec|manifests|report|live|doctor)/';
const pure = '^src/(net|model|allocate|codec|manifests|report|live|doctor|app)/';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle has no lowest layer. Move what both need down into src/model.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'net-is-the-bottom',
      severity: 'error',
      comment: 'Address arithmetic knows nothing of leases.',
      from: { path: '^src/net/' },
      to: { path: '^(src|imports)/', pathNot: '^src/net/' },
    },
    {
      name: 'model-on-net-only',
      severity: 'error',
      comment: 'The nouns may use addresses, and nothing else.',
      from: { path: '^src/model/' },
      to: { path: '^(src|imports)/', pathNot: '^src/(net|model)/' },
    },
    {
      name: 'engines-do-not-know-each-other',
      severity: 'error',
      comment: 'Siblings meet in src/app; what they share belongs in src/model.',
      from: { path: engines },
      to: { path: '^src/', pathNot: ['^src/(net|model)/', '^src/$1/'] },
    },
    {
      name: 'app-below-the-world',
      severity: 'error',
      comment: 'Use cases get their adapters as arguments (src/app/ports/).',
      from: { path: '^src/app/' },
      to: { path: '^src/(io|cli)/|^src/main[.]ts$' },
    },
    {
      name: 'adapters-see-ports-only',
      severity: 'error',
      comment: 'src/io implements the ports and knows no use case.',
      from: { path: '^src/io/' },
      to: { path: '^src/', pathNot: '^src/(net|model|io)/|^src/app/ports/' },
    },
    {
      name: 'nothing-imports-an-entry-point',
      severity: 'error',
      from: {},
      to: { path: '^src/(main|cli/main)[.]ts$' },
    },
    {
      name: 'no-world-below-io',
      severity: 'error',
      comment:
        'No file, process, network or clock below src/io; hashing and signing through two files of src/model.',
      from: { path: pure, pathNot: '^src/model/(digest|ownership-key)[.]ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'cdk8s-in-manifests-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/manifests/' },
      to: { path: '^imports/|node_modules/(cdk8s|cdk8s-plus-28|constructs|ajv)/' },
    },
    {
      name: 'yaml-and-zod-in-codec-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/codec/' },
      to: { path: 'node_modules/(yaml|zod)/' },
    },
    {
      name: 'git-in-io-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/io/' },
      to: { path: 'node_modules/simple-git/' },
    },
    {
      name: 'kubernetes-client-in-io-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/io/' },
      to: { path: 'node_modules/@kubernetes/' },
    },
    {
      name: 'prompts-in-cli-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: 'node_modules/@clack/' },
    },
    {
      name: 'http-in-io-only',
      severity: 'error',
      comment: 'What is answered is told by src/app/serve; src/io/http only sends it.',
      from: { path: '^src/', pathNot: '^src/io/' },
      to: { path: 'node_modules/(hono|@hono)/' },
    },
    {
      name: 'metrics-format-in-report-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/report/' },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'page-on-nouns-only',
      severity: 'error',
      comment: 'src/page runs in a browser: it may use addresses and nouns, and no package.',
      from: { path: '^src/page/', pathNot: '[.]mjs$' },
      to: { pathNot: '^src/(net|model|page)/|node_modules/ipaddr[.]js/' },
    },
    {
      name: 'nothing-imports-the-page',
      severity: 'error',
      comment: 'It is bundled, and read as a text.',
      from: { path: '^src/', pathNot: '^src/page/' },
      to: { path: '^src/page/' },
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
