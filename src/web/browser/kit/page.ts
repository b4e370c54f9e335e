/** Data for scripts, from the server as `data-…` attributes of the body: texts, URLs, the signed-in account. */
export const { dataset: pageData } = document.body;

/** Returns a text of the page. @param name as in `data-text-{name}` of the body */
export function text(name: string): string {
  return document.body.getAttribute(`data-text-${name}`) ?? '';
}

/** Fills the `{name}` placeholders of a text. */
export function fill(words: string, values: Readonly<Record<string, unknown>>): string {
  return words.replace(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name] ?? '') : place));
}

/** Creates an element. Strings become text, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}

/** Returns whether a URL is a path of this site; scripts navigate to no other. */
export function isLocal(address: unknown): address is string {
  return typeof address === 'string' && /^\/(?![/\\])/.test(address);
}

/**
 * Handles an event on elements with an attribute by delegation, so that elements added later are included.
 *
 * @example on('click', 'data-copy', (button) => void copy(button));
 */
export function on(event: string, attribute: string, act: (found: HTMLElement, event: Event) => void): void {
  document.addEventListener(event, (happened) => {
    const found = happened.target instanceof Element ? happened.target.closest<HTMLElement>(`[${attribute}]`) : null;
    if (found) act(found, happened);
  });
}

/** Shows a button as busy until a promise settles. @param running never rejects */
export async function busy<T>(button: HTMLElement | null, running: Promise<T>): Promise<T> {
  const set = (isBusy: boolean): void => {
    button?.toggleAttribute('disabled', isBusy);
    button?.classList.toggle('btn-loading', isBusy);
    button?.setAttribute('aria-busy', String(isBusy));
  };
  set(true);
  const result = await running;
  set(false);
  // A disabled button loses the focus; without it Esc closes no dialog, and keyboard navigation restarts at the top.
  if (document.activeElement === document.body) button?.focus();
  return result;
}
