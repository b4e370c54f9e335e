import type { Dispatch } from '../../../payment/index.js';
import type { BuildResult } from '../../../sdk/index.js';
import type { TestGateway, TestOrder, TestVisitor } from '../../../sdk/testing.js';

/** The bundled gateway for testing. */
export const SANDBOX = 'sandbox';

/** The sandbox gateway with a simulated customer at its checkout. */
export class SandboxGateway implements TestGateway {
  readonly type = `${SANDBOX}__test`;

  constructor(
    private readonly dispatch: Dispatch,
    private readonly customer: TestVisitor,
  ) {}

  async pay(order: TestOrder): Promise<void> {
    await this.decide(order, 'pay');
  }

  async leave(order: TestOrder): Promise<void> {
    await this.decide(order, 'cancel');
  }

  async forge({ ddh }: TestOrder): Promise<string> {
    const fields = { out_trade_no: ddh, trade_no: 'forged', money: '0.01', trade_status: 'TRADE_SUCCESS', sign: '0'.repeat(64) };
    return (await this.customer.post(`/pay/${SANDBOX}/notify`, fields)).text();
  }

  private async decide({ ddh }: TestOrder, decision: 'pay' | 'cancel'): Promise<void> {
    const cashier = addressOf(await this.dispatch.dispatch(ddh, this.type));
    if (!cashier) throw new Error(`Order ${ddh} cannot be sent to the gateway: it is closed or already paid.`);
    const { searchParams, pathname } = new URL(cashier, 'http://panel.test');
    const answer = await this.customer.post(pathname, { ...Object.fromEntries(searchParams), decision });
    if (answer.status !== 302) throw new Error(`The cashier answers ${answer.status} for order ${ddh}.`);
  }
}

function addressOf(built: BuildResult): string | null {
  return typeof built === 'string' && !built.startsWith('<') ? built : null;
}
