import { ApiObject, App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { distFolder } from '../model/folders.ts';
import type { Manifest } from './manifest.ts';

/**
 * The cdk8s app of the manifests of one cluster. A file of `dist/` is a chart, its objects are constructs.
 *
 * A chart is rendered as soon as its file is complete, and leaves the app then. `App.synth()` of an app that keeps them all
 * prepares the whole app for each chart, which is quadratic, and one chart of 30,000 leases overflows the stack.
 */
export class DistApp extends App {
  constructor() {
    super({ outdir: distFolder, recordConstructMetadata: false });
  }

  /** The objects that `define` puts into the chart of one file, in its order. */
  renderFile(define: (chart: Chart) => void): readonly Manifest[] {
    const chart = new FileChart(this, fileId);
    define(chart);
    this.node.tryRemoveChild(fileId);
    return chart.toJson();
  }
}

/** The same for every file: V8 slows down when each construct has children of other names. */
const fileId = 'file';

/** `Chart.toJson()` prepares the whole app and sorts by dependencies; a file has its objects in the order of their definition. */
class FileChart extends Chart {
  override toJson(): Manifest[] {
    return this.apiObjects.map((object) => object.toJson());
  }
}

/** A class that cdk8s generates of a schema. */
interface ObjectClass<Props> {
  new (scope: Construct, id: string, props: Props): ApiObject;
  /** The object that the class renders of its props, outside a tree of constructs. */
  manifest(props: Props): Manifest;
}

/**
 * A generated class whose objects render by its static `manifest()`. `ApiObject.toJson()` resolves tokens and patches first,
 * and costs more than all else that is done for a file; what `dist/` holds has neither. Metadata is taken as it stands: the
 * classes of cdk8s-plus copy it in a time that grows with the square of its labels.
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

/** An object that no generated class renders: what its author wrote, or a kind that cdk8s-plus-28 does not know. */
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
 * The cdk8s app that leaves in the output folder of `cdk8s synth` the one file that it expects there, `index.yaml`: an object that
 * names the manifests. They are below `dist/`, because cdk8s empties its output folder before it runs the app.
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
