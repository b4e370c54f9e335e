import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ListFile, Lists } from './lists/index.js';
import { MenuOffers } from './menu-offers.js';
import { NoticeBell } from './notice-bell.js';
import { PageAccess } from './page-access.js';
import { PageAnswers } from './page-answers.js';
import { PageMenus } from './page-menu.js';
import { PageRegistry } from './page-registry.js';
import { PageSender } from './page-sender.js';
import { SettingsTabs } from './settings-tabs.js';
import { WebEntry } from './web-entry.js';

const SERVICES = [ListFile, Lists, MenuOffers, NoticeBell, PageAccess, PageAnswers, PageRegistry, PageSender, SettingsTabs, WebEntry];

/** The page kit: entry point of page requests, frame, menu, lists and forms. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [...SERVICES, PageMenus],
  exports: SERVICES,
})
export class WebModule {}
