import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, bigint, day, flag, id, integer, money, string, text, time } from './schema.js';

/** The tables of the store. */
export class Store1795219300000 implements MigrationInterface {
  name = 'Store1795219300000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_store_user',
      [
        id(),
        string('username', 30),
        string('username_key', 60),
        string('password_hash', 100),
        flag('has_default_password', { default: '0' }),
        string('email', 254),
        string('email_key', 254),
        string('role', 10),
        string('avatar', 255, { default: "''" }),
        string('bio', 500, { default: "''" }),
        string('status', 10, { default: "'active'" }),
        time('created_at'),
        time('updated_at'),
      ],
      {
        uniques: {
          UQ_SVC_store_user_email_key: ['email_key'],
          UQ_SVC_store_user_username_key: ['username_key'],
        },
        indexes: {
          IX_SVC_store_user_created: ['created_at'],
          IX_SVC_store_user_role: ['role', 'status', 'id'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_store_session',
      [
        id(),
        string('token_hash', 64),
        integer('user_id'),
        string('ip', 64, { default: "''" }),
        string('user_agent', 255, { default: "''" }),
        time('created_at'),
        time('seen_at'),
        time('expires_at'),
      ],
      {
        uniques: {
          UQ_SVC_store_session_token_hash: ['token_hash'],
        },
        indexes: {
          IX_SVC_store_session_expires: ['expires_at'],
          IX_SVC_store_session_user: ['user_id', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_session_user', column: 'user_id', table: 'SVC_store_user', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_token',
      [
        id(),
        integer('user_id'),
        string('name', 60),
        string('token_hash', 64),
        text('scopes'),
        time('expires_at'),
        time('last_used_at', { isNullable: true }),
        time('created_at'),
      ],
      {
        uniques: {
          UQ_SVC_store_token_token_hash: ['token_hash'],
        },
        indexes: {
          IX_SVC_store_token_user: ['user_id', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_token_user', column: 'user_id', table: 'SVC_store_user', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_item',
      [
        id(),
        string('type', 10),
        string('slug', 63),
        string('slug_key', 63),
        string('name', 100),
        string('version', 32),
        integer('author_id'),
        string('author_name', 30),
        money('price', { default: '0' }),
        text('description'),
        string('main_image', 500, { default: "''" }),
        text('screenshots'),
        string('sha256', 64),
        integer('zip_size'),
        integer('downloads', { default: '0' }),
        string('status', 10, { default: "'pending'" }),
        string('review_msg', 2000, { default: "''" }),
        string('requires_svc', 50, { default: "''" }),
        string('category', 40, { default: "''" }),
        text('tags'),
        string('homepage', 500, { default: "''" }),
        time('created_at'),
        time('updated_at'),
      ],
      {
        uniques: {
          UQ_SVC_store_item_slug: ['type', 'slug_key'],
        },
        indexes: {
          IX_SVC_store_item_updated: ['updated_at', 'id'],
          IX_SVC_store_item_published: ['status', 'updated_at', 'id'],
          IX_SVC_store_item_status: ['status', 'id'],
          IX_SVC_store_item_kind: ['type', 'id'],
          IX_SVC_store_item_kind_status: ['type', 'status', 'id'],
          IX_SVC_store_item_author: ['author_id', 'id'],
          IX_SVC_store_item_price: ['status', 'price', 'id'],
          IX_SVC_store_item_downloads: ['status', 'downloads', 'id'],
          IX_SVC_store_item_category: ['status', 'category', 'created_at', 'id'],
          IX_SVC_store_item_type: ['status', 'type', 'created_at', 'id'],
          IX_SVC_store_item_newest: ['status', 'created_at', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_item_author', column: 'author_id', table: 'SVC_store_user', references: 'id', onDelete: 'RESTRICT' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_slug_history',
      [
        id(),
        string('type', 10),
        string('slug_key', 63),
        integer('author_id'),
        text('versions'),
        time('closed_at', { isNullable: true }),
        string('closed_reason', 2000, { default: "''" }),
      ],
      {
        uniques: {
          UQ_SVC_store_slug_history: ['type', 'slug_key'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_store_version',
      [
        id(),
        integer('item_id'),
        string('version', 32),
        string('version_key', 32),
        string('sha256', 64),
        integer('zip_size'),
        text('changelog'),
        string('status', 10, { default: "'pending'" }),
        string('review_msg', 2000, { default: "''" }),
        text('manifest', { isNullable: true }),
        string('requires_svc', 100, { default: "''" }),
        string('signature', 100, { default: "''" }),
        string('key_id', 64, { default: "''" }),
        time('signed_at', { isNullable: true }),
        time('created_at'),
        time('decided_at', { isNullable: true }),
        integer('decided_by', { isNullable: true }),
      ],
      {
        uniques: {
          UQ_SVC_store_version: ['item_id', 'version_key'],
        },
        indexes: {
          IX_SVC_store_version_sha256: ['sha256', 'zip_size'],
          IX_SVC_store_version_status: ['status', 'id'],
          IX_SVC_store_version_item: ['item_id', 'status', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_version_item', column: 'item_id', table: 'SVC_store_item', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_finding',
      [
        id(),
        integer('version_id'),
        string('rule', 60),
        string('severity', 10),
        string('file', 500, { default: "''" }),
        integer('line', { isNullable: true }),
        string('excerpt', 500, { default: "''" }),
        text('text'),
      ],
      {
        indexes: {
          IX_SVC_store_finding_version: ['version_id', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_finding_version', column: 'version_id', table: 'SVC_store_version', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(runner, 'SVC_store_version_file', [id(), integer('version_id'), string('path', 500), string('sha256', 64)], {
      indexes: {
        IX_SVC_store_version_file_version: ['version_id', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_store_version_file_version', column: 'version_id', table: 'SVC_store_version', references: 'id', onDelete: 'CASCADE' },
      ],
    });
    await createTable(runner, 'SVC_store_blocked_notice', [id(), integer('version_id'), integer('user_id'), string('sha256', 64), time('created_at')], {
      uniques: {
        UQ_SVC_store_blocked_notice: ['version_id', 'user_id', 'sha256'],
      },
      foreignKeys: [
        { name: 'FK_SVC_store_blocked_notice_version', column: 'version_id', table: 'SVC_store_version', references: 'id', onDelete: 'CASCADE' },
      ],
    });
    await createTable(
      runner,
      'SVC_store_edit_request',
      [
        id(),
        integer('item_id'),
        string('field', 20),
        text('old_value'),
        text('new_value'),
        string('status', 12, { default: "'pending'" }),
        string('review_msg', 2000, { default: "''" }),
        time('created_at'),
        time('decided_at', { isNullable: true }),
        integer('decided_by', { isNullable: true }),
      ],
      {
        indexes: {
          IX_SVC_store_edit_request_item: ['item_id', 'field', 'status'],
          IX_SVC_store_edit_request_status: ['status', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_edit_request_item', column: 'item_id', table: 'SVC_store_item', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_download',
      [
        id(),
        integer('item_id'),
        string('version', 32),
        integer('user_id', { isNullable: true }),
        string('ip', 64),
        time('created_at'),
      ],
      {
        indexes: {
          IX_SVC_store_download_created: ['created_at'],
          IX_SVC_store_download_item: ['item_id', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_download_item', column: 'item_id', table: 'SVC_store_item', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_download_day',
      [
        id(),
        integer('item_id'),
        string('version', 32),
        day('day'),
        bigint('downloads', { default: '0' }),
        bigint('visitors', { default: '0' }),
      ],
      {
        uniques: {
          UQ_SVC_store_download_day: ['item_id', 'version', 'day'],
        },
        indexes: {
          IX_SVC_store_download_day_day: ['day'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_download_day_item', column: 'item_id', table: 'SVC_store_item', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_visitor_day',
      [
        id(),
        integer('item_id'),
        day('day'),
        string('visitor_hash', 64),
      ],
      {
        uniques: {
          UQ_SVC_store_visitor_day: ['item_id', 'day', 'visitor_hash'],
        },
        indexes: {
          IX_SVC_store_visitor_day_day: ['day'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_visitor_day_item', column: 'item_id', table: 'SVC_store_item', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_audit',
      [
        id(),
        integer('actor_id'),
        string('actor_name', 30),
        string('action', 40),
        string('subject', 20),
        integer('subject_id'),
        text('detail'),
        string('ip', 64),
        time('created_at'),
      ],
      {
        indexes: {
          IX_SVC_store_audit_subject: ['subject', 'subject_id', 'id'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_store_report',
      [
        id(),
        integer('item_id'),
        string('reason', 20),
        string('text', 2000, { default: "''" }),
        integer('reporter_id', { isNullable: true }),
        string('ip', 64),
        string('status', 10, { default: "'open'" }),
        time('created_at'),
        time('closed_at', { isNullable: true }),
      ],
      {
        indexes: {
          IX_SVC_store_report_item: ['item_id', 'id'],
          IX_SVC_store_report_status: ['status', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_store_report_item', column: 'item_id', table: 'SVC_store_item', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_store_blocked_digest',
      [
        id(),
        string('sha256', 64),
        string('reason', 255, { default: "''" }),
        integer('created_by'),
        time('created_at'),
      ],
      {
        uniques: {
          UQ_SVC_store_blocked_digest: ['sha256'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_store_image',
      [
        id(),
        string('name', 60),
        integer('user_id'),
        integer('size'),
        time('created_at'),
      ],
      {
        uniques: {
          UQ_SVC_store_image_name: ['name'],
        },
        indexes: {
          IX_SVC_store_image_created: ['created_at', 'size'],
          IX_SVC_store_image_user: ['user_id', 'id'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_store_refusal_day',
      [
        id(),
        day('day'),
        string('rule', 60),
        integer('refusals', { default: '0' }),
      ],
      {
        uniques: {
          UQ_SVC_store_refusal_day: ['day', 'rule'],
        },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await runner.dropTable(table);
  }
}

const TABLES = [
  'SVC_store_user',
  'SVC_store_session',
  'SVC_store_token',
  'SVC_store_item',
  'SVC_store_slug_history',
  'SVC_store_version',
  'SVC_store_finding',
  'SVC_store_version_file',
  'SVC_store_blocked_notice',
  'SVC_store_edit_request',
  'SVC_store_download',
  'SVC_store_download_day',
  'SVC_store_visitor_day',
  'SVC_store_audit',
  'SVC_store_report',
  'SVC_store_blocked_digest',
  'SVC_store_image',
  'SVC_store_refusal_day',
];
