import type { ForgePages } from '../features/plan/print/plan-links.ts';
import type { World } from './world.ts';

/** Where the forge whose CI this runs in shows the repository; undefined outside of both. */
export function forgePages(env: World['env']): ForgePages | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, CI_PROJECT_URL: project } = env;
  if (server && name) return { forge: 'github', repository: `${server}/${name}` };
  return project ? { forge: 'gitlab', repository: project } : undefined;
}
