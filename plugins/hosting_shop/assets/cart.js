// The price of a cart, asked of the server whenever something is chosen. Without scripts the button beside the order shows it.
(() => {
  'use strict';
  const form = document.querySelector('form[data-cart]');
  if (!form) return;
  const look = form.querySelector('[data-look]');
  const order = form.querySelector('[data-order]');
  look.hidden = true;
  const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  let latest = 0;
  const ask = async () => {
    const turn = ++latest;
    const fields = new URLSearchParams(new FormData(form));
    for (const name of ['username', 'password', 'email', 'seen_total']) fields.delete(name);
    try {
      const response = await fetch(`${form.dataset.cart}?${fields}`);
      const answer = await response.json();
      if (turn !== latest) return;
      if (answer.code !== 'ok') {
        form.querySelector('[data-lines]').textContent = answer.code ?? '';
        return;
      }
      // The whole page where other fields are needed.
      const needsEmail = form.querySelector('[name=email]') !== null;
      if (needsEmail !== answer.email || (fields.get('period') === 'trial') !== (form.dataset.trial === 'true')) return look.click();
      form.querySelector('[data-total]').value = String(answer.total);
      form
        .querySelector('[data-lines]')
        .replaceChildren(...answer.lines.flatMap(([name, amount]) => [element('dt', name), element('dd', amount)]));
      order.textContent = answer.label;
    } catch {
      // The server checks the price once more when it is ordered.
    }
  };
  form.addEventListener('change', ({ target }) => {
    if (target.name === 'period' || target.name === 'yhq' || target.name?.startsWith('extra_')) void ask();
  });
  form.addEventListener('submit', () => {
    // A second press of the button orders nothing else; this only spares the server.
    setTimeout(() => (order.disabled = true));
    setTimeout(() => (order.disabled = false), 5_000);
  });
})();
