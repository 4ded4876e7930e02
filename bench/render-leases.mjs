// Renders leases of one endpoint each in one way, and prints the seconds and the bytes of that as JSON. Arguments: way, leases, the
// folder of the compiled modules. The ways: `renderDist`; `unchecked`, which is its objects and its printer without the checks; `chart`
// and `charts`, which are cdk8s itself: constructs of the same objects.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App, Chart } from 'cdk8s';
import { cluster, partsOf, placementOf, pool, pools } from './placements.mjs';

const [way, leases, modules] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(modules, path)).href);
const placements = Array.from({ length: Number(leases) }, (_, index) => placementOf(index));

/** The objects of one lease. */
async function lease() {
  const pools = await load('src/core/manifests/planes/metallb/pool-objects.js');
  const leases = await load('src/core/manifests/objects/lease-objects.js');
  const { addressPoolName, leaseNamespace } = await load('src/core/manifests/names.js');
  const metallbNamespace = cluster.plane.namespace;
  return (placement) => {
    const { holder, addresses } = placement;
    const [claim] = holder.claims;
    const namespaces = [leaseNamespace(cluster.naming, claim.lease)];
    const name = addressPoolName(addresses[0]);
    const [advertise] = pool.advertise;
    return [
      pools.heldPoolManifest({ pool, addresses, metallbNamespace, namespaces }),
      pools.advertisementManifest(advertise, { name, metallbNamespace }),
      leases.leasedIPManifest(cluster.naming, claim),
      leases.leaseServiceManifest(cluster, holder.claims, placement),
    ];
  };
}

/** Adds the constructs of one lease to a chart. */
async function construct() {
  const { constructOf } = await load('src/core/manifests/dist-app.js');
  const manifestsOf = await lease();
  return (chart, placement, id = '') => {
    for (const manifest of manifestsOf(placement)) {
      constructOf(chart, `${manifest.kind}${id}`, manifest);
    }
  };
}

const ways = {
  async renderDist() {
    const { renderDist } = await load('src/core/manifests/render.js');
    return () => {
      const texts = [];
      renderDist(pools, partsOf(placements), (_, text) => texts.push(String(text)));
      return texts;
    };
  },
  async unchecked() {
    const { yamlText } = await load('src/core/manifests/yaml-text.js');
    const manifestsOf = await lease();
    return () => placements.map((placement) => yamlText(manifestsOf(placement)));
  },
  async chart() {
    const define = await construct();
    return () => {
      const app = new App();
      const chart = new Chart(app, 'leases');
      for (const [index, placement] of placements.entries()) define(chart, placement, index);
      return [app.synthYaml()];
    };
  },
  async charts() {
    const define = await construct();
    return () => {
      const app = new App();
      for (const [index, placement] of placements.entries()) {
        define(new Chart(app, `file-${index}`), placement);
      }
      return [app.synthYaml()];
    };
  },
};

const run = await ways[way]();
const [wall, cpu] = [performance.now(), process.cpuUsage()];
const texts = run();
const { user, system } = process.cpuUsage(cpu);
console.log(
  JSON.stringify({
    wall: (performance.now() - wall) / 1000,
    cpu: (user + system) / 1e6,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  }),
);
