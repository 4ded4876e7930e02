// Writes what is generated under docs/: the JSON Schemas beside this file, commands.md, problems.md, and the
// codes in doctor.md and plan.md.
// `npm run docs` compiles the modules and runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { commandsPage } from '../../build/modules/docs/generators/commands-page.js';
import { processContext } from '../../build/modules/src/core/cli/process-context.js';
import { jsonSchemas } from '../../build/modules/docs/generators/json-schemas.js';
import { doctorChecks } from '../../build/modules/src/lib/kubernetes/doctor-checks.js';
import { loadParts } from '../../build/modules/src/core/tree/parts.js';
import { features } from '../../build/modules/src/features.js';
import { findingsPage } from '../../build/modules/src/features/cluster/diagnosis-text.js';
import { additionsTo } from '../../build/modules/src/core/interfaces/extension.js';
import { cautionsPage, problemsPage } from '../../build/modules/src/core/run/explain/explain-text.js';

await loadParts(features);
for (const [name, text] of jsonSchemas()) writeFileSync(new URL(name, import.meta.url), text);
writeFileSync(new URL('../commands.md', import.meta.url), await commandsPage(processContext()));
writeFileSync(new URL('../problems.md', import.meta.url), problemsPage());

for (const [page, codes] of [
  ['../doctor.md', findingsPage(await additionsTo(doctorChecks, features))],
  ['../plan.md', cautionsPage()],
]) {
  const file = new URL(page, import.meta.url);
  const [head] = readFileSync(file, 'utf8').split(/^(?=### )/m);
  writeFileSync(file, `${head}${codes}`);
}
