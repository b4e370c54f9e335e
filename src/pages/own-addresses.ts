import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { controllerHandlers } from '../common/index.js';

import { FILE_ADDRESSES } from './asset-files.js';

/**
 * Paths of controllers and files of this process, which take precedence over plugins' routes: the static prefix of each, by its first
 * segment. A path with such a prefix may belong to it; the router decides.
 */
@Injectable()
export class OwnAddresses implements OnModuleInit {
  private readonly beginnings = new Map<string, string[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { controller, handler } of controllerHandlers(this.discovery, this.scanner)) {
      for (const path of pathsOf(handler)) for (const base of pathsOf(controller)) this.add(`/${base}/${path}`);
    }
    for (const address of FILE_ADDRESSES) this.add(address);
  }

  /** Returns whether a path may belong to the panel itself. */
  mayHave(path: string): boolean {
    return this.beginnings.get(firstSegment(path))?.some((beginning) => path.startsWith(beginning)) ?? false;
  }

  private add(path: string): void {
    const beginning = path
      .replace(/\/+/g, '/')
      .replace(/[:*{].*$/, '')
      .replace(/(?<=.)\/$/, '');
    // The catch-all after the routes.
    if (beginning === '/') return;
    const first = firstSegment(beginning);
    this.beginnings.set(first, [...(this.beginnings.get(first) ?? []), beginning]);
  }
}

function pathsOf(target: object): string[] {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return path === undefined ? [] : [path].flat();
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}
