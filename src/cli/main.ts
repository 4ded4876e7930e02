#!/usr/bin/env node
import { processWorld } from './process-world.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), processWorld());
