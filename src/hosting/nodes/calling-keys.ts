import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, sameText } from '../../common/index.js';
import { SEALED_MARK, Secrets } from '../../config/index.js';
import type { HostingNode } from '../entities/index.js';
import { callingKey } from '../wire/index.js';

const OPEN_KEY = 'node.open_key';
const SIGNATURE_KEY = 'node.signature_key';

/** Both halves of a calling key, encrypted. */
export type CallingKeyHalves = Pick<HostingNode, 'openKey' | 'signatureKey'>;

/** Calling keys of nodes, which shops and programs send as `svc_keye`. Their halves are encrypted in the rows. */
@Injectable()
export class CallingKeys {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Returns the calling key of a node, 32 lower-case hex digits; empty if it was encrypted with the key of another installation. */
  of({ openKey, signatureKey }: CallingKeyHalves): string {
    const halves = { openKey: this.open(openKey, OPEN_KEY), signatureKey: this.open(signatureKey, SIGNATURE_KEY) };
    return halves.openKey || halves.signatureKey ? callingKey(halves) : '';
  }

  /** Returns whether `given` is the calling key of a node, or the previous one while that is still valid. */
  accepts(node: HostingNode, given: string): boolean {
    const present = this.of(node);
    const previous = this.of({ openKey: node.previousOpenKey ?? '', signatureKey: node.previousSignatureKey ?? '' });
    // Always compares both, so that timing reveals neither which one matched nor that there are two.
    const isPresent = sameText(given, present) && present !== '';
    const isPrevious = sameText(given, previous) && previous !== '';
    return isPresent || (isPrevious && hasOverlap(node, this.clock.now()));
  }

  /** Encrypts the halves for their row. Two empty halves are replaced by a random key, so that nobody can guess it. */
  seal({ openKey, signatureKey }: CallingKeyHalves): CallingKeyHalves {
    const halves = openKey || signatureKey ? { openKey, signatureKey } : { openKey: half(), signatureKey: half() };
    return { openKey: this.sealed(halves.openKey, OPEN_KEY), signatureKey: this.sealed(halves.signatureKey, SIGNATURE_KEY) };
  }

  /** Generates a new key. */
  fresh(): CallingKeyHalves {
    return this.seal({ openKey: half(), signatureKey: half() });
  }

  private sealed(text: string, purpose: string): string {
    return text.startsWith(SEALED_MARK) ? text : this.secrets.seal(text, purpose);
  }

  private open(kept: string, purpose: string): string {
    return kept.startsWith(SEALED_MARK) ? (this.secrets.open(kept, purpose) ?? '') : kept;
  }
}

/** Returns whether the previous key of a node is still valid. */
export function hasOverlap(node: HostingNode, now: Date): boolean {
  return node.previousUntil !== null && node.previousUntil > now;
}

const half = (): string => randomBytes(16).toString('hex');
