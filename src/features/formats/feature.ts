import type { Feature } from '../../core/cli/feature.ts';

/** Formats of `plan -o` for people on a forge or in a browser, and for programs that show findings. */
export const formats: Feature = {
  name: 'formats',
  planFormats: {
    markdown: async () => (await import('./formats.ts')).markdown,
    sarif: async () => (await import('./formats.ts')).sarif,
    github: async () => (await import('./formats.ts')).github,
    gitlab: async () => (await import('./formats.ts')).gitlab,
    html: async () => (await import('./formats.ts')).html,
  },
};
