// Writes an image as an OCI layout: https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const type = (name) => `application/vnd.oci.image.${name}`;

/**
 * Writes an image into a new folder. `layers` are tar files with a name each, the lowest first.
 * `config` is what a container runs, in the fields of the specification.
 */
export function writeLayout(folder, { layers, config, date, version }) {
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const put = (name, bytes) => {
    const digest = digestOf(bytes);
    writeFileSync(join(blobs, digest.slice('sha256:'.length)), bytes);
    return { mediaType: type(name), digest, size: bytes.length };
  };
  const image = {
    created: date,
    architecture: 'amd64',
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ tar }) => digestOf(tar)) },
    history: layers.map(({ name }) => ({ created: date, created_by: name })),
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: type('manifest.v1+json'),
    config: put('config.v1+json', json(image)),
    layers: layers.map(({ tar }) => put('layer.v1.tar+gzip', gzipSync(tar, { level: 9 }))),
    annotations: {
      'org.opencontainers.image.created': date,
      'org.opencontainers.image.version': version,
    },
  };
  const named = { annotations: { 'org.opencontainers.image.ref.name': version } };
  const manifests = [{ ...put('manifest.v1+json', json(manifest)), ...named }];
  const index = { schemaVersion: 2, mediaType: type('index.v1+json'), manifests };
  writeFileSync(join(folder, 'index.json'), json(index));
  writeFileSync(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
}

function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}
