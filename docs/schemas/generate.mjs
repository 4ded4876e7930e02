// Writes what is generated under docs/: the JSON Schemas beside this file, and problems.md.
// `npm run docs` builds and runs it.
import { writeFileSync } from 'node:fs';
import { jsonSchemas } from '../../build/src/codec/json-schemas.js';
import { problemsPage } from '../../build/src/report/explain-text.js';

for (const [name, text] of jsonSchemas()) writeFileSync(new URL(name, import.meta.url), text);
writeFileSync(new URL('../problems.md', import.meta.url), problemsPage());
