/** Live updates of an open page: the bell's counter, new notices, and parts of the page that show changed data. */
import { directive } from '../kit/alpine.js';
import { fill, isLocal, pageData } from '../kit/page.js';
import { storage } from '../kit/storage.js';
import { toast } from '../kit/toast.js';

/** A message of the event stream; see docs/panel-api.md "Notices". */
interface News {
  readonly unread: number;
  readonly notices: readonly { readonly level: string; readonly title: string; readonly link: string }[];
  readonly more: number;
}

/** Delay before a reconnect after the browser has given up, in milliseconds. */
const RECONNECT_MS = 60_000;
const MAX_UNREAD_SHOWN = 99;

let stream: EventSource | null = null;
let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
let wasOpen = false;

const bells = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-bell]')];

/** Storage key of the greatest id seen by this browser, so that only one tab reports what happened while no other was open. */
const place = `svc-notices ${pageData.endpoint} ${pageData.account}`;
const known = (): string => storage('localStorage')?.getItem(place) ?? '';

function showNews({ unread, notices, more }: News): void {
  const [first] = bells();
  for (const bell of bells()) {
    const badge = bell.querySelector<HTMLElement>('.badge')!;
    badge.hidden = unread === 0;
    badge.textContent = unread > MAX_UNREAD_SHOWN ? `${MAX_UNREAD_SHOWN}+` : String(unread);
    bell.setAttribute('aria-label', unread > 0 ? fill(bell.dataset.bellUnread!, { n: unread }) : bell.dataset.bellNone!);
  }
  for (const { level, title, link } of notices) toast(title, level, isLocal(link) ? link : '');
  if (more > 0) toast(fill(first!.dataset.bellMany!, { n: more }), 'info', first!.getAttribute('href')!);
}

/** Reloads parts of the page, except those in use. @param changed kinds of changed data; null: anything may have changed */
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

function connect(): void {
  const [bell] = bells();
  if (!bell || stream || document.visibilityState === 'hidden') return;
  clearTimeout(reconnectTimer);
  stream = new EventSource(`${bell.dataset.bell}?after=${known()}`);
  const listen = <T>(event: string, act: (news: T) => void): void =>
    stream!.addEventListener(event, ({ data, lastEventId }: MessageEvent<string>) => {
      storage('localStorage')?.setItem(place, lastEventId);
      act(JSON.parse(data) as T);
    });
  listen<News>('notices', showNews);
  listen<string[]>('changed', refresh);
  listen('over', disconnect);
  stream.addEventListener('open', () => {
    // Changes during a disconnection are not reported, so everything is reloaded.
    if (wasOpen) refresh(null);
    wasOpen = true;
  });
  stream.addEventListener('error', () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    disconnect();
    reconnectTimer = setTimeout(connect, RECONNECT_MS);
  });
}

function disconnect(): void {
  stream?.close();
  stream = null;
}

/** Hidden tabs disconnect until they are visible, because browsers limit the connections per site. */
document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? disconnect() : connect()));
directive('data-bell', 'bell', connect);
