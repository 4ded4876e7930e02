// Writes the JSON Schemas beside this file. Run `npm run build` first.
import { writeFileSync } from 'node:fs';
import { jsonSchemas } from '../../build/src/codec/json-schemas.js';

for (const [name, text] of jsonSchemas()) writeFileSync(new URL(name, import.meta.url), text);
