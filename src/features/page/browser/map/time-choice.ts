import { button, element } from '../dom.ts';
import type { PictureIndex } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { changeDays } from '../timeline.ts';

/** The slider over the days on which records changed; hidden without a history. */
export function timeChoice(store: Store): HTMLElement {
  const slider = element('input', { type: 'range', id: 'day', min: 0, step: 1 });
  const output = element('output', { for: 'day' });
  const missing = element('span', { class: 'soft' });
  const now = button('Now', {}, () => store.look({ day: undefined }));
  let days: readonly string[] = [];
  let of: PictureIndex | undefined;
  const fill = () => {
    if (of !== store.now) days = changeDays(store.now.picture);
    of = store.now;
    const last = days.length - 1;
    const { day } = store.view;
    const at = day === undefined ? last : days.findLastIndex((one) => one <= day);
    made.hidden = days.length < 2;
    slider.max = String(last);
    slider.value = String(Math.max(0, at));
    const text = at === last ? `${days[last] ?? ''}, now` : (days[at] ?? day ?? '');
    slider.setAttribute('aria-valuetext', text);
    output.value = text;
    now.disabled = at === last;
    const { left = 0, shallow = false } = store.now.picture.past ?? {};
    missing.textContent = left > 0 || shallow ? 'The oldest history is missing here.' : '';
  };
  let waits = 0;
  slider.addEventListener('input', () => {
    const at = Number(slider.value);
    output.value = days[at] ?? '';
    cancelAnimationFrame(waits);
    waits = requestAnimationFrame(() =>
      store.look({ day: at === days.length - 1 ? undefined : days[at] }),
    );
  });
  const made = element(
    'div',
    { class: 'tools time' },
    element('label', { for: 'day' }, 'Day'),
    slider,
    output,
    now,
    missing,
  );
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return made;
}
