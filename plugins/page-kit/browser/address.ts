// That something was done is said once: whoever comes back to the page, after a session that ended, is not told again.
const address = new URL(location.href);
const told = ['saved', 'done', 'redeemed'].filter((name) => address.searchParams.has(name));
for (const name of told) address.searchParams.delete(name);
if (told.length > 0) window.history.replaceState(window.history.state, '', address);
