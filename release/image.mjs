// The image of a release, as a tar file of an OCI layout. It needs root on Linux, for the files of the image, and a network. The
// same commit, and the same versions on the mirror of Debian, give the same bytes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { makeRoot } from './image-root.mjs';
import { tarOf } from './npm-package.mjs';
import { imageOf, mediaType, writeLayout } from './oci-layout.mjs';

/** What a container runs, in the fields of the OCI image specification. */
const run = {
  User: '1000:1000',
  Env: ['PATH=/usr/local/bin:/usr/bin', 'HOME=/tmp'],
  Entrypoint: ['leasehold'],
  WorkingDir: '/srv',
};

/** What this machine lacks to make an image, as a sentence; undefined when it lacks nothing. */
export function imageFault() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'an image needs Linux on x64';
  if (process.getuid() !== 0) return 'an image needs root';
  const folders = (process.env.PATH ?? '').split(':');
  const lacking = ['dpkg-deb', 'mmdebstrap', 'strip'].filter(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  );
  return lacking.length > 0 ? `an image needs ${lacking.join(' and ')}` : undefined;
}

/**
 * Makes the image with a packed release in the file `archive`. Returns the digest of its manifest, and
 * the packages below the program as components of CycloneDX. `work` is an empty folder, `mirror` the URL of a mirror of
 * Debian, such as a snapshot; undefined for the one that mmdebstrap chooses, with the newest versions.
 */
export function makeImage({ tarball, archive, work, version, date, mirror }) {
  const [root, program, layout] = ['root', 'program', 'layout'].map((name) => join(work, name));
  const components = makeRoot(root, { work, mirror });
  installTarball(program, tarball);
  const layers = [
    { name: 'Debian and Node', tar: tarOf(root, date) },
    { name: `leasehold ${version}`, tar: tarOf(program, date) },
  ];
  const image = imageOf({
    config: {
      created: date,
      config: run,
      history: layers.map(({ name }) => ({ created: date, created_by: name })),
    },
    layers: layers.map(({ tar }) => ({
      type: mediaType('layer.v1.tar+gzip'),
      bytes: gzipSync(tar, { level: 9 }),
      unpacked: tar,
    })),
    annotations: {
      'org.opencontainers.image.created': date,
      'org.opencontainers.image.version': version,
    },
  });
  writeLayout(layout, image, version);
  writeFileSync(archive, tarOf(layout, date));
  return { components, digest: image.digest };
}

function installTarball(folder, tarball) {
  const place = join(folder, 'usr/local/lib/leasehold');
  mkdirSync(place, { recursive: true });
  const unpack = ['--strip-components=1', '--no-same-owner', '-C', place];
  execFileSync('tar', ['-xzf', tarball, ...unpack]);
  mkdirSync(join(folder, 'usr/local/bin'));
  const main = '../lib/leasehold/build/src/cli/main.js';
  symlinkSync(main, join(folder, 'usr/local/bin/leasehold'));
}
