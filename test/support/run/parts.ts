import { loadParts } from '../../../src/core/tree/parts.ts';
import { features } from '../../../src/features.ts';

// As a program does before it reads the first tree: most tests call functions of core without a program.
await loadParts(features);
