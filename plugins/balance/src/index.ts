import { payHtml } from '@svc/gateway-kit';
import { cardPage, onwards, type CardFrame, type WrongFields } from '@svc/page-kit';
import {
  amountText,
  currency,
  definePlugin,
  html,
  moneyText,
  readAmount,
  type CallContext,
  type CustomerRecord,
  type OrderOwner,
  type RouteResult,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

const SLUG = 'balance';
const ORDER_NUMBER = /^[0-9A-Za-z_-]{1,40}$/;
/** Limits of a top-up in minor units, as in the panel. */
const TOP_UP = { least: 100, most: 5_000_000 };
const PER_PAGE = 20;
/** Error codes of redeeming; their texts use the same names in lower case. */
const CODE_PROBLEMS = ['CODE_UNKNOWN', 'CODE_USED', 'CODE_YOURS', 'CODE_REVOKED', 'CODE_OVER', 'CODE_TRIES', 'TOO_MUCH'];

/** Pays orders from customers' credit. The panel debits and settles in one transaction; this plugin provides the pages. */
export default definePlugin((svc) => {
  svc.svc_register_payment(SLUG, {
    name: '余额支付 Balance',
    methods: { balance: { name: '余额 Balance', icon: 'mdi-wallet-outline' } },
    currencies: 'any',
    build: ({ out_trade_no, scene }) => (scene === 'yecz' ? false : `/pay/${SLUG}/confirm?${new URLSearchParams({ no: out_trade_no })}`),
    refund: async (_order, { id }) => {
      const isThere = await svc.credit.giveBack(id);
      return isThere ? { state: 'done', refund_no: id } : { state: 'refused', msg: '没有可退回的余额支付 No payment from credit' };
    },
  });

  svc.svc_register_route('GET', `/pay/${SLUG}/confirm`, async (_params, ctx) => confirmPage(svc, ctx, ctx.query.no ?? ''));
  svc.svc_register_route(
    'POST',
    `/pay/${SLUG}/pay`,
    async (_params, ctx) => pay(svc, ctx, ctx.body.out_trade_no ?? ''),
    10,
    null,
    // Payments have their own log.
    { rate: 'order', audit: false },
  );

  svc.svc_add_filter('accounts.links', async (links: unknown[], ctx: CallContext, customer: CustomerRecord) => {
    const title = ctx.t('own_amount', { amount: amountText(await svc.credit.balance({ customer: customer.id })) });
    return [...links, { href: '/balance', title }];
  });

  svc.svc_register_route('GET', '/balance', async (_params, ctx) => ownPage(svc, ctx));
  // The URLs of rejected forms, which a reload requests with GET.
  for (const form of ['recharge', 'redeem']) svc.svc_register_route('GET', `/balance/${form}`, async () => onwards('/balance'));
  svc.svc_register_route('POST', '/balance/recharge', async (_params, ctx) => recharge(svc, ctx), 10, null, {
    rate: 'order',
    audit: false,
  });
  svc.svc_register_route('POST', '/balance/redeem', async (_params, ctx) => redeem(svc, ctx), 10, null, { rate: 'order', audit: false });
  svc.svc_register_route('GET', '/balance/api/info', async (_params, ctx) => info(svc, ctx));
  svc.svc_register_route('POST', '/balance/api/create_recharge', async (_params, ctx) => createRecharge(svc, ctx), 10, null, {
    rate: 'order',
    audit: false,
  });
  svc.svc_register_route('GET', '/balance/api/methods', async (_params, ctx) => ({
    code: 'ok',
    methods: (await svc.svc_get_enabled_payment_methods(ctx.locale)).filter(({ plugin }) => plugin !== SLUG),
  }));
});

/** Returns who may pay: the customer and the hosting account signed in in this browser. */
async function payersOf(svc: SvcFacade, ctx: CallContext): Promise<OrderOwner[]> {
  const customer = await svc.customers.current(ctx);
  return [...(customer ? [{ customer: customer.id }] : []), ...(ctx.user ? [{ account: ctx.user.id }] : [])];
}

/** Returns the payer of an order and the credit available; null if nobody signed in here owns it. */
async function offerOf(svc: SvcFacade, ctx: CallContext, number: string) {
  if (!ORDER_NUMBER.test(number)) return null;
  for (const payer of await payersOf(svc, ctx)) {
    const offer = await svc.credit.offer(number, payer);
    if (offer) return { ...offer, payer };
  }
  return null;
}

async function confirmPage(svc: SvcFacade, ctx: CallContext, number: string): Promise<RouteResult> {
  if ((await payersOf(svc, ctx)).length === 0) return signIn(svc, ctx, `/pay/${SLUG}/confirm?${new URLSearchParams({ no: number })}`);
  const offer = await offerOf(svc, ctx, number);
  const order = offer && (await svc.orders.get(number));
  if (!offer || !order) return { status: 404, body: page(svc, ctx, 'no_order', html`<p>${ctx.t('no_order_text')}</p>`) };
  if (order.status !== 'unpaid') return { status: 302, headers: { Location: `${order.pay_url}&done=1` }, body: '' };
  const enough = offer.balance >= offer.amount;
  const form = html`<form method="post" action="/pay/${SLUG}/pay"><input type="hidden" name="out_trade_no"
    value="${number}"><button>${ctx.t('pay')}</button></form>`;
  const missing = html`<p class="warn" role="alert">${ctx.t('missing', { rmb: amountText(offer.amount - offer.balance) })}</p>
    <p><a class="button" href="/balance">${ctx.t('top_up')}</a></p>`;
  return page(
    svc,
    ctx,
    'title',
    html`
      <dl><dt>${ctx.t('item')}</dt><dd>${order.name}</dd><dt>${ctx.t('order')}</dt><dd>${number}</dd><dt>${ctx.t('credit')}</dt>
        <dd>${moneyText(offer.balance)}</dd></dl>
      <p class="amount">${moneyText(offer.amount)}</p>
      ${enough ? form : missing}
      <p><a href="${order.pay_url}">${ctx.t('other')}</a></p>`,
  );
}

async function pay(svc: SvcFacade, ctx: CallContext, number: string): Promise<RouteResult> {
  if ((await payersOf(svc, ctx)).length === 0) return signIn(svc, ctx, `/pay/${SLUG}/confirm?${new URLSearchParams({ no: number })}`);
  const offer = await offerOf(svc, ctx, number);
  const order = offer && (await svc.orders.get(number));
  if (!offer || !order) return { status: 404, body: page(svc, ctx, 'no_order', html`<p>${ctx.t('no_order_text')}</p>`) };
  try {
    await svc.credit.pay(number, offer.payer);
  } catch (error) {
    const { code } = error as { code?: string };
    // Another request paid it, or the credit is no longer sufficient: the page shows which.
    if (code === 'NOT_ENOUGH' || code === 'NOT_PAYABLE') return onwards(`/pay/${SLUG}/confirm?no=${number}`);
    if (code !== 'PAYMENT_REFUSED') throw error;
    return {
      status: 409,
      body: page(svc, ctx, 'refused', html`<p>${ctx.t('refused_text')}</p><p><a href="${order.pay_url}">${ctx.t('other')}</a></p>`),
    };
  }
  return onwards(`${order.pay_url}&done=1`);
}

const alertOf = (words: string | undefined): SafeHtml | '' => (words ? html`<p class="warn" role="alert">${words}</p>` : '');

/** @param wrong error messages by field */
async function ownPage(svc: SvcFacade, ctx: CallContext, wrong: WrongFields = {}): Promise<RouteResult> {
  const [owner] = await payersOf(svc, ctx);
  if (!owner) return signIn(svc, ctx, '/balance');
  const isRefused = Object.keys(wrong).length > 0;
  if ('account' in owner && !isRefused) return { status: 302, headers: { Location: '/user/credit' }, body: '' };
  const balance = await svc.credit.balance(owner);
  const { rows } = await svc.credit.entries(owner, { page: 1, limit: PER_PAGE, locale: ctx.locale });
  return page(
    svc,
    ctx,
    'own',
    html`
      ${'customer' in owner ? html`<p><a href="/account">${ctx.t('account')}</a></p>` : ''}
      <p class="amount">${moneyText(balance)}</p>
      <form method="post" action="/balance/recharge">
        ${alertOf(wrong.amount)}<label for="amount">${ctx.t('amount')}</label><input id="amount" name="amount"
          value="${ctx.body.amount ?? ''}" inputmode="decimal" maxlength="8" required>
        <button>${ctx.t('top_up')}</button>
      </form>
      <form method="post" action="/balance/redeem">
        ${alertOf(wrong.code)}${ctx.query.redeemed === '1' ? html`<p role="status">${ctx.t('redeemed')}</p>` : ''}
        <label for="code">${ctx.t('code')}</label><input id="code" name="code" value="${ctx.body.code ?? ''}" maxlength="64"
          autocomplete="off" autocapitalize="characters" spellcheck="false" required>
        <button>${ctx.t('redeem')}</button>
      </form>
      <ul>${rows.map(
        (row) =>
          html`<li><span>${row.date} · ${row.text}${row.reason === '' ? '' : ` · ${row.reason}`}</span>
            <b>${row.amount > 0 ? '+' : ''}${amountText(row.amount)}</b>
            </li>`,
      )}</ul>`,
    { account: 'customer' in owner ? `c:${owner.customer}` : `h:${owner.account}`, at: '/balance', wrong },
  );
}

/** Customers continue at their credit page; owners of hosts at the order in their panel. */
const afterwards = (owner: OrderOwner): { done_url?: string } => ('customer' in owner ? { done_url: '/balance' } : {});

async function recharge(svc: SvcFacade, ctx: CallContext): Promise<RouteResult> {
  const [owner] = await payersOf(svc, ctx);
  if (!owner) return signIn(svc, ctx, '/balance');
  const amount = readAmount(ctx.body.amount ?? '') ?? 0;
  try {
    const { pay_url } = await svc.credit.topUp({ owner, amount, ip: ctx.ip, ...afterwards(owner) });
    return onwards(pay_url);
  } catch (error) {
    if ((error as { code?: string }).code !== 'TOP_UP_AMOUNT') throw error;
    return refused(svc, ctx, 'amount', ctx.t('amount_rule', { least: moneyText(TOP_UP.least), most: moneyText(TOP_UP.most) }));
  }
}

/** Creates a top-up for programs: `amount` as typed, `type` from `/balance/api/methods`, as `{plugin}__{method}`. */
async function createRecharge(svc: SvcFacade, ctx: CallContext): Promise<RouteResult> {
  const [owner] = await payersOf(svc, ctx);
  if (!owner) return { code: 'not_login', logged_in: false };
  const amount = readAmount(ctx.body.amount ?? '') ?? 0;
  if (amount < TOP_UP.least || amount > TOP_UP.most) return { code: amountProblem(ctx, amount) };
  const type = ctx.body.type ?? '';
  if (type.split('__')[0] === SLUG) return { code: ctx.t('not_from_credit') };
  const isOffered = (await svc.svc_get_enabled_payment_methods()).some(({ plugin, method }) => `${plugin}__${method}` === type);
  if (!isOffered) return { code: ctx.t('method_wrong') };
  const { ddh, pay_url } = await svc.credit.topUp({
    ...{ owner, amount, ip: ctx.ip, request: ctx.body.request_id?.slice(0, 64) },
    ...afterwards(owner),
  });
  return { code: 'ok', html: await payHtml(svc, ddh, type, pay_url), out_trade_no: ddh, pay_url };
}

/** Describes what is wrong with a top-up's amount; for yuan with the texts that programs know. */
function amountProblem(ctx: CallContext, amount: number): string {
  if (currency().code !== 'CNY') return ctx.t('amount_rule', { least: moneyText(TOP_UP.least), most: moneyText(TOP_UP.most) });
  return ctx.t(amount < TOP_UP.least ? 'below_least' : 'above_most');
}

async function redeem(svc: SvcFacade, ctx: CallContext): Promise<RouteResult> {
  const [owner] = await payersOf(svc, ctx);
  if (!owner) return signIn(svc, ctx, '/balance');
  try {
    await svc.credit.redeem(owner, ctx.body.code ?? '', ctx.ip);
    return onwards('/balance?redeemed=1');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!CODE_PROBLEMS.includes(code)) throw error;
    return refused(svc, ctx, 'code', ctx.t(code.toLowerCase()));
  }
}

