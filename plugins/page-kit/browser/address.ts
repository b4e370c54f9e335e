// That something was saved is said once: whoever comes back to the page, after a session that ended, is not told again.
const address = new URL(location.href);
if (address.searchParams.has('saved')) {
  address.searchParams.delete('saved');
  window.history.replaceState(window.history.state, '', address);
}
