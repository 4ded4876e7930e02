/**
 * The app of `npx cdk8s synth`: the same run as `leasehold synth`, in the current folder, with a
 * chart for each file of `dist/` and a construct for each object.
 */

import { exit } from './core/cli/cli-context.ts';
import { reportFailure } from './core/cli/failure.ts';
import { processContext } from './core/cli/process-context.ts';
import { run } from './core/cli/run.ts';
import { DistApp, IndexApp } from './core/manifests/dist-app.ts';
import type { Manifest } from './core/manifests/manifest.ts';
import { EnvironmentError } from './core/model/problem.ts';
import { distFolder, stateFolder } from './core/model/repository-paths.ts';
import { openForReading } from './core/world/disk/disk-tree.ts';
import { reasonOf } from './core/world/system-error.ts';
import { features } from './features.ts';

const app = new DistApp();
const context = {
  ...processContext(),
  renderObjects: (manifests: readonly Manifest[]) => app.renderFile(manifests),
};
process.exitCode = await run(['synth'], features, context);
if (process.exitCode === exit.fine) {
  try {
    const manifests = openForReading(context.cwd).list(distFolder);
    writeIndex(manifests.map(({ path }) => path));
  } catch (failure) {
    process.exitCode = reportFailure(context, failure);
  }
}

/** Synthesizes the index into the output folder of cdk8s. An EnvironmentError on a disk error. */
function writeIndex(manifests: readonly string[]): void {
  const app = new IndexApp(process.env.CDK8S_OUTDIR ?? `${stateFolder}/cdk8s`, manifests);
  try {
    app.synth();
  } catch (error) {
    throw new EnvironmentError(`the index for cdk8s cannot be written: ${reasonOf(error)}`);
  }
}
