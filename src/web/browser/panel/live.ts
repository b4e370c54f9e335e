/**
 * What happens while a page is open: the bell counts, new notices are shown, and parts of the page that show such things are loaded again.
 */
import { directive } from '../kit/alpine.js';
import { fill, isLocal, said } from '../kit/page.js';
import { storage } from '../kit/storage.js';
import { toast } from '../kit/toast.js';

/** What a stream tells; see docs/panel-api.md "Notices". */
interface News {
  readonly unread: number;
  readonly notices: readonly { readonly level: string; readonly title: string; readonly link: string }[];
  readonly more: number;
}

/** How long before it is tried again what the browser gives up, in milliseconds. */
const AGAIN_MS = 60_000;
const MOST_SHOWN = 99;

let stream: EventSource | null = null;
let again: ReturnType<typeof setTimeout> | undefined;
let wasOpen = false;

const bells = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-bell]')];

/** The greatest id this browser knows of: one tab tells what happened while no other was open. */
const place = `svc-notices ${said.endpoint} ${said.account}`;
const known = (): string => storage('localStorage')?.getItem(place) ?? '';

function ring({ unread, notices, more }: News): void {
  const [first] = bells();
  for (const bell of bells()) {
    const badge = bell.querySelector<HTMLElement>('.badge')!;
    badge.hidden = unread === 0;
    badge.textContent = unread > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unread);
    bell.setAttribute('aria-label', unread > 0 ? fill(bell.dataset.bellUnread!, { n: unread }) : bell.dataset.bellNone!);
  }
  for (const { level, title, link } of notices) toast(title, level, isLocal(link) ? link : '');
  if (more > 0) toast(fill(first!.dataset.bellMany!, { n: more }), 'info', first!.getAttribute('href')!);
}

/** Loads parts of the page again; not one that somebody works in. @param changed kinds of what changed; null: anything may have */
function refresh(changed: readonly string[] | null): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const isUsed = part.contains(document.activeElement) || part.querySelector('input:checked, .show') !== null;
    const shown = part.dataset.live!;
    const isMeant = changed === null || shown === '' || shown.split(' ').some((kind) => changed.includes(kind));
    if (isUsed || !isMeant) continue;
    const options = { target: `#${part.id}`, select: `#${part.id}`, swap: 'outerHTML' };
    void window.htmx.ajax('GET', location.pathname + location.search, options);
  }
}

function listen(): void {
  const [bell] = bells();
  if (!bell || stream || document.visibilityState === 'hidden') return;
  clearTimeout(again);
  stream = new EventSource(`${bell.dataset.bell}?after=${known()}`);
  const tell = <T>(event: string, act: (news: T) => void): void =>
    stream!.addEventListener(event, ({ data, lastEventId }: MessageEvent<string>) => {
      storage('localStorage')?.setItem(place, lastEventId);
      act(JSON.parse(data) as T);
    });
  tell<News>('notices', ring);
  tell<string[]>('changed', refresh);
  tell('over', rest);
  stream.addEventListener('open', () => {
    // What changed while nobody listened is not told.
    if (wasOpen) refresh(null);
    wasOpen = true;
  });
  stream.addEventListener('error', () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    rest();
    again = setTimeout(listen, AGAIN_MS);
  });
}

function rest(): void {
  stream?.close();
  stream = null;
}

/** A tab nobody sees is told when somebody looks at it: browsers allow a site few connections. */
document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? rest() : listen()));
directive('data-bell', 'bell', listen);
