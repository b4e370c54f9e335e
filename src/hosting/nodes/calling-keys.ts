import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, sameText } from '../../common/index.js';
import { SEALED_MARK, Secrets } from '../../config/index.js';
import type { HostingNode } from '../entities/index.js';
import { callingKey } from '../wire/index.js';

const OPEN_KEY = 'node.open_key';
const SIGNATURE_KEY = 'node.signature_key';

/** Both halves of a calling key, sealed. */
export type CallingKeyHalves = Pick<HostingNode, 'openKey' | 'signatureKey'>;

/** Calling keys of nodes: what shops and programs send as `svc_keye`. Their halves are sealed in the rows. */
@Injectable()
export class CallingKeys {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** The calling key of a node, 32 lower-case hex digits; empty where it was sealed with the key of another installation. */
  of({ openKey, signatureKey }: CallingKeyHalves): string {
    const halves = { openKey: this.open(openKey, OPEN_KEY), signatureKey: this.open(signatureKey, SIGNATURE_KEY) };
    return halves.openKey || halves.signatureKey ? callingKey(halves) : '';
  }

  /** Whether `given` is the calling key of a node, or the one before its last change while that still works. */
  accepts(node: HostingNode, given: string): boolean {
    const present = this.of(node);
    const previous = this.of({ openKey: node.previousOpenKey ?? '', signatureKey: node.previousSignatureKey ?? '' });
    // Both are always compared: the time does not tell which one was right, nor that there are two.
    const isPresent = sameText(given, present) && present !== '';
    const isPrevious = sameText(given, previous) && previous !== '';
    return isPresent || (isPrevious && hasOverlap(node, this.clock.now()));
  }

  /** Halves for their row. Nobody has to know two that are empty, so a key of chance takes their place. */
  seal({ openKey, signatureKey }: CallingKeyHalves): CallingKeyHalves {
    const halves = openKey || signatureKey ? { openKey, signatureKey } : { openKey: half(), signatureKey: half() };
    return { openKey: this.sealed(halves.openKey, OPEN_KEY), signatureKey: this.sealed(halves.signatureKey, SIGNATURE_KEY) };
  }

  /** A key nobody knows yet. */
  fresh(): CallingKeyHalves {
    return this.seal({ openKey: half(), signatureKey: half() });
  }

  private sealed(text: string, place: string): string {
    return text.startsWith(SEALED_MARK) ? text : this.secrets.seal(text, place);
  }

  private open(kept: string, place: string): string {
    return kept.startsWith(SEALED_MARK) ? (this.secrets.open(kept, place) ?? '') : kept;
  }
}

/** Tells whether the previous key of a node still works. */
export function hasOverlap(node: HostingNode, now: Date): boolean {
  return node.previousUntil !== null && node.previousUntil > now;
}

const half = (): string => randomBytes(16).toString('hex');
