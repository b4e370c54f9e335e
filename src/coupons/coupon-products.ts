import { Injectable } from '@nestjs/common';

import { HookRegistry } from '../hooks/index.js';
import type { OrderProduct } from '../sdk/index.js';

import { PRODUCT } from './coupon-terms.js';

/** Maximum products, more than a shop has or a form shows. */
const MAX_PRODUCTS = 500;

/** Products that coupons can be limited to, provided by plugins through the hook `order.products`. */
@Injectable()
export class CouponProducts {
  constructor(private readonly hooks: HookRegistry) {}

  async all(): Promise<OrderProduct[]> {
    const given: unknown = await this.hooks.applyByReference('order.products', []);
    const products = new Map<string, OrderProduct>();
    for (const product of Array.isArray(given) ? (given as unknown[]) : []) {
      if (isProduct(product) && !products.has(product.id)) products.set(product.id, { id: product.id, name: product.name.slice(0, 120) });
    }
    return [...products.values()].slice(0, MAX_PRODUCTS);
  }
}

/** Plugins may return anything: invalid entries are ignored. */
function isProduct(value: unknown): value is OrderProduct {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name } = value as Record<string, unknown>;
  return typeof id === 'string' && PRODUCT.test(id) && typeof name === 'string' && name.trim() !== '';
}
