import { statfsSync } from 'node:fs';

/**
 * No test goes by the settings of the machine or of who runs it. Git copies no sample hooks, and tidies nothing up. With
 * TERM=dumb, readline takes no key but Enter.
 */
export const settings = {
  TERM: 'xterm-256color',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

/** The folder of temporary files in memory, where a machine has one: nearly all tests write and sync small files. */
export function memoryFolder(): Record<string, string> {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= 2 ** 30 ? { TMPDIR: '/dev/shm' } : {};
  } catch {
    return {};
  }
}
