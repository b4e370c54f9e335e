// A page that waits, for a payment or a site that is being opened, asks for itself after the seconds its `main[data-look-again]` names, and
// changes those children of it that became others: what stays keeps its focus and place, and screen readers tell only what is new. It ends
// with an answer that names no seconds, and where there is no such page any more. Without scripts there is the link of the page.
(() => {
  'use strict';
  const main = document.querySelector('main[data-look-again]');
  if (!main) return;
  /** Milliseconds an answer may take. */
  const LIMIT = 15_000;
  /** Seconds between two looks at most, however many failed. */
  const LONGEST = 60;
  let failures = 0;
  let timer;
  let request;

  const rest = () => {
    clearTimeout(timer);
    request?.abort();
    request = undefined;
  };

  const plan = () => {
    const seconds = Number(main.dataset.lookAgain ?? 0);
    if (seconds > 0 && !document.hidden) timer = setTimeout(look, 1_000 * Math.min(LONGEST, seconds * 2 ** failures));
  };

  const look = async () => {
    rest();
    if (!main.dataset.lookAgain || document.hidden) return;
    const own = new AbortController();
    request = own;
    const limit = setTimeout(() => own.abort(), LIMIT);
    // Whatever is wrong, it is tried again a little later.
    const fresh = await load(own.signal).catch(() => null);
    clearTimeout(limit);
    if (request !== own) return;
    failures = fresh ? 0 : failures + 1;
    if (fresh) show(fresh);
    plan();
  };

  /** The page as it is now. A faulty answer, and a page from elsewhere, such as one a redirect led to, are none. */
  const load = async (signal) => {
    const answer = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' }, signal });
    // There is no such page any more: what stands here says so.
    if (answer.status === 404 || answer.status === 410) location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!answer.ok || new URL(answer.url).pathname !== location.pathname || !page.querySelector('main')) throw new Error('no such page');
    return page;
  };

  const show = (page) => {
    const fresh = page.querySelector('main');
    const hadFocus = main.contains(document.activeElement);
    let at = main.firstElementChild;
    const removeUntil = (end) => {
      while (at !== end) {
        const gone = at;
        at = at.nextElementSibling;
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
    // The language may have been changed in another tab.
    main.lang = page.documentElement.lang;
    if (fresh.dataset.lookAgain) main.dataset.lookAgain = fresh.dataset.lookAgain;
    else delete main.dataset.lookAgain;
    if (hadFocus && !main.contains(document.activeElement)) {
      main.tabIndex = -1;
      main.focus({ preventScroll: true });
    }
  };

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) rest();
    else void look();
  });
  // Back from the cache of pages that were left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void look();
  });
  plan();
})();
