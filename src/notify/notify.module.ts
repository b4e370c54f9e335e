import { Global, Module } from '@nestjs/common';

import { StoreMailer } from '../store/index.js';
import { UnreadNotices } from '../web/index.js';

import { AnnouncementBanner, AnnouncementOperations, AnnouncementPages, Announcements } from './announcements/index.js';
import { AdminChannelOperations, ChannelKinds, ChannelPages, Channels, UserChannelOperations } from './channels/index.js';
import {
  HostNotices,
  Inbox,
  Mailing,
  NoticePages,
  NoticeWriter,
  OwnNoticeOperations,
  SentNoticeOperations,
  UnreadInInbox,
} from './inbox/index.js';
import { NewNotices, NoticeStreamController, NoticeStreams } from './live/index.js';
import { MailOperations, MailSettingsPages, Mailer } from './mail/index.js';
import { Notices } from './notices.js';
import { Deliveries, DeliveryOperations, DeliveryPages } from './outbox/index.js';
import { ConfirmMails, MailLinkController, MailLinks, PreferenceOperations, PreferencePages } from './preferences/index.js';
import { Preferences, Receivers } from './receivers/index.js';
import { DeliveryFailures, DeliveryWorker, NoticeChannelMessages, NoticeMails, NoticeRetention, StoreMails } from './sending/index.js';
import { NoticeTemplates, NoticeTexts, TemplateOperations, TemplatePages } from './templates/index.js';

/** Notices inside the panel, by mail and by channels, and announcements. */
@Global()
@Module({
  controllers: [
    NoticePages,
    AnnouncementPages,
    MailSettingsPages,
    PreferencePages,
    DeliveryPages,
    ChannelPages,
    MailLinkController,
    NoticeStreamController,
    TemplatePages,
  ],
  providers: [
    Notices,
    Preferences,
    Receivers,
    NoticeTexts,
    NoticeTemplates,
    TemplateOperations,
    NoticeWriter,
    Inbox,
    HostNotices,
    Mailing,
    { provide: UnreadNotices, useClass: UnreadInInbox },
    NewNotices,
    NoticeStreams,
    OwnNoticeOperations,
    SentNoticeOperations,
    Announcements,
    AnnouncementBanner,
    AnnouncementOperations,
    Mailer,
    MailOperations,
    MailLinks,
    ConfirmMails,
    PreferenceOperations,
    ChannelKinds,
    Channels,
    AdminChannelOperations,
    UserChannelOperations,
    Deliveries,
    DeliveryOperations,
    NoticeMails,
    NoticeChannelMessages,
    DeliveryFailures,
    DeliveryWorker,
    NoticeRetention,
    { provide: StoreMailer, useClass: StoreMails },
  ],
  exports: [HostNotices, Notices, NoticeTexts, ChannelKinds, Mailer, Preferences, StoreMailer, UnreadNotices],
})
export class NotifyModule {}
