import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** `--context` of the commands that connect to a live cluster. */
export function contextOption() {
  return new Option(
    '--context <name>',
    'the context of the kubeconfig; the current one when left out',
  ).argParser(givenValue);
}

/** `--kubeconfig` of the same commands. */
export function kubeconfigOption() {
  return new Option(
    '--kubeconfig <file>',
    'the kubeconfig; KUBECONFIG or ~/.kube/config when left out',
  ).argParser(givenValue);
}

/** A value that an unset variable of a script has not made empty. */
function givenValue(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** The live cluster that the two options name. */
export function connectionOf({
  kubeconfig,
  context,
}: {
  readonly kubeconfig?: string;
  readonly context?: string;
}) {
  return { kubeconfig, context };
}
