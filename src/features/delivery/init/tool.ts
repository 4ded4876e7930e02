import { repositoryFault } from '../../../model/repository-url.ts';
import type { SetupAnswers, ToolSource } from './setup.ts';

/**
 * Where a text such as `https://HOST/PATH#COMMIT` has its leasehold from, or why it is none, as a sentence. The text is
 * not repeated: it may hold a password.
 */
export function parseTool(text: string, forge: SetupAnswers['forge']): ToolSource | string {
  const [, url = '', commit = ''] = /^([^#]*)#([0-9a-f]{40})$/.exec(text) ?? [];
  if (url === '') {
    return 'expected a git repository and a whole commit of it, https://HOST/PATH#COMMIT with 40 hex digits';
  }
  const fault = repositoryFault(url, true);
  if (fault !== undefined) return `the address ${fault}`;
  if (forge === 'gitlab' && !/^https?:/.test(url)) {
    return 'the job of GitLab has no key for ssh, expected https://HOST/PATH#COMMIT';
  }
  if (forge === 'github' && actionName(url) === undefined) {
    return 'GitHub takes an action from a repository OWNER/NAME, and the address is none of one';
  }
  return { url, commit };
}

/** The repository as a step of GitHub Actions names it, `owner/name`; undefined when its path is not one. */
export function actionName(url: string): string | undefined {
  const path = url.includes('://') ? new URL(url).pathname : (url.split(':')[1] ?? '');
  return /^\/?([A-Za-z0-9_-][A-Za-z0-9._-]*\/[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(path)?.[1];
}

/** The repository at its commit, as `package.json` names a dependency. npm docs: package.json, "Git URLs". */
export function npmSource({ url, commit }: ToolSource): string {
  const long = url.includes('://') ? url : `ssh://${url.replace(':', '/')}`;
  return `git+${long}#${commit}`;
}
