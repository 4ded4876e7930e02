import { ApiObject, App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { distFolder } from '../model/repository-paths.ts';
import type { Manifest } from './manifest.ts';

/**
 * The cdk8s app of one cluster. A file of `dist/` is a chart, and its objects are constructs.
 *
 * A chart is rendered as soon as its file is complete, and is then removed from the app.
 * `App.synth()` with many charts prepares the whole app for each of them, which is quadratic, and a
 * single chart with 30,000 leases overflows the stack.
 */
export class DistApp extends App {
  constructor() {
    super({ outdir: distFolder, recordConstructMetadata: false });
  }

  /** Returns the objects that `define` adds to the chart of one file, in their order. */
  renderFile(define: (chart: Chart) => void): readonly Manifest[] {
    const chart = new FileChart(this, fileId);
    define(chart);
    this.node.tryRemoveChild(fileId);
    return chart.toJson();
  }
}

/** The same for every file: V8 slows down when each construct has children of other names. */
const fileId = 'file';

/** A chart that renders its objects in the order of definition, without preparing the whole app. */
class FileChart extends Chart {
  override toJson(): Manifest[] {
    return this.apiObjects.map((object) => object.toJson());
  }
}

/** A class that cdk8s generates from a schema. */
interface ObjectClass<Props> {
  new (scope: Construct, id: string, props: Props): ApiObject;
  /** Renders an object from its props, outside of a construct tree. */
  manifest(props: Props): Manifest;
}

/**
 * Derives a class whose objects render by the static `manifest()` of a generated class.
 * `ApiObject.toJson()` resolves tokens and applies patches first, which costs more than the rest of
 * a file, and no object of `dist/` has either. Metadata is passed through unchanged: the classes of
 * cdk8s-plus copy it in quadratic time.
 */
export function staticObject<Props>(base: ObjectClass<Props>) {
  return class extends base {
    readonly #props: NonNullable<Props> & { readonly metadata: Manifest['metadata'] };

    constructor(
      scope: Construct,
      id: string,
      props: NonNullable<Props> & { readonly metadata: Manifest['metadata'] },
    ) {
      super(scope, id, props);
      this.#props = props;
    }

    override toJson(): Manifest {
      const { metadata, ...others } = this.#props;
      return { ...base.manifest(others as unknown as Props), metadata };
    }
  };
}

/** An object without a generated class: a declared Service, or a kind that cdk8s-plus-28 lacks. */
export class PlainObject extends ApiObject {
  readonly #manifest: Manifest;

  constructor(scope: Construct, id: string, manifest: Manifest) {
    super(scope, id, manifest);
    this.#manifest = manifest;
  }

  override toJson(): Manifest {
    return this.#manifest;
  }
}

/**
 * The cdk8s app that writes `index.yaml` into the output folder of `cdk8s synth`, which must not be
 * empty: one object with the paths of the manifests. These are below `dist/`, because cdk8s empties
 * its output folder before it runs the app.
 */
export class IndexApp extends App {
  constructor(outdir: string, manifests: readonly string[]) {
    super({ outdir, outputFileExtension: '.yaml', recordConstructMetadata: false });
    new ApiObject(new Chart(this, 'index'), 'index', {
      apiVersion: 'leasehold.dev/v1',
      kind: 'Index',
      metadata: { name: 'leasehold' },
      manifests,
    });
  }
}
