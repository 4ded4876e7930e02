import type { Chart } from 'cdk8s';
import { DistApp } from '../../../src/core/manifests/dist-app.ts';
import type { Manifest } from '../../../src/core/manifests/manifest.ts';

/** What the one object that `define` puts into a chart renders to. */
export function oneObject(define: (chart: Chart) => void): Manifest {
  const [object, ...others] = new DistApp().renderFile(define);
  if (!object || others.length > 0) throw new Error('not one object');
  return object;
}
