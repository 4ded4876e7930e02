// Writes what is generated under docs/: the JSON Schemas beside this file, and problems.md, and the codes in
// doctor.md.
// `npm run docs` builds and runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { jsonSchemas } from '../../build/src/codec/json-schemas.js';
import { findingsPage } from '../../build/src/report/diagnosis-text.js';
import { problemsPage } from '../../build/src/report/explain-text.js';

for (const [name, text] of jsonSchemas()) writeFileSync(new URL(name, import.meta.url), text);
writeFileSync(new URL('../problems.md', import.meta.url), problemsPage());

const doctor = new URL('../doctor.md', import.meta.url);
const [head] = readFileSync(doctor, 'utf8').split(/^(?=### )/m);
writeFileSync(doctor, `${head}${findingsPage()}`);