/** Shows the page again with the input and its errors. */
async function refused(svc: SvcFacade, ctx: CallContext, field: string, words: string): Promise<RouteResult> {
  return { status: 422, body: (await ownPage(svc, ctx, { [field]: words })) as string };
}

async function info(svc: SvcFacade, ctx: CallContext): Promise<RouteResult> {
  const [owner] = await payersOf(svc, ctx);
  if (!owner) return { code: 'not_login', logged_in: false };
  const query = { page: Number(ctx.query.page) || 1, limit: Number(ctx.query.per_page) || PER_PAGE, locale: ctx.locale };
  const [cents, { total, rows }] = await Promise.all([svc.credit.balance(owner), svc.credit.entries(owner, query)]);
  return { code: 'ok', balance_cents: cents, balance_yuan: amountText(cents), total, logs: rows };
}

function signIn(svc: SvcFacade, ctx: CallContext, back: string): RouteResult {
  const next = new URLSearchParams({ next: back });
  return page(
    svc,
    ctx,
    'sign_in',
    html`<p>${ctx.t('sign_in_text')}</p><p><a class="button" href="/account/login?${next}">${ctx.t('as_customer')}</a> <a class="button"
      href="/user/login?${next}">${ctx.t('as_host')}</a></p>`,
    { signsIn: true },
  );
}

function page(svc: SvcFacade, ctx: CallContext, titleKey: string, content: SafeHtml, around: Partial<CardFrame> = {}): string {
  return cardPage(ctx, { titleKey, svc, style: 'balance.css', ...around }, content);
}
