import type { Job } from '../job.ts';

export const historyJobs: readonly Job[] = [
  {
    name: 'the last landing taken back',
    begin: ({ checkout, held }) => {
      const { git } = checkout.repository;
      const isMerge = git('rev-list', '--parents', '-n', '1', 'HEAD').trim().split(' ').length > 2;
      const isSquash = /\(#\d+\)$/m.test(git('log', '-1', '--format=%s'));
      if (!isMerge && !isSquash) return undefined;
      git('revert', '--no-commit', ...(isMerge ? ['-m', '1'] : []), 'HEAD');
      return { moved: [...held.keys()] };
    },
  },
];
