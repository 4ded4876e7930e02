/**
 * By these labels a Deployment is known to be `leasehold serve`. Not the label of what stands in `dist/`: that would be taken
 * for something left over.
 */
export const serveLabels = {
  'app.kubernetes.io/component': 'serve',
  'app.kubernetes.io/name': 'leasehold',
} as const;
