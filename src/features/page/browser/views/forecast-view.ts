import type { FamilyForecast } from '../../../../lib/forecast/forecast-answer.ts';
import { element, section } from '../dom.ts';
import type { Store } from '../store.ts';
import { familyText } from '../words.ts';
import { chart } from './chart.ts';

/** The use of each pool over time, and the forecast of its exhaustion. */
export function forecastView(store: Store): HTMLElement {
  const list = element('ul', { class: 'forecasts' });
  const made = section('forecast', 'Forecast', list);
  const fill = () => {
    const { forecasts = [], day } = store.now.picture;
    list.replaceChildren(...forecasts.map((forecast) => item(forecast, day)));
    made.hidden = forecasts.length === 0;
  };
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return made;
}

function item(forecast: FamilyForecast, day: string): HTMLElement {
  const name = `${forecast.pool} ${familyText(forecast.family)}`;
  return element(
    'li',
    {},
    element('strong', {}, name),
    element('p', {}, sentence(forecast)),
    ...(forecast.points.length > 1 ? [chart(forecast, day)] : []),
  );
}

function sentence({ outlook, exhausted, growth, reason, window }: FamilyForecast): string {
  const pace = growth === undefined || !window ? '' : ` (${growth} a day since ${window.from})`;
  if (outlook === 'exhausted') return 'Nothing is free now.';
  if (outlook === 'exhausts')
    return `At this growth, no address is free from ${exhausted ?? ''}${pace}.`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return outlook === 'lasts'
    ? `It lasts${why}${pace}.`
    : `There is too little history for a forecast${why}.`;
}
