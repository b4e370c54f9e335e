// The price of a cart, asked of the server whenever something is chosen. Without scripts the button beside the order shows it.

/** What the server says of the fields. */
interface Answer {
  /** `ok`, or what is wrong with them. */
  readonly code?: string;
  /** Whether an address is needed. */
  readonly email: boolean;
  readonly total: number;
  /** What it is made of: name and amount. */
  readonly lines: readonly (readonly [string, string])[];
  /** What the button says. */
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
    // The whole page where other fields are needed.
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
    // The server checks the price once more when it is ordered: nothing is lost where it cannot be asked.
    if (name === 'period' || name === 'yhq' || name.startsWith('extra_')) ask().catch(() => undefined);
  });
  cart.addEventListener('submit', () => {
    // A second press of the button orders nothing else; this only spares the server.
    setTimeout(() => (order.disabled = true));
    setTimeout(() => (order.disabled = false), 5_000);
  });
}

function element(tag: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: text });
}
