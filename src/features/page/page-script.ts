/** The script of the page in the package: the bundle of src/features/page/browser. */
export const pageScriptPath = 'build/page/page.js';
