// Renders leases of one endpoint each in one way, and prints the seconds and the bytes of that as JSON. Arguments: way, leases, the
// folder of the compiled modules. The ways: `renderDist`; `unchecked`, which is its charts and its printer without the checks; `chart`
// and `charts`, which are cdk8s itself.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App, Chart } from 'cdk8s';
import { cluster, partsOf, placementOf, pool, pools } from './placements.mjs';

const [way, leases, modules] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(modules, path)).href);
const placements = Array.from({ length: Number(leases) }, (_, index) => placementOf(index));

/** Adds the objects of one lease to a chart. */
async function lease() {
  const { addAdvertisement, HeldPool } = await load('src/core/manifests/objects/pool-objects.js');
  const { LeasedIPObject, LeaseService } = await load(
    'src/core/manifests/objects/lease-objects.js',
  );
  const { addressPoolName, leaseNamespace } = await load('src/core/manifests/names.js');
  const metallbNamespace = cluster.metallb.namespace;
  return (chart, { holder, addresses }, id = '') => {
    const [claim] = holder.claims;
    const namespaces = [leaseNamespace(cluster.naming, claim.lease)];
    const name = addressPoolName(addresses[0]);
    new HeldPool(chart, `pool${id}`, { pool, addresses, metallbNamespace, namespaces });
    const [advertise] = pool.advertise;
    addAdvertisement(chart, `advertisement${id}`, advertise, { name, metallbNamespace });
    new LeasedIPObject(chart, `leased-ip${id}`, cluster.naming, claim);
    new LeaseService(chart, `service${id}`, cluster, { claims: holder.claims, addresses });
  };
}

/** Makes the objects of an app render as their generated classes do, and not by a static `manifest()`. */
function unstatic(app) {
  for (const object of app.charts.flatMap((chart) => chart.apiObjects)) {
    let prototype = object;
    while (!Object.hasOwn(prototype, 'toJson')) prototype = Object.getPrototypeOf(prototype);
    object.toJson = Object.getPrototypeOf(prototype).toJson;
  }
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
    const { DistApp } = await load('src/core/manifests/dist-app.js');
    const { yamlText } = await load('src/core/manifests/yaml-text.js');
    const define = await lease();
    return () => {
      const app = new DistApp();
      return placements.map((placement) =>
        yamlText(app.renderFile((chart) => define(chart, placement))),
      );
    };
  },
  async chart() {
    const define = await lease();
    return () => {
      const app = new App();
      const chart = new Chart(app, 'leases');
      for (const [index, placement] of placements.entries()) define(chart, placement, index);
      unstatic(app);
      return [app.synthYaml()];
    };
  },
  async charts() {
    const define = await lease();
    return () => {
      const app = new App();
      for (const [index, placement] of placements.entries()) {
        define(new Chart(app, `file-${index}`), placement);
      }
      unstatic(app);
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
