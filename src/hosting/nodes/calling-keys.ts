import { sameText } from '../../common/index.js';
import type { HostingNode } from '../entities/index.js';
import { callingKey } from '../wire/index.js';

import { hasOverlap } from './node-changes.js';

/** Whether `given` is the calling key of a node, or the one before its last change while that still works. */
export function acceptsCallingKey(node: HostingNode, given: string, now: Date): boolean {
  const { previousOpenKey, previousSignatureKey } = node;
  const overlaps = previousOpenKey !== null && previousSignatureKey !== null && hasOverlap(node, now);
  // Both are always compared: the time does not tell which one was right, nor that there are two.
  const isPresent = sameText(given, callingKey(node));
  const isPrevious = sameText(given, callingKey({ openKey: previousOpenKey ?? '', signatureKey: previousSignatureKey ?? '' }));
  return isPresent || (overlaps && isPrevious);
}
