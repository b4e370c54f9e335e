/** What the server says to scripts of a page, as `data-…` of its body: words, addresses, who is signed in. */
export const { dataset: said } = document.body;

/** Words the page came with. @param name as in `data-text-{name}` of the body */
export function text(name: string): string {
  return document.body.getAttribute(`data-text-${name}`) ?? '';
}

/** Puts values into the `{places}` of a text. */
export function fill(words: string, values: Readonly<Record<string, unknown>>): string {
  return words.replace(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name] ?? '') : place));
}

/** Makes an element. Strings become text, never HTML. */
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

/** Whether an address is a path of this site: no other one is gone to. */
export function isLocal(address: unknown): address is string {
  return typeof address === 'string' && /^\/(?![/\\])/.test(address);
}

/**
 * Does something whenever an event meets an element with an attribute, however late the element came.
 *
 * @example on('click', 'data-copy', (button) => void copy(button));
 */
export function on(event: string, attribute: string, act: (found: HTMLElement, event: Event) => void): void {
  document.addEventListener(event, (happened) => {
    const found = happened.target instanceof Element ? happened.target.closest<HTMLElement>(`[${attribute}]`) : null;
    if (found) act(found, happened);
  });
}

/** Shows on a button that something runs, until it has ended. @param running never fails */
export async function busy<T>(button: HTMLElement | null, running: Promise<T>): Promise<T> {
  const set = (isBusy: boolean): void => {
    button?.toggleAttribute('disabled', isBusy);
    button?.classList.toggle('btn-loading', isBusy);
    button?.setAttribute('aria-busy', String(isBusy));
  };
  set(true);
  const result = await running;
  set(false);
  // A button that is disabled loses the focus; without it Esc closes no dialog, and the keyboard begins anew at the top.
  if (document.activeElement === document.body) button?.focus();
  return result;
}
