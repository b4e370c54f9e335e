import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import type { CertificateOrder, HostingAccount, SiteCertificate } from '../entities/index.js';

import type { OrderProblem } from './acme/index.js';

const EXAMPLE = {
  names: 'www.example.com',
  day: '2026-12-31',
  days: 7,
  name: 'www.example.com',
  problem: { key: 'certificates.problem_dns', params: { name: 'www.example.com' } },
};
registerNotice({
  kind: 'certificate',
  title: { key: 'certificates.notice_renewed' },
  texts: [{ key: 'certificates.notice_renewed_text', params: EXAMPLE }],
});
registerNotice({
  kind: 'certificate',
  title: { key: 'certificates.notice_failed' },
  texts: [{ key: 'certificates.notice_failed_text', params: EXAMPLE }],
});
registerNotice({
  kind: 'certificate',
  title: { key: 'certificates.notice_name' },
  texts: [{ key: 'certificates.notice_name_text', params: EXAMPLE }],
});
registerNotice({
  kind: 'certificate',
  title: { key: 'certificates.notice_ends' },
  texts: [{ key: 'certificates.notice_ends_text', params: EXAMPLE }],
});

type Owner = Pick<HostingAccount, 'id' | 'username'>;
type Params = Readonly<Record<string, string>>;

/** Notifies the owners of sites about their certificates, once per change. */
@Injectable()
export class CertificateNotices {
  constructor(
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  async renewed({ id, username }: Owner, certificate: SiteCertificate | null): Promise<void> {
    if (!certificate) return;
    await this.notices.send({
      to: { account: username },
      kind: 'certificate',
      level: 'success',
      key: `certificate:${id}:renewed:${certificate.version}`,
      title: { key: 'certificates.notice_renewed' },
      text: { key: 'certificates.notice_renewed_text', params: { names: shown(certificate.names), day: dayOf(certificate.endsAt) } },
      link: '/user/certificate',
    });
  }

  async failed({ id, username }: Owner, order: CertificateOrder, problem: OrderProblem, params: Params): Promise<void> {
    if (problem === 'cancelled') return;
    await this.notices.send({
      to: { account: username },
      kind: 'certificate',
      level: 'danger',
      key: `certificate:${id}:failed:${order.id}`,
      title: { key: 'certificates.notice_failed' },
      text: {
        key: 'certificates.notice_failed_text',
        params: { names: shown(order.names), problem: { key: `certificates.problem_${problem}`, params } },
      },
      link: '/user/certificate',
    });
  }

  /** Notifies that a name is left out of a renewed certificate. */
  async nameLost({ id, username }: Owner, order: CertificateOrder, name: string, problem: OrderProblem, params: Params): Promise<void> {
    await this.notices.send({
      to: { account: username },
      kind: 'certificate',
      level: 'warning',
      key: `certificate:${id}:name:${order.id}`,
      title: { key: 'certificates.notice_name' },
      text: { key: 'certificates.notice_name_text', params: { name, problem: { key: `certificates.problem_${problem}`, params } } },
      link: '/user/certificate',
    });
  }

  /** @param days left, for the level and identity of the notice */
  async ends({ id, username }: Owner, certificate: Pick<SiteCertificate, 'names' | 'version' | 'endsAt'>, days: number): Promise<void> {
    const left = Math.max(0, Math.ceil((certificate.endsAt.getTime() - this.clock.now().getTime()) / DAY_MS));
    await this.notices.send({
      to: { account: username },
      kind: 'certificate',
      level: days <= 1 ? 'danger' : 'warning',
      key: `certificate:${id}:ends:${certificate.endsAt.getTime()}:${days}`,
      title: { key: 'certificates.notice_ends' },
      text: {
        key: 'certificates.notice_ends_text',
        params: { names: shown(certificate.names), days: left, day: dayOf(certificate.endsAt) },
      },
      link: '/user/certificate',
    });
  }
}

/** Lists some names and the number of the others. */
const shown = (names: readonly string[]): string => names.slice(0, 5).join(', ') + (names.length > 5 ? ` +${names.length - 5}` : '');
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
