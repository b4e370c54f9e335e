/**
 * Polls a page that waits for a payment or a site being opened, at the interval of `main[data-look-again]` in seconds, and replaces the
 * changed children of `main`, so that unchanged ones keep focus and position and screen readers announce only the changes. Stops when the
 * answer has no interval or the page no longer exists. Without scripts the page's link is used.
 */
/** Timeout of a request, in milliseconds. */
const LIMIT = 15_000;
/** Maximum seconds between two polls, after repeated failures. */
const LONGEST = 60;

// Only waiting pages load this script.
const main = document.querySelector('main')!;
let failures = 0;
let timer = 0;
let request: AbortController | undefined;

function rest(): void {
  clearTimeout(timer);
  request?.abort();
  request = undefined;
}

function plan(): void {
  const seconds = Number(main.dataset.lookAgain ?? 0);
  if (seconds > 0 && !document.hidden) timer = setTimeout(() => void refresh(), 1_000 * Math.min(LONGEST, seconds * 2 ** failures));
}

async function refresh(): Promise<void> {
  rest();
  if (!main.dataset.lookAgain || document.hidden) return;
  const own = new AbortController();
  request = own;
  const limit = setTimeout(() => own.abort(), LIMIT);
  // Any failure is retried a little later.
  const fresh = await load(own.signal).catch(() => null);
  clearTimeout(limit);
  if (request !== own) return;
  failures = fresh ? 0 : failures + 1;
  if (fresh) show(fresh);
  plan();
}

/** Loads the current `main`. Errors, and pages reached by a redirect, are rejected. */
async function load(signal: AbortSignal): Promise<HTMLElement> {
  const answer = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' }, signal });
  // The page no longer exists: reload to show that.
  if (answer.status === 404 || answer.status === 410) location.reload();
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('main');
  if (!answer.ok || new URL(answer.url).pathname !== location.pathname || !fresh) throw new Error('no such page');
  // The language may have been changed in another tab.
  fresh.lang = page.documentElement.lang;
  return fresh;
}

function show(fresh: HTMLElement): void {
  const hadFocus = main.contains(document.activeElement);
  let at = main.firstElementChild;
  const removeUntil = (end: Element | null): void => {
    while (at !== end) {
      const gone = at!;
      at = gone.nextElementSibling;
      gone.remove();
    }
  };
  for (const child of [...fresh.children]) {
    let same = at;
    while (same && !same.isEqualNode(child)) same = same.nextElementSibling;
    if (same) {
      removeUntil(same);
      at = same.nextElementSibling;
    } else main.insertBefore(child, at);
  }
  removeUntil(null);
  main.lang = fresh.lang;
  if (fresh.dataset.lookAgain) main.dataset.lookAgain = fresh.dataset.lookAgain;
  else delete main.dataset.lookAgain;
  if (hadFocus && !main.contains(document.activeElement)) {
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) rest();
  else void refresh();
});
// The page was restored from the back/forward cache.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void refresh();
});
plan();
