// What Akash's own TypeScript parser makes of a batch of SDLs: node oracle.mjs <chain-sdk> <batch.json>
// The batch is a list of YAML texts. Prints a list of {groups} or {errors}, in the same order.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [chainSdk, batch] = process.argv.slice(2);
const require = createRequire(join(chainSdk, 'package.json'));
const { generateManifest } = require('@akashnetwork/chain-sdk');
const { load } = require('js-yaml');

console.log(JSON.stringify(JSON.parse(readFileSync(batch, 'utf8')).map(verdict)));

function verdict(text) {
  try {
    const result = generateManifest(load(text));
    if (!result.ok) {
      return {
        errors: result.value.map(({ message, instancePath }) => ({ message, instancePath })),
      };
    }
    return { groups: result.value.groups.map(({ services }) => services.flatMap(leasedPorts)) };
  } catch (error) {
    return { errors: [{ message: `threw: ${error.message}`, instancePath: '' }] };
  }
}

function leasedPorts({ name, expose }) {
  return expose
    .filter(({ ip }) => ip !== '')
    .map(
      ({ ip, port, externalPort, proto }) =>
        `${ip} ${name} ${port}>${externalPort || port} ${proto}`,
    );
}
