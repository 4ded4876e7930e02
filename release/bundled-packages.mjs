import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const repository = join(import.meta.dirname, '..');

/**
 * The packages that source maps name, and so those in the bundles: name, version, licence and
 * folder, sorted.
 */
export function bundledPackages(maps) {
  const folders = new Set();
  for (const path of readdirSync(maps, { recursive: true })) {
    if (!path.endsWith('.map')) continue;
    // The maps name their sources as if the bundles were in build/ of the repository.
    const place = dirname(join(repository, path));
    for (const source of JSON.parse(readFileSync(join(maps, path), 'utf8')).sources) {
      const inPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(resolve(place, source));
      if (inPackage) folders.add(inPackage[0]);
    }
  }
  // The same version of a package may be installed in two folders.
  const packages = new Map([...folders].map(packageIn).map((one) => [one.id, one]));
  return [...packages.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function packageIn(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (typeof license !== 'string') throw new Error(`${name} ${version} names no licence`);
  return { id: `${name}@${version}`, license, author: author?.name ?? author, folder };
}

/** The licences of packages, with the texts that come with them. */
export function licencesText(packages) {
  const sections = packages.map(({ id, license, author, folder }) => {
    const texts = readdirSync(folder)
      .filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
    return [`${id}: ${license}`, ...(texts.length > 0 ? texts : [`By ${author}`])].join('\n\n');
  });
  const head = 'The program contains these packages, each under its own licence.';
  return `${[head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * The bill of materials that npm makes of the lock file, reduced to the packages in the bundles. Its
 * time is the given date.
 */
export function billOfMaterials(packages, date) {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const npm = execFileSync('npm', [...args, '--offline'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { metadata, components, serialNumber: _, ...bill } = JSON.parse(npm);
  const own = metadata.component;
  // npm names the folder of the repository.
  own.name = own.purl.slice('pkg:npm/'.length, own.purl.lastIndexOf('@'));
  return {
    ...bill,
    metadata: { ...metadata, timestamp: date, lifecycles: [{ phase: 'build' }] },
    components: packages.map(({ id }) => {
      const component = components.find((candidate) => candidate['bom-ref'] === id);
      if (!component) throw new Error(`${id} is bundled, but npm sbom does not list it`);
      return component;
    }),
    dependencies: [{ ref: own['bom-ref'], dependsOn: packages.map(({ id }) => id) }],
  };
}

/** A bill of materials with further components, which the same product depends on. */
export function withComponents(bill, others) {
  const [{ ref, dependsOn }] = bill.dependencies;
  const refs = others.map((component) => component['bom-ref']);
  return {
    ...bill,
    components: [...bill.components, ...others],
    dependencies: [{ ref, dependsOn: [...dependsOn, ...refs] }],
  };
}

/** A bill of materials as a file. Its serial number follows from its content. */
export function billText(content) {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // A UUID of version 8 (RFC 9562), which is free to come from a digest.
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? [];
  const [, first, second, third, fourth, last] = parts;
  const serialNumber = `urn:uuid:${first}-${second}-8${third}-8${fourth}-${last}`;
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`;
}
