import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, bigint, day, flag, fraction, id, integer, money, string, text, time } from './schema.js';

/** The tables of the panel and of the container module, and the product's own. */
export class InitialSchema1795219200000 implements MigrationInterface {
  name = 'InitialSchema1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_config',
      [
        { ...integer('id'), isPrimary: true },
        string('name', 120, { default: "''" }),
        string('api', 128),
        flag('apiqk', { default: '1' }),
        flag('kzmbqk', { default: '1' }),
        string('hxi', 255, { default: "'/www/wwwroot'" }),
        string('hxo', 255, { default: "'D:/wwwroot'" }),
        text('api_allow', { isNullable: true }),
        text('pay_methods'),
        text('gg', { isNullable: true }),
        string('qqh', 64, { default: "''" }),
        flag('yzm', { default: '1' }),
        flag('yzme', { default: '1' }),
        string('usertheme', 64, { default: "'default'" }),
        string('admintheme', 64, { default: "'default'" }),
        string('hometheme', 64, { default: "'default'" }),
        string('node_api_key', 128, { default: "''" }),
        flag('wjsckg', { default: '0' }),
        text('wjsccnr', { isNullable: true }),
        flag('wjsckgqbfx', { default: '1' }),
        string('wjscml', 500, { default: "'/www/wwwroot'" }),
        string('wjstqml', 1000, { default: "'.git,node_modules,vendor,runtime,cache,logs'" }),
        string('wjstqhz', 1000, { default: "'.jpg,.png,.gif,.webp,.mp4,.zip,.rar,.7z,.pdf,.woff,.ttf'" }),
        integer('wjscdzmax', { default: '5242880' }),
        integer('wjscdhmax', { default: '1000' }),
        flag('wjscqzcskg', { default: '1' }),
        string('wjscqzcs', 50, { default: "'0 3 * * *'" }),
        string('locale', 10, { default: "''" }),
      ],
    );
    await createTable(
      runner,
      'SVC_generation',
      [
        { ...string('name', 64), isPrimary: true },
        bigint('value'),
      ],
    );
    await createTable(
      runner,
      'SVC_cron_run',
      [
        { ...string('key', 100), isPrimary: true },
        time('claimed_at'),
      ],
    );
    await createTable(
      runner,
      'SVC_admin',
      [
        id(),
        string('username', 64),
        string('username_key', 64),
        string('password_hash', 100),
        flag('default_password', { default: '0' }),
        time('created_at'),
      ],
      {
      uniques: { UQ_SVC_admin_username_key: ['username_key'] },
      },
    );
    await createTable(
      runner,
      'SVC_session',
      [
        id(),
        string('token_hash', 64),
        string('scope', 10),
        integer('subject_id'),
        string('ip', 64, { default: "''" }),
        string('user_agent', 255, { default: "''" }),
        time('created_at'),
        time('seen_at'),
        time('expires_at'),
      ],
      {
      uniques: { UQ_SVC_session_token_hash: ['token_hash'] },
      indexes: {
        IX_SVC_session_expires: ['expires_at'],
        IX_SVC_session_subject: ['scope', 'subject_id', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_captcha',
      [
        id(),
        string('holder_hash', 64),
        string('scope', 10),
        string('answer', 32),
        time('expires_at'),
      ],
      {
      uniques: { UQ_SVC_captcha_holder: ['holder_hash', 'scope'] },
      indexes: {
        IX_SVC_captcha_expires: ['expires_at'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_rate_limit',
      [
        { ...string('key', 190), isPrimary: true },
        integer('count'),
        time('resets_at'),
      ],
      {
      indexes: {
        IX_SVC_rate_limit_resets: ['resets_at'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_log',
      [
        id(),
        string('czuser', 64),
        time('date'),
        string('lx', 64),
        string('lr', 255),
        string('ip', 64, { default: "''" }),
        text('qk', { isNullable: true }),
      ],
      {
      indexes: {
        IX_SVC_log_date: ['date'],
        IX_SVC_log_category: ['lx', 'id'],
        IX_SVC_log_actor: ['czuser', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_event',
      [
        id(),
        string('hook', 64),
        string('subject', 64),
        string('source', 64),
        text('args'),
        text('row'),
        time('created_at'),
      ],
      {
      indexes: {
        IX_SVC_event_created: ['created_at'],
        IX_SVC_event_subject: ['subject', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_event_listener',
      [
        id(),
        string('key', 190),
        string('owner', 64),
        string('hook', 64),
        integer('priority'),
        flag('active'),
      ],
      {
      uniques: { UQ_SVC_event_listener_key: ['key'] },
      indexes: {
        IX_SVC_event_listener_hook: ['hook', 'active'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_event_delivery',
      [
        id(),
        integer('event_id'),
        string('listener_key', 190),
        string('subject', 64),
        integer('priority'),
        string('state', 20),
        integer('attempts', { default: '0' }),
        time('due_at'),
        string('claimed_by', 64, { isNullable: true }),
        text('last_error', { isNullable: true }),
        time('finished_at', { isNullable: true }),
      ],
      {
      uniques: { UQ_SVC_event_delivery: ['event_id', 'listener_key'] },
      indexes: {
        IX_SVC_event_delivery_order: ['listener_key', 'subject', 'state', 'event_id'],
        IX_SVC_event_delivery_due: ['listener_key', 'state', 'due_at'],
        IX_SVC_event_delivery_state: ['state', 'due_at', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_event_delivery_event', column: 'event_id', table: 'SVC_event', references: 'id', onDelete: 'CASCADE' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_bt',
      [
        id(),
        string('btdh', 64),
        string('btdh_key', 64),
        string('btip', 255, { default: "''" }),
        integer('btdk', { default: '0' }),
        string('btmy', 255, { default: "''" }),
        string('ktmy', 64),
        string('qmk', 64),
        string('ktmy_old', 64, { isNullable: true }),
        string('qmk_old', 64, { isNullable: true }),
        time('old_until', { isNullable: true }),
        integer('btos', { default: '1' }),
        string('mrbts_php', 10, { default: "''" }),
        string('als', 200, { default: "''" }),
        string('ftpdz', 255, { default: "''" }),
        flag('ptl', { default: '0' }),
        flag('qk', { default: '1' }),
        string('driver', 32, { default: "'embedded'" }),
        time('date'),
      ],
      {
      uniques: { UQ_SVC_bt_btdh: ['btdh'], UQ_SVC_bt_btdh_key: ['btdh_key'] },
      },
    );
    await createTable(
      runner,
      'SVC_zj',
      [
        id(),
        string('user', 64),
        string('user_key', 64),
        string('pass', 100),
        string('ssbt', 64),
        string('sqldz', 128, { default: "''" }),
        string('btid', 64, { default: "''" }),
        day('datae', { isNullable: true }),
        time('data'),
        string('qk', 20),
        text('pause_reasons'),
        flag('site_stopped', { default: '0' }),
        integer('hxa', { default: '0' }),
        integer('hxb', { default: '0' }),
        integer('llmax', { default: '0' }),
        integer('ymbds', { default: '0' }),
        bigint('web_used', { default: '0' }),
        bigint('sql_used', { default: '0' }),
        bigint('ll_used', { default: '0' }),
        time('usage_due', { isNullable: true }),
        string('mailuser', 254, { isNullable: true }),
        string('request_key', 200, { isNullable: true }),
        string('request_print', 100, { isNullable: true }),
        integer('owner_id', { isNullable: true }),
        string('claimed_by', 32, { isNullable: true }),
        time('claimed_until', { isNullable: true }),
      ],
      {
      uniques: { UQ_SVC_zj_request_key: ['request_key'], UQ_SVC_zj_user_key: ['user_key'] },
      indexes: {
        IX_SVC_zj_claimed: ['claimed_until', 'id'],
        IX_SVC_zj_datae: ['datae', 'id'],
        IX_SVC_zj_qk: ['qk', 'id'],
        IX_SVC_zj_ssbt: ['ssbt', 'id'],
        IX_SVC_zj_usage_due: ['usage_due', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_zj_ssbt', column: 'ssbt', table: 'SVC_bt', references: 'btdh', onDelete: 'RESTRICT' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_login_link',
      [
        id(),
        string('token_hash', 64),
        integer('zj_id'),
        time('expires_at'),
      ],
      {
      uniques: { UQ_SVC_login_link_token_hash: ['token_hash'] },
      indexes: {
        IX_SVC_login_link_expires: ['expires_at'],
        IX_SVC_login_link_zj: ['zj_id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_login_link_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_ym',
      [
        id(),
        string('url', 128),
        string('bt', 64),
        money('jg', { default: '0' }),
        flag('kg', { default: '1' }),
        string('js', 255, { default: "''" }),
        time('date'),
      ],
      {
      indexes: {
        IX_SVC_ym_url: ['url'],
        IX_SVC_ym_bt: ['bt', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_ym_bt', column: 'bt', table: 'SVC_bt', references: 'btdh', onDelete: 'CASCADE' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_bs',
      [
        id(),
        string('name', 190),
        text('jc', { isNullable: true }),
        money('jg', { default: '0' }),
        text('src'),
        text('sxpz'),
        text('tj'),
        flag('qk', { default: '1' }),
        string('cxwz', 255, { default: "''" }),
        text('inp'),
        text('pz'),
        text('alet', { isNullable: true }),
        time('date'),
      ],
      {
      uniques: { UQ_SVC_bs_name: ['name'] },
      indexes: {
        IX_SVC_bs_qk: ['qk', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_dd',
      [
        id(),
        string('ddh', 40),
        string('user', 64),
        string('name', 255),
        money('rmb'),
        string('ff', 128, { default: "''" }),
        string('scene', 32),
        string('qk', 20, { default: "'unpaid'" }),
        text('cs'),
        string('access_key', 64),
        string('ip', 64, { default: "''" }),
        time('date'),
        time('paid_at', { isNullable: true }),
      ],
      {
      uniques: { UQ_SVC_dd_ddh: ['ddh'] },
      indexes: {
        IX_SVC_dd_scene: ['scene', 'id'],
        IX_SVC_dd_qk: ['qk', 'id'],
        IX_SVC_dd_user: ['user', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_payment_transaction',
      [
        id(),
        integer('order_id'),
        string('gateway', 64),
        string('trade_no', 128),
        money('amount'),
        flag('amount_checked'),
        time('created_at'),
      ],
      {
      uniques: { UQ_SVC_payment_transaction_trade: ['gateway', 'trade_no'], UQ_SVC_payment_transaction_order: ['order_id'] },
      foreignKeys: [
        { name: 'FK_SVC_payment_transaction_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'RESTRICT' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_monitor_task',
      [
        id(),
        string('user', 64),
        string('name', 250, { default: "''" }),
        string('task_type', 30, { default: "'url'" }),
        string('url', 1000, { default: "''" }),
        string('resource_type', 30, { default: "''" }),
        integer('resource_threshold', { default: '80' }),
        string('method', 10, { default: "'GET'" }),
        integer('interval_seconds', { default: '60' }),
        integer('timeout_seconds', { default: '10' }),
        string('status_rule', 20, { default: "'eq'" }),
        string('status_value', 100, { default: "'200'" }),
        string('content_rule', 20, { default: "'none'" }),
        text('content_value', { isNullable: true }),
        integer('fail_threshold', { default: '1' }),
        flag('notify_email', { default: '1' }),
        flag('enabled', { default: '1' }),
        time('last_run', { isNullable: true }),
        time('next_run', { isNullable: true }),
        string('last_status', 20, { isNullable: true }),
        integer('last_code', { isNullable: true }),
        text('last_error', { isNullable: true }),
        integer('fail_count', { default: '0' }),
        time('created_at'),
        time('updated_at'),
      ],
      {
      indexes: {
        IX_SVC_monitor_task_due: ['enabled', 'next_run'],
        IX_SVC_monitor_task_user: ['user', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_monitor_log',
      [
        id(),
        integer('task_id'),
        string('user', 64),
        string('url', 1000, { default: "''" }),
        integer('status_code', { isNullable: true }),
        integer('response_time', { isNullable: true }),
        string('check_status', 20),
        text('error_message', { isNullable: true }),
        string('response_excerpt', 500, { default: "''" }),
        flag('notified', { default: '0' }),
        time('created_at'),
      ],
      {
      indexes: {
        IX_SVC_monitor_log_user: ['user', 'id'],
        IX_SVC_monitor_log_task: ['task_id', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_monitor_log_task', column: 'task_id', table: 'SVC_monitor_task', references: 'id', onDelete: 'CASCADE' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_notice_log',
      [
        id(),
        string('user', 64),
        string('type', 50),
        string('level', 20, { default: "'info'" }),
        string('title', 250),
        text('content'),
        flag('is_read', { default: '0' }),
        time('created_at'),
      ],
      {
      indexes: {
        IX_SVC_notice_log_user: ['user', 'is_read', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_node',
      [
        id(),
        string('node_id', 64),
        string('node_secret', 128),
        string('platform_secret', 128, { default: "''" }),
        string('previous_secret', 128, { default: "''" }),
        string('previous_platform_secret', 128, { default: "''" }),
        time('previous_until', { isNullable: true }),
        string('node_name', 100, { default: "''" }),
        integer('bt_id', { isNullable: true }),
        flag('enabled', { default: '1' }),
        string('ip', 64, { default: "''" }),
        string('status', 20, { default: "'offline'" }),
        fraction('load', { isNullable: true }),
        string('version', 30, { default: "''" }),
        text('capabilities'),
        time('last_heartbeat', { isNullable: true }),
        time('created_at'),
        time('updated_at'),
      ],
      {
      uniques: { UQ_SVC_node_node_id: ['node_id'] },
      indexes: {
        IX_SVC_node_bt_id: ['bt_id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_node_bt_id', column: 'bt_id', table: 'SVC_bt', references: 'id', onDelete: 'SET NULL' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_node_task',
      [
        id(),
        string('task_id', 64),
        string('node_id', 64),
        string('action', 50),
        text('payload'),
        string('status', 20, { default: "'pending'" }),
        text('result', { isNullable: true }),
        text('error', { isNullable: true }),
        integer('attempts', { default: '0' }),
        time('lease_until', { isNullable: true }),
        time('created_at'),
        time('pulled_at', { isNullable: true }),
        time('finished_at', { isNullable: true }),
      ],
      {
      uniques: { UQ_SVC_node_task_task_id: ['task_id'] },
      indexes: {
        IX_SVC_node_task_lease: ['status', 'lease_until'],
        IX_SVC_node_task_node: ['node_id', 'id'],
        IX_SVC_node_task_status: ['status', 'id'],
        IX_SVC_node_task_queue: ['node_id', 'status', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_node_task_node', column: 'node_id', table: 'SVC_node', references: 'node_id', onDelete: 'CASCADE' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_node_nonce',
      [
        { ...string('node_id', 64), isPrimary: true },
        { ...string('nonce', 80), isPrimary: true },
        time('expires_at'),
      ],
      {
      indexes: {
        IX_SVC_node_nonce_expires: ['expires_at'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_forbidden_scan',
      [
        id(),
        string('node_id', 64),
        string('task_id', 64),
        string('status', 20, { default: "'success'" }),
        string('site', 250, { default: "''" }),
        integer('scanned_files', { default: '0' }),
        integer('scanned_rows', { default: '0' }),
        integer('matches_count', { default: '0' }),
        text('summary', { isNullable: true }),
        time('created_at'),
      ],
      {
      indexes: {
        IX_SVC_forbidden_scan_created: ['created_at', 'id'],
        IX_SVC_forbidden_scan_node: ['node_id', 'id'],
        IX_SVC_forbidden_scan_status: ['status', 'id'],
      },
      uniques: { UQ_SVC_forbidden_scan_task: ['task_id', 'node_id'] },
      },
    );
    await createTable(
      runner,
      'SVC_forbidden_match',
      [
        id(),
        integer('scan_id'),
        string('match_type', 30, { default: "'file'" }),
        string('file', 1000),
        integer('line_no', { default: '0' }),
        string('keyword', 250),
        string('excerpt', 250, { default: "''" }),
      ],
      {
      indexes: {
        IX_SVC_forbidden_match_scan: ['scan_id', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_forbidden_match_scan', column: 'scan_id', table: 'SVC_forbidden_scan', references: 'id', onDelete: 'CASCADE' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_plugin',
      [
        id(),
        string('slug', 64),
        string('slug_key', 64),
        string('name', 120, { default: "''" }),
        string('version', 32, { default: "'0.0.0'" }),
        flag('enabled', { default: '0' }),
        time('installed_at'),
        time('updated_at'),
      ],
      {
      uniques: { UQ_SVC_plugin_slug_key: ['slug_key'] },
      },
    );
    await createTable(
      runner,
      'SVC_plugin_option',
      [
        id(),
        string('slug', 64),
        string('key', 120),
        text('value'),
      ],
      {
      uniques: { UQ_SVC_plugin_option: ['slug', 'key'] },
      },
    );
    await createTable(
      runner,
      'SVC_plugin_user',
      [
        id(),
        string('username', 64),
        string('username_key', 64),
        string('password_hash', 100),
        string('email', 254, { default: "''" }),
        string('qq', 20, { default: "''" }),
        integer('status', { default: '1' }),
        time('created_at'),
        time('updated_at'),
      ],
      {
      uniques: { UQ_SVC_plugin_user_username_key: ['username_key'] },
      indexes: {
        IX_SVC_plugin_user_email: ['email'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_plugin_migration',
      [
        id(),
        string('slug', 64),
        string('step', 120),
        text('tables'),
        time('applied_at'),
      ],
      {
      uniques: { UQ_SVC_plugin_migration: ['slug', 'step'] },
      },
    );
    await createTable(
      runner,
      'SVC_docker_node',
      [
        id(),
        string('name', 64),
        string('btip', 128),
        integer('btdk', { default: '8888' }),
        flag('ptl', { default: '0' }),
        string('btmy', 255),
        string('ktmy', 64),
        string('qmk', 64),
        flag('qk', { default: '1' }),
        time('date'),
      ],
    );
    await createTable(
      runner,
      'SVC_docker_plan',
      [
        id(),
        string('name', 64),
        text('jc', { isNullable: true }),
        integer('cpu_max', { default: '1' }),
        integer('mem_max', { default: '512' }),
        integer('disk_max', { default: '0' }),
        integer('proxy_max', { default: '0' }),
        money('jg', { default: '0' }),
        flag('qk', { default: '1' }),
        time('date'),
      ],
      {
      indexes: {
        IX_SVC_docker_plan_qk: ['qk', 'id'],
      },
      },
    );
    await createTable(
      runner,
      'SVC_docker_user',
      [
        id(),
        string('username', 64),
        string('username_key', 64),
        string('password_hash', 100),
        string('email', 254, { isNullable: true }),
        integer('ssbt'),
        integer('plan_id', { isNullable: true }),
        string('qk', 20, { default: "'active'" }),
        day('datae', { isNullable: true }),
        string('container_id', 128, { isNullable: true }),
        string('service_name', 128, { isNullable: true }),
        string('app_name', 128, { isNullable: true }),
        text('container_spec', { isNullable: true }),
        string('container_status', 20, { default: "'none'" }),
        bigint('disk_usage', { default: '0' }),
        time('disk_usage_at', { isNullable: true }),
        time('expired_at', { isNullable: true }),
        time('prune_due', { isNullable: true }),
        time('created_at'),
      ],
      {
      uniques: { UQ_SVC_docker_user_username_key: ['username_key'] },
      indexes: {
        IX_SVC_docker_user_qk: ['qk', 'id'],
        IX_SVC_docker_user_ssbt: ['ssbt', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_docker_user_node', column: 'ssbt', table: 'SVC_docker_node', references: 'id', onDelete: 'RESTRICT' },
        { name: 'FK_SVC_docker_user_plan', column: 'plan_id', table: 'SVC_docker_plan', references: 'id', onDelete: 'RESTRICT' },
      ],
      },
    );
    await createTable(
      runner,
      'SVC_docker_order',
      [
        id(),
        string('username', 64),
        integer('plan_id'),
        money('rmb'),
        string('qk', 20, { default: "'unpaid'" }),
        time('created_at'),
      ],
      {
      indexes: {
        IX_SVC_docker_order_username: ['username', 'id'],
      },
      foreignKeys: [
        { name: 'FK_SVC_docker_order_plan', column: 'plan_id', table: 'SVC_docker_plan', references: 'id', onDelete: 'RESTRICT' },
      ],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await runner.dropTable(table);
  }
}

const TABLES = [
  'SVC_config',
  'SVC_generation',
  'SVC_cron_run',
  'SVC_admin',
  'SVC_session',
  'SVC_captcha',
  'SVC_rate_limit',
  'SVC_log',
  'SVC_event',
  'SVC_event_listener',
  'SVC_event_delivery',
  'SVC_bt',
  'SVC_zj',
  'SVC_login_link',
  'SVC_ym',
  'SVC_bs',
  'SVC_dd',
  'SVC_payment_transaction',
  'SVC_monitor_task',
  'SVC_monitor_log',
  'SVC_notice_log',
  'SVC_node',
  'SVC_node_task',
  'SVC_node_nonce',
  'SVC_forbidden_scan',
  'SVC_forbidden_match',
  'SVC_plugin',
  'SVC_plugin_option',
  'SVC_plugin_user',
  'SVC_plugin_migration',
  'SVC_docker_node',
  'SVC_docker_plan',
  'SVC_docker_user',
  'SVC_docker_order',
];
