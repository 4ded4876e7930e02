interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Source {
  readonly type: string;
  readonly uid: string;
}

interface Target {
  readonly refId: string;
  readonly datasource: Source;
  readonly expr: string;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  /** What the panel shows, on the mark beside its title. */
  readonly description?: string;
  readonly gridPos: Place;
  readonly datasource: Source;
  readonly fieldConfig: { readonly defaults: object; readonly overrides: readonly object[] };
  readonly options: object;
  readonly targets: readonly Target[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
  readonly datasource?: Source;
}

/** What of Grafana's JSON model of a dashboard is used here. */
export interface Dashboard {
  readonly id?: unknown;
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly time: { readonly from: string; readonly to: string };
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: {
    readonly list: readonly {
      readonly datasource: Source;
      readonly expr: string;
      readonly iconColor?: string;
    }[];
  };
  readonly links: readonly { readonly url: string }[];
  readonly panels: readonly Panel[];
}

/** Kinds of panels that every Grafana has. */
const kinds = ['stat', 'bargauge', 'timeseries', 'table'];

/** How many columns a dashboard has. */
const columns = 24;

/** The title of each panel with each expression that it asks for, those of annotations, and those of variables. */
export function expressionsOf({ panels, annotations }: Dashboard): readonly [string, string][] {
  const shown = panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  );
  return [...shown, ...annotations.list.map(({ expr }): [string, string] => ['annotation', expr])];
}

/**
 * What of a dashboard does not keep to Grafana's JSON model (grafana.com/docs, dashboards, JSON model), or would show nothing
 * on another machine than its author's.
 */
export function dashboardFaults(dashboard: Dashboard): readonly string[] {
  const { panels, templating, annotations, links } = dashboard;
  const sources = [
    ...panels.flatMap((panel) => [
      panel.datasource,
      ...panel.targets.map(({ datasource }) => datasource),
    ]),
    ...annotations.list.map(({ datasource }) => datasource),
    ...templating.list.flatMap(({ datasource }) => datasource ?? []),
  ];
  const variables = templating.list.map(({ name }) => name);
  const words = JSON.stringify([panels, annotations, templating, links]);
  const asked = [...words.matchAll(/\$\{?([a-z]\w*)/g)].map(([, name = '']) => name);
  return [
    ...fault(dashboard.id == null, 'it has the id of one Grafana'),
    ...fault(/^[\w-]{1,40}$/.test(dashboard.uid), 'its uid is none'),
    ...fault(dashboard.schemaVersion >= 30, 'its panels are of an older schema'),
    ...fault(templating.list[0]?.type === 'datasource', 'the data source is not chosen first'),
    ...fault(
      sources.every(({ type, uid }) => type === 'prometheus' && /^\$\{datasource\}$/.test(uid)),
      'a data source is fixed',
    ),
    ...fault(
      links.some(({ url }) => /^\$\{page\}\/$/.test(url)),
      'it does not lead to the page',
    ),
    ...fault(
      annotations.list.every(({ iconColor }) => typeof iconColor === 'string'),
      'an annotation has no colour',
    ),
    ...twice(variables).map((name) => `two variables are ${name}`),
    ...asked.filter((name) => !variables.includes(name)).map((name) => `$${name} is not declared`),
    ...twice(panels.map(({ id }) => id)).map((id) => `two panels are ${id}`),
    ...twice(panels.map(({ title }) => title)).map((title) => `two panels are called ${title}`),
    ...twice(panels.flatMap(cellsOf)).map((cell) => `two panels are at ${cell}`),
    ...panels.flatMap(panelFaults),
  ];
}

function panelFaults(panel: Panel): string[] {
  const { id, type, title, description, gridPos, fieldConfig, options, targets } = panel;
  const { x, y, w, h } = gridPos;
  const isPlaced = [x, y, w, h].every(Number.isInteger) && x >= 0 && y >= 0 && w > 0 && h > 0;
  return [
    ...fault(kinds.includes(type), `${type} is no kind of panel`),
    ...fault(title !== '', `panel ${id} has no title`),
    ...fault(Boolean(description), `${title} does not say what it shows`),
    ...fault(isPlaced && x + w <= columns, `${title} has no place`),
    ...fault(Array.isArray(fieldConfig.overrides), `${title} has no overrides`),
    ...fault(typeof options === 'object', `${title} has no options`),
    ...fault(targets.length > 0, `${title} asks for nothing`),
    ...twice(targets.map(({ refId }) => refId)).map((refId) => `${title} has two ${refId}`),
  ];
}

function cellsOf({ gridPos: { x, y, w, h } }: Panel): readonly string[] {
  return Array.from({ length: w * h }, (_, index) =>
    [x + (index % w), y + Math.floor(index / w)].join(),
  );
}

function fault(isFine: boolean, words: string): readonly string[] {
  return isFine ? [] : [words];
}

function twice<Value>(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
