/** What the title of the tab says: trouble with the server first, then the state that is shown. */
const said: { trouble: string; state: readonly string[] } = { trouble: '', state: [] };

/** Says in the title of the tab what changed, so that one tab of many is found. */
export function nameTab(next: Partial<typeof said>): void {
  Object.assign(said, next);
  const parts = [...(said.trouble === '' ? [] : [said.trouble]), ...said.state];
  document.title = `${parts.length === 0 ? 'Leased addresses' : parts.join(' · ')} – leasehold`;
}
