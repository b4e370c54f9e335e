// Requests the price of a cart from the server after every change. Without scripts the button next to the order shows it.

/** The server's answer for the fields. */
interface Answer {
  /** `ok`, or an error message. */
  readonly code?: string;
  /** Whether a mail address is required. */
  readonly email: boolean;
  readonly total: number;
  /** Items of the total: name and amount. */
  readonly lines: readonly (readonly [string, string])[];
  /** Label of the button. */
  readonly label: string;
}

const form = document.querySelector<HTMLFormElement>('form[data-cart]');
if (form) follow(form);

function follow(cart: HTMLFormElement): void {
  const look = cart.querySelector<HTMLButtonElement>('[data-look]')!;
  const order = cart.querySelector<HTMLButtonElement>('[data-order]')!;
  const lines = cart.querySelector('[data-lines]')!;
  look.hidden = true;
  let latest = 0;
  const ask = async (): Promise<void> => {
    const turn = ++latest;
    const fields = new URLSearchParams();
    const withheld = ['username', 'password', 'email', 'seen_total'];
    for (const [name, value] of new FormData(cart)) if (typeof value === 'string' && !withheld.includes(name)) fields.append(name, value);
    const response = await fetch(`${cart.dataset.cart}?${fields}`);
    const answer = (await response.json()) as Answer;
    if (turn !== latest) return;
    if (answer.code !== 'ok') {
      lines.textContent = answer.code ?? '';
      return;
    }
    // Reloads the whole page if other fields are needed.
    const needsEmail = cart.querySelector('[name=email]') !== null;
    const isTrial = fields.get('period') === 'trial';
    if (needsEmail !== answer.email || isTrial !== (cart.dataset.trial === 'true')) {
      look.click();
      return;
    }
    cart.querySelector<HTMLInputElement>('[data-total]')!.value = String(answer.total);
    lines.replaceChildren(...answer.lines.flatMap(([name, amount]) => [element('dt', name), element('dd', amount)]));
    order.textContent = answer.label;
  };
  cart.addEventListener('change', ({ target }) => {
    const { name = '' } = target as HTMLInputElement;
    // The server checks the price again when ordering, so a failed request is harmless.
    if (name === 'period' || name === 'yhq' || name.startsWith('extra_')) ask().catch(() => undefined);
  });
  cart.addEventListener('submit', () => {
    // A second click does not create a second order; this only saves a request.
    setTimeout(() => (order.disabled = true));
    setTimeout(() => (order.disabled = false), 5_000);
  });
}

function element(tag: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: text });
}
