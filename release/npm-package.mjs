import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

const repository = join(import.meta.dirname, '..');

/** What the package has beside the program. */
const shipped = ['charts', 'docs', 'imports/crds', 'CHANGELOG.md', 'LICENSE', 'README.md'];

/** Fields of package.json that the released one has too. */
const kept = [
  ...['name', 'version', 'description', 'license', 'type', 'engines', 'bin'],
  ...['exports', 'typesVersions'],
];

/** The packages that `leasehold/cdk8s` takes from the app that uses it. */
const peers = ['cdk8s', 'constructs'];

/**
 * Makes the folder of the package, and moves the source maps of its program into another one, with
 * the same paths. Returns its package.json.
 */
export function stagePackage(stage, maps) {
  const build = join(stage, 'build');
  const bundle = (script, into) =>
    execFileSync(process.execPath, [join(repository, script), '--source-maps', into]);
  bundle('src/bundle.mjs', build);
  bundle('src/features/page/browser/bundle.mjs', join(build, 'page'));
  for (const path of readdirSync(stage, { recursive: true })) {
    if (path.endsWith('.map')) move(stage, maps, path);
  }
  for (const path of git('ls-files', '-z', '--', ...shipped)
    .split('\0')
    .filter(isShipped)) {
    cpSync(join(repository, path), join(stage, path));
  }
  const manifest = releasedManifest(JSON.parse(readFileSync(join(repository, 'package.json'))));
  for (const program of Object.values(manifest.bin)) chmodSync(join(stage, program), 0o755);
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Without the site of the documentation, and the scripts that make it. */
function isShipped(path) {
  return path !== '' && !path.startsWith('docs/site/') && !/[.](?:mjs|ts)$/.test(path);
}

function move(from, to, path) {
  mkdirSync(dirname(join(to, path)), { recursive: true });
  renameSync(join(from, path), join(to, path));
}

/**
 * The package.json of the package. All packages that the program uses are in it, so that nothing is
 * installed with it. A cdk8s app has the peers already, of any version that is compatible with ours.
 */
function releasedManifest(manifest) {
  return {
    ...Object.fromEntries(kept.map((field) => [field, manifest[field]])),
    peerDependencies: Object.fromEntries(
      peers.map((name) => [name, `^${manifest.dependencies[name]}`]),
    ),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  };
}

/** Packs the folder of the package as npm does: sorted, with fixed times, owners and modes. */
export function packNpm(stage, into) {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', into], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Packs a folder into a `.tar.gz` file that everyone can read. `options` are further ones of tar. */
export function packFolder(folder, archive, date, ...options) {
  const tar = tarOf(folder, date, '--mode=u=rwX,go=rX', ...options);
  writeFileSync(archive, gzipSync(tar, { level: 9 }));
}

/** A folder as a tar file: sorted, with one time, and owned by root. `options` are further ones of tar. */
export function tarOf(folder, date, ...options) {
  const fixed = ['--sort=name', `--mtime=${date}`, '--owner=0', '--group=0', '--numeric-owner'];
  return execFileSync('tar', ['-c', '--format=ustar', ...options, ...fixed, '.'], {
    cwd: folder,
    maxBuffer: 2 ** 30,
  });
}

/** When the commit was made, in UTC. It stands for the time of the release. */
export function commitDate() {
  return new Date(git('log', '-1', '--format=%cI').trim()).toISOString();
}

function git(...args) {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26 });
}
