/** The app of `npx cdk8s synth`: the same run as `leasehold synth`, in the current folder. */

import { exit } from './cli/cli-context.ts';
import { reportFailure } from './cli/failure.ts';
import { processContext } from './cli/process-context.ts';
import { run } from './cli/run.ts';
import { IndexApp } from './manifests/dist-app.ts';
import { EnvironmentError } from './model/problem.ts';
import { distFolder, stateFolder } from './model/repository-paths.ts';
import { openForReading } from './world/disk/disk-tree.ts';
import { reasonOf } from './world/system-error.ts';

const context = processContext();
process.exitCode = await run(['synth'], context);
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
