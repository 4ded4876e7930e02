import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { NewCommand } from '../../../../core/cli/command-line.ts';
import { assertRepository } from '../../../../core/cli/declared-names.ts';
import { UsageError } from '../../../../core/cli/failure.ts';
import { labelOption } from '../../../../core/cli/option-values.ts';
import type { GitPod } from '../../bootstrap/git-pod.ts';
import { engineBranchValue } from '../engine-values.ts';

/** The options of a pod that runs leasehold in a clone. */
export function podOptions(command: NewCommand) {
  return command
    .requiredOption('--image <image>', 'an image with leasehold, git and a shell', imageValue)
    .requiredOption('--repo <url>', 'the repository of the leases, https or ssh')
    .option('--branch <name>', 'the branch that it clones', engineBranchValue, 'main')
    .option(
      '--secret <name>',
      'the Secret for git: identity and known_hosts (ssh), or username and password (https)',
      labelOption,
    );
}

type PodOptions = ReturnType<ReturnType<typeof podOptions>['opts']>;

/** The pod of these options. A UsageError for a URL that git or the Secret cannot work with. */
export function gitPodOf({ image, repo: url, branch, secret }: PodOptions): GitPod {
  assertRepository(url, true);
  if (secret !== undefined && url.startsWith('http://')) {
    throw new UsageError('--secret is sent only over https or ssh, not to the address in --repo');
  }
  return { image, repository: { url, branch }, secret };
}

/** A caution about options that are likely to fail in the cluster; none when they are fine. */
export function podCautions({ repo, secret }: PodOptions): readonly string[] {
  if (secret !== undefined || /^https?:/.test(repo)) return [];
  return ['ssh needs a key and known hosts: use --secret, unless the image has them'];
}

/** The name of an image; registry, tag and digest are optional. */
function imageValue(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,510}$/.test(text)) return text;
  throw new InvalidArgumentError('It is not the name of an image.');
}
