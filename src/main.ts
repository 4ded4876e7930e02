/** The app of `npx cdk8s synth`: the same run as `leasehold synth`, in the current folder. */
import { reportFailure } from './cli/failure.ts';
import { processWorld } from './cli/process-world.ts';
import { run } from './cli/run.ts';
import { exit } from './cli/world.ts';
import { distFolder, stateFolder } from './model/folders.ts';
import { openForReading } from './world/disk/disk-tree.ts';
import { writeSynthIndex } from './world/disk/named-file.ts';

const world = processWorld();
process.exitCode = await run(['synth'], world);
if (process.exitCode === exit.fine) {
  try {
    const manifests = openForReading(world.cwd).list(distFolder);
    writeSynthIndex(
      process.env.CDK8S_OUTDIR ?? `${stateFolder}/cdk8s`,
      manifests.map((entry) => entry.path),
    );
  } catch (failure) {
    process.exitCode = reportFailure(world, failure);
  }
}
