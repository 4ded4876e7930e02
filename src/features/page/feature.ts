import type { Feature } from '../../core/cli/feature.ts';
import { adds } from '../../core/interfaces/extension.ts';
import { serviceRoutes } from '../../lib/service/route.ts';

/** The address space as a web page. */
export const page: Feature = {
  name: 'page',
  adds: [adds(serviceRoutes, async () => (await import('./page-routes.ts')).pageRoutes)],
  commands: {
    report: {
      group: 'ask',
      summary: 'write the address space as a web page',
      description: 'write the address space as one page: pools, a map, a search, histories',
      load: async () => (await import('./cli/report-command.ts')).reportCommand,
    },
  },
  examples: {
    report: [
      ['one page for the browser', 'report --out report.html'],
      ['before and after of this branch', 'report --base origin/main --out report.html'],
    ],
  },
};
