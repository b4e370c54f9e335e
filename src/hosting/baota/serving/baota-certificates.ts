import { Injectable } from '@nestjs/common';

import {
  ALREADY,
  type CertificatesPort,
  DONE,
  type DriverAccount,
  type DriverCertificate,
  type DriverNode,
  type DriverProof,
  type DriverResult,
  FileProblem,
} from '../../driver/index.js';
import { answering, answeringAll, PanelClient, requireData, rowsOf, textOf } from '../client/index.js';
import { PanelDisk, type RemoteSite, SiteFileAccess } from '../files/index.js';
import { PanelSites } from '../sites/index.js';

import { runFolderOf } from './run-folder.js';

/** Folder in which a certificate authority looks for challenge files. */
const PROOFS = ['.well-known', 'acme-challenge'];
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/** Certificates of sites on servers running BaoTa. Proofs are files of the site, so a paused or stopped site cannot serve them. */
@Injectable()
export class BaotaCertificates implements CertificatesPort {
  readonly needsRunning = true;

  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly access: SiteFileAccess,
    private readonly disk: PanelDisk,
  ) {}

  apply(account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const { node, siteName } = account;
      await this.sites.own(account, deadline);
      const present = await this.present(node, siteName, deadline);
      if (isSame(present, certificate)) return ALREADY;
      if (certificate === null) {
        await this.sites.done(node, '/site?action=CloseSSLConf', { siteName, updateOf: 1 }, deadline);
        return DONE;
      }
      const { chain, key, forceHttps } = certificate;
      if (plain(present.chain) !== plain(chain))
        await this.sites.done(node, '/site?action=SetSSL', { siteName, type: 1, key, csr: chain }, deadline);
      if (present.forceHttps !== forceHttps)
        await this.sites.done(node, `/site?action=${forceHttps ? 'HttpToHttps' : 'CloseToHttps'}`, { siteName }, deadline);
      return DONE;
    });
  }

  /** An arrow function, because it is called without its object. */
  readonly matches = (
    account: DriverAccount,
    certificate: DriverCertificate | null,
    deadline: AbortSignal,
  ): Promise<DriverResult<boolean>> =>
    answering(async () => {
      await this.sites.own(account, deadline);
      return isSame(await this.present(account.node, account.siteName, deadline), certificate);
    });

  prove(account: DriverAccount, proofs: readonly DriverProof[], deadline: AbortSignal): Promise<DriverResult> {
    return this.access
      .change(account, deadline, async (site) => {
        let changed = false;
        for (const root of await this.roots(account, deadline)) changed = (await this.show(site, root, proofs)) || changed;
        return changed;
      })
      .then((result): DriverResult => ('value' in result ? (result.value ? DONE : ALREADY) : result));
  }

  private async present(node: DriverNode, siteName: string, signal: AbortSignal): Promise<{ chain: string; forceHttps: boolean }> {
    const { status, csr, httpTohttps } = requireData(await this.client.call(node, '/site?action=GetSSL', { siteName }, signal));
    return { chain: status === true ? textOf(csr) : '', forceHttps: httpTohttps === true };
  }

  /** Returns all folders that a name of the site may serve: the web root, the run folder, and folders with their own domains. */
  private async roots(account: DriverAccount, signal: AbortSignal): Promise<string[][]> {
    const { node } = account;
    const { id } = await this.sites.own(account, signal);
    const { binding } = requireData(await this.client.call(node, '/site?action=GetDirBinding', { id }, signal));
    const folders = [await runFolderOf(this.client, node, id, signal), ...rowsOf(binding).map(({ path }) => textOf(path))];
    const roots = ['', ...folders.map((folder) => folder.replace(/^\/+|\/+$/g, ''))];
    return [...new Set(roots)].map((folder) => folder.split('/').filter((part) => part !== ''));
  }

  /** @returns whether anything was changed */
  private async show(site: RemoteSite, root: readonly string[], proofs: readonly DriverProof[]): Promise<boolean> {
    const parts = [...root, ...PROOFS];
    const there = await this.shown(site, parts);
    const { node } = site.place;
    let changed = false;
    for (const name of there.filter((token) => TOKEN.test(token) && !proofs.some((proof) => proof.token === token))) {
      await site.change(() => this.disk.remove(node, site.at([...parts, name]), false, site.signal));
      changed = true;
    }
    for (const { token, answer } of proofs) {
      if (!TOKEN.test(token)) throw new FileProblem('NAME', { name: token });
      if (there.includes(token) && (await this.disk.text(node, site.at([...parts, token]), site.signal)) === answer) continue;
      await site.makeFolders(parts);
      await site.change(() => this.disk.write(node, site.at(parts), token, Buffer.from(answer), site.signal));
      changed = true;
    }
    return changed;
  }

  /** Lists the challenge files; empty if their folder does not exist. */
  private async shown(site: RemoteSite, parts: readonly string[]): Promise<string[]> {
    try {
      return (await site.folder(parts)).entries.filter(({ type }) => type === 'file').map(({ name }) => name);
    } catch (error) {
      if (error instanceof FileProblem && error.code === 'MISSING') return [];
      throw error;
    }
  }
}

function isSame(present: { chain: string; forceHttps: boolean }, wanted: DriverCertificate | null): boolean {
  if (wanted === null) return present.chain === '';
  return plain(present.chain) === plain(wanted.chain) && present.forceHttps === wanted.forceHttps;
}

const plain = (pem: string): string => pem.replace(/\s+/g, '');
