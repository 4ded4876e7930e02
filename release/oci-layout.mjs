// Images and their layouts: https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A media type of the specification. */
export const mediaType = (name) => `application/vnd.oci.image.${name}`;

/**
 * An image: the bytes of its manifest, with their digest, and its blobs. `config` is in the fields
 * of the specification. Layers are `{ type, bytes, annotations }`, the lowest first.
 */
export function imageOf({ config, layers, annotations }) {
  const filled = {
    architecture: 'amd64',
    os: 'linux',
    ...config,
    rootfs: {
      type: 'layers',
      diff_ids: layers.map(({ bytes, unpacked = bytes }) => digestOf(unpacked)),
    },
  };
  const first = { type: mediaType('config.v1+json'), bytes: json(filled) };
  const manifest = json({
    schemaVersion: 2,
    mediaType: mediaType('manifest.v1+json'),
    config: descriptor(first),
    layers: layers.map(descriptor),
    annotations,
  });
  return {
    manifest,
    digest: digestOf(manifest),
    blobs: [first, ...layers].map(({ bytes }) => bytes),
  };
}

/** Writes an image with its tag into a new folder. */
export function writeLayout(folder, { manifest, blobs }, tag) {
  const place = join(folder, 'blobs/sha256');
  mkdirSync(place, { recursive: true });
  for (const bytes of [manifest, ...blobs]) {
    writeFileSync(join(place, digestOf(bytes).slice('sha256:'.length)), bytes);
  }
  const described = descriptor({
    type: mediaType('manifest.v1+json'),
    bytes: manifest,
    annotations: { 'org.opencontainers.image.ref.name': tag },
  });
  const index = {
    schemaVersion: 2,
    mediaType: mediaType('index.v1+json'),
    manifests: [described],
  };
  writeFileSync(join(folder, 'index.json'), json(index));
  writeFileSync(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
}

/** Of bytes: their type, digest, size and annotations. */
function descriptor({ type, bytes, annotations }) {
  return { mediaType: type, digest: digestOf(bytes), size: bytes.length, annotations };
}

function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}
