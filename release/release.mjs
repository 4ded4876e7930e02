// Makes the files of a release: `npm run release -- --out FOLDER`. Without --image, it needs no network after `npm ci`. A commit gives
// the same bytes each time, with the same Node and npm. Only files that git tracks are packed. With --key and its password in
// COSIGN_PASSWORD, it also has signatures, which differ each time.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  billOfMaterials,
  billText,
  bundledPackages,
  licencesText,
  withComponents,
} from './bundled-packages.mjs';
import { imageSignature, openKey, signatureOf } from './cosign.mjs';
import { imageFault, makeImage } from './image.mjs';
import { commitDate, packFolder, packNpm, stagePackage, tarOf } from './npm-package.mjs';
import { writeLayout } from './oci-layout.mjs';

/** The Helm chart. As in every packed chart, its files are in a folder of this name. */
const chart = 'leasehold-serve';

const { out, image, mirror, key } = parseArgs({
  options: {
    out: { type: 'string' },
    image: { type: 'boolean' },
    mirror: { type: 'string' },
    key: { type: 'string' },
  },
}).values;
const usage = 'usage: npm run release -- --out FOLDER [--image] [--mirror URL] [--key FILE]';
if (out === undefined) stop(usage);
const fault = image ? imageFault() : undefined;
if (fault !== undefined) stop(fault);
const folder = resolve(out);
if (existsSync(folder) && readdirSync(folder).length > 0) stop(`the folder ${out} is not empty`);

const signingKey = key === undefined ? undefined : keyIn(key);
// The tarball has the modes of the files.
process.umask(0o022);
const work = mkdtempSync(join(tmpdir(), 'leasehold-release-'));
try {
  const made = makeFiles();
  mkdirSync(folder, { recursive: true });
  cpSync(made, folder, { recursive: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const name of readdirSync(folder).sort()) process.stdout.write(`${join(out, name)}\n`);

/** Makes all files in the folder of work, and returns the folder that has them. */
function makeFiles() {
  const [made, stage, maps] = ['made', 'package', 'maps'].map((name) => join(work, name));
  mkdirSync(made);
  const { name, version } = stagePackage(stage, maps);
  const packages = bundledPackages(maps);
  writeFileSync(join(stage, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages));
  const date = commitDate();
  const base = join(made, `${name}-${version}`);
  packNpm(stage, made);
  // Unpacked over the installed package, `node --enable-source-maps` uses them.
  packFolder(maps, `${base}.source-maps.tar.gz`, date);
  const archive = join(made, `${chart}-${version}.tgz`);
  packFolder(join(stage, 'charts', chart), archive, date, `--transform=s,^\\.,${chart},`);
  const bill = billOfMaterials(packages, date);
  writeFileSync(`${base}.cdx.json`, billText(bill));
  let digest;
  if (image) {
    const place = { work: join(work, 'image'), tarball: `${base}.tgz`, archive: `${base}.oci.tar` };
    mkdirSync(place.work);
    const { components, ...others } = makeImage({ ...place, version, date, mirror });
    writeFileSync(`${base}.oci.cdx.json`, billText(withComponents(bill, components)));
    digest = others.digest;
  }
  const sums = join(made, 'SHA256SUMS');
  writeFileSync(sums, checksums(made));
  if (signingKey !== undefined) {
    writeFileSync(`${sums}.sig`, signatureOf(readFileSync(sums), signingKey));
    if (image) writeFileSync(`${base}.oci.sig.tar`, signatureLayout({ digest, name }, date));
  }
  return made;
}

/** The signature of the image, as a tar file of an OCI layout. */
function signatureLayout(signed, date) {
  const layout = join(work, 'signature');
  const signature = imageSignature(signed, signingKey);
  writeLayout(layout, signature.image, signature.tag);
  return tarOf(layout, date);
}

/** The private key in a file, which signs the release. */
function keyIn(file) {
  try {
    return openKey(readFileSync(file, 'utf8'), process.env.COSIGN_PASSWORD ?? '');
  } catch (error) {
    return stop(`the key ${file} cannot be opened with COSIGN_PASSWORD: ${error.message}`);
  }
}

/** The lines of `sha256sum` for the files of a folder. */
function checksums(of) {
  return readdirSync(of)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(of, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
}

function stop(message) {
  process.stderr.write(`release: ${message}\n`);
  process.exit(64);
}
