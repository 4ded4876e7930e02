/** The app of `npx cdk8s synth`: the same run as `leasehold synth`, in the current folder. */
import { processWorld } from './cli/process-world.ts';
import { run } from './cli/run.ts';
import { openForReading } from './io/disk-tree.ts';
import { writeSynthIndex } from './io/synth-index.ts';

const world = processWorld();
const status = await run(['synth'], world);
if (status === 0) {
  const manifests = openForReading(world.cwd).list('dist');
  writeSynthIndex(
    process.env.CDK8S_OUTDIR ?? '.leasehold/cdk8s',
    manifests.map((entry) => entry.path),
  );
}
process.exitCode = status;
