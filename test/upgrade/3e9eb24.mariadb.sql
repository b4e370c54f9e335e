/*M!999999\- enable the sandbox mode */ 
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_admin` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `username_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `password_hash` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `default_password` tinyint(4) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_admin_username_key` (`username_key`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_admin` (`id`, `username`, `username_key`, `password_hash`, `default_password`, `created_at`) VALUES (1,'admin','admin','$2b$10$UsLZnNp41pJwvcDvOuLZ2O60hRAyqDMrLiSmVgw2kjk4cUMlgkDSe',0,'2026-11-22 00:46:52.311');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_bs` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `jc` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `jg` decimal(12,2) NOT NULL DEFAULT 0.00,
  `src` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sxpz` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `tj` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `qk` tinyint(4) NOT NULL DEFAULT 1,
  `cxwz` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `inp` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `pz` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `alet` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `date` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_bs_name` (`name`),
  KEY `IX_SVC_bs_qk` (`qk`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_bt` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `btdh` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `btdh_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `btip` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `btdk` int(11) NOT NULL DEFAULT 0,
  `btmy` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `ktmy` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `qmk` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ktmy_old` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `qmk_old` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `old_until` datetime(3) DEFAULT NULL,
  `btos` int(11) NOT NULL DEFAULT 1,
  `mrbts_php` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `als` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `ftpdz` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `ptl` tinyint(4) NOT NULL DEFAULT 0,
  `qk` tinyint(4) NOT NULL DEFAULT 1,
  `driver` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'embedded',
  `date` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_bt_btdh` (`btdh`),
  UNIQUE KEY `UQ_SVC_bt_btdh_key` (`btdh_key`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_bt` (`id`, `btdh`, `btdh_key`, `btip`, `btdk`, `btmy`, `ktmy`, `qmk`, `ktmy_old`, `qmk_old`, `old_until`, `btos`, `mrbts_php`, `als`, `ftpdz`, `ptl`, `qk`, `driver`, `date`) VALUES (1,'local','local','127.0.0.1',0,'','04192c39962c049924b4e42fa3b4e582','68c64ec4784cc1204d8923e80aadde93',NULL,NULL,NULL,1,'','','',0,1,'embedded','2026-11-22 00:46:51.967');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_captcha` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `holder_hash` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `scope` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `answer` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_captcha_holder` (`holder_hash`,`scope`),
  KEY `IX_SVC_captcha_expires` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_config` (
  `id` int(11) NOT NULL,
  `name` varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `api` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `apiqk` tinyint(4) NOT NULL DEFAULT 1,
  `kzmbqk` tinyint(4) NOT NULL DEFAULT 1,
  `hxi` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '/www/wwwroot',
  `hxo` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'D:/wwwroot',
  `api_allow` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `pay_methods` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `gg` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `qqh` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `yzm` tinyint(4) NOT NULL DEFAULT 1,
  `yzme` tinyint(4) NOT NULL DEFAULT 1,
  `usertheme` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'default',
  `admintheme` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'default',
  `hometheme` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'default',
  `node_api_key` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `wjsckg` tinyint(4) NOT NULL DEFAULT 0,
  `wjsccnr` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `wjsckgqbfx` tinyint(4) NOT NULL DEFAULT 1,
  `wjscml` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '/www/wwwroot',
  `wjstqml` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '.git,node_modules,vendor,runtime,cache,logs',
  `wjstqhz` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '.jpg,.png,.gif,.webp,.mp4,.zip,.rar,.7z,.pdf,.woff,.ttf',
  `wjscdzmax` int(11) NOT NULL DEFAULT 5242880,
  `wjscdhmax` int(11) NOT NULL DEFAULT 1000,
  `wjscqzcskg` tinyint(4) NOT NULL DEFAULT 1,
  `wjscqzcs` varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '0 3 * * *',
  `locale` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_config` (`id`, `name`, `api`, `apiqk`, `kzmbqk`, `hxi`, `hxo`, `api_allow`, `pay_methods`, `gg`, `qqh`, `yzm`, `yzme`, `usertheme`, `admintheme`, `hometheme`, `node_api_key`, `wjsckg`, `wjsccnr`, `wjsckgqbfx`, `wjscml`, `wjstqml`, `wjstqhz`, `wjscdzmax`, `wjscdhmax`, `wjscqzcskg`, `wjscqzcs`, `locale`) VALUES (1,'SVC Panel','kept-api-key-0123456789',1,1,'/www/wwwroot','D:/wwwroot',NULL,'[{\"plugin\":\"sandbox\",\"method\":\"test\",\"display_name\":\"沙箱支付 Sandbox\",\"icon\":\"mdi-flask-outline\",\"sort\":99}]',NULL,'',1,1,'default','default','default','',0,NULL,1,'/www/wwwroot','.git,node_modules,vendor,runtime,cache,logs','.jpg,.png,.gif,.webp,.mp4,.zip,.rar,.7z,.pdf,.woff,.ttf',5242880,1000,1,'0 3 * * *','');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_cron_run` (
  `key` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `claimed_at` datetime(3) NOT NULL,
  PRIMARY KEY (`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_cron_run` (`key`, `claimed_at`) VALUES ('core:cron-claims@2026-11-22','2026-11-22 00:47:00.023');
INSERT INTO `SVC_cron_run` (`key`, `claimed_at`) VALUES ('core:event-retention@2026-11-22','2026-11-22 00:47:00.044');
INSERT INTO `SVC_cron_run` (`key`, `claimed_at`) VALUES ('core:node-drift@2026-11-22','2026-11-22 00:47:00.047');
INSERT INTO `SVC_cron_run` (`key`, `claimed_at`) VALUES ('core:store-images-sweep@2026-11-22','2026-11-22 00:47:00.030');
INSERT INTO `SVC_cron_run` (`key`, `claimed_at`) VALUES ('core:store-refusals-sweep@2026-11-22','2026-11-22 00:47:00.025');
INSERT INTO `SVC_cron_run` (`key`, `claimed_at`) VALUES ('tick:2026-11-22T00:47','2026-11-22 00:47:00.002');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_dd` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `ddh` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `user` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `rmb` decimal(12,2) NOT NULL,
  `ff` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `scene` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `qk` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'unpaid',
  `cs` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `access_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `date` datetime(3) NOT NULL,
  `paid_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_dd_ddh` (`ddh`),
  KEY `IX_SVC_dd_scene` (`scene`,`id`),
  KEY `IX_SVC_dd_qk` (`qk`,`id`),
  KEY `IX_SVC_dd_user` (`user`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_dd` (`id`, `ddh`, `user`, `name`, `rmb`, `ff`, `scene`, `qk`, `cs`, `access_key`, `ip`, `date`, `paid_at`) VALUES (1,'20261122084655045385','kept-buyer','Starter（1 个月）',9.90,'sandbox__test','hosting','paid','{\"plan_id\":1,\"months\":1,\"username\":\"kept-buyer\",\"done_url\":\"/shop/status/99765666841f24286707f216885ae05f\"}','PDrRCwoPYTX78yHp6pkj58NDodi8xopG','127.0.0.1','2026-11-22 00:46:55.699','2026-11-22 00:46:55.866');
INSERT INTO `SVC_dd` (`id`, `ddh`, `user`, `name`, `rmb`, `ff`, `scene`, `qk`, `cs`, `access_key`, `ip`, `date`, `paid_at`) VALUES (2,'20261122084656811659','kept-waiting','Starter（1 个月）',9.90,'sandbox__test','hosting','unpaid','{\"plan_id\":1,\"months\":1,\"username\":\"kept-waiting\",\"done_url\":\"/shop/status/ef16d42a7026aa7b424f0ac103e792d5\"}','Mgbq5OPpF9MCuK4rHCCK_kI7Ov3Rn8gy','127.0.0.1','2026-11-22 00:46:56.537',NULL);
INSERT INTO `SVC_dd` (`id`, `ddh`, `user`, `name`, `rmb`, `ff`, `scene`, `qk`, `cs`, `access_key`, `ip`, `date`, `paid_at`) VALUES (3,'20261122084656434334','kept-later','Before the account',5.00,'sandbox__test','recharge','unpaid','{}','lCjqwYi24_I5xFVspCoUQGvSA4tYTbeO','127.0.0.1','2026-11-22 00:46:56.727',NULL);
INSERT INTO `SVC_dd` (`id`, `ddh`, `user`, `name`, `rmb`, `ff`, `scene`, `qk`, `cs`, `access_key`, `ip`, `date`, `paid_at`) VALUES (4,'20261122084700992023','kept-later','After the account',6.00,'sandbox__test','recharge','unpaid','{}','ZNHQ4Qhv-EZQsaikQk5c0HULIf28E4xv','127.0.0.1','2026-11-22 00:47:00.353',NULL);
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_docker_node` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `btip` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `btdk` int(11) NOT NULL DEFAULT 8888,
  `ptl` tinyint(4) NOT NULL DEFAULT 0,
  `btmy` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ktmy` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `qmk` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `qk` tinyint(4) NOT NULL DEFAULT 1,
  `date` datetime(3) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_docker_order` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `plan_id` int(11) NOT NULL,
  `rmb` decimal(12,2) NOT NULL,
  `qk` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'unpaid',
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_docker_order_username` (`username`,`id`),
  KEY `FK_SVC_docker_order_plan` (`plan_id`),
  CONSTRAINT `FK_SVC_docker_order_plan` FOREIGN KEY (`plan_id`) REFERENCES `SVC_docker_plan` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_docker_plan` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `jc` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `cpu_max` int(11) NOT NULL DEFAULT 1,
  `mem_max` int(11) NOT NULL DEFAULT 512,
  `disk_max` int(11) NOT NULL DEFAULT 0,
  `proxy_max` int(11) NOT NULL DEFAULT 0,
  `jg` decimal(12,2) NOT NULL DEFAULT 0.00,
  `qk` tinyint(4) NOT NULL DEFAULT 1,
  `date` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_docker_plan_qk` (`qk`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_docker_user` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `username_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `password_hash` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `ssbt` int(11) NOT NULL,
  `plan_id` int(11) DEFAULT NULL,
  `qk` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'active',
  `datae` date DEFAULT NULL,
  `container_id` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `service_name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `app_name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `container_spec` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `container_status` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'none',
  `disk_usage` bigint(20) NOT NULL DEFAULT 0,
  `disk_usage_at` datetime(3) DEFAULT NULL,
  `expired_at` datetime(3) DEFAULT NULL,
  `prune_due` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_docker_user_username_key` (`username_key`),
  KEY `IX_SVC_docker_user_qk` (`qk`,`id`),
  KEY `IX_SVC_docker_user_ssbt` (`ssbt`,`id`),
  KEY `FK_SVC_docker_user_plan` (`plan_id`),
  CONSTRAINT `FK_SVC_docker_user_node` FOREIGN KEY (`ssbt`) REFERENCES `SVC_docker_node` (`id`),
  CONSTRAINT `FK_SVC_docker_user_plan` FOREIGN KEY (`plan_id`) REFERENCES `SVC_docker_plan` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_event` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `hook` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `subject` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `source` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `args` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `row` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_event_created` (`created_at`),
  KEY `IX_SVC_event_subject` (`subject`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=8 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (1,'order.paid','order:1','sandbox','[{\"id\":1,\"out_trade_no\":\"20261122084655045385\",\"ddh\":\"20261122084655045385\",\"name\":\"Starter（1 个月）\",\"money\":\"9.90\",\"amount\":990,\"type\":\"sandbox__test\",\"scene\":\"hosting\",\"user\":\"kept-buyer\",\"siteurl\":\"http://127.0.0.1:39259\",\"notify_url\":\"http://127.0.0.1:39259/pay/sandbox/notify\",\"return_url\":\"http://127.0.0.1:39259/pay/sandbox/return\",\"context\":{\"plan_id\":1,\"months\":1,\"username\":\"kept-buyer\",\"done_url\":\"/shop/status/99765666841f24286707f216885ae05f\"}}]','{\"id\":1,\"ddh\":\"20261122084655045385\",\"user\":\"kept-buyer\",\"name\":\"Starter（1 个月）\",\"rmb\":\"9.90\",\"ff\":\"sandbox__test\",\"scene\":\"hosting\",\"qk\":\"paid\",\"cs\":{\"plan_id\":1,\"months\":1,\"username\":\"kept-buyer\",\"done_url\":\"/shop/status/99765666841f24286707f216885ae05f\"},\"ip\":\"127.0.0.1\",\"date\":\"2026-11-22T00:46:55.699Z\",\"paid_at\":\"2026-11-22T00:46:55.866Z\",\"gateway\":\"sandbox\",\"trade_no\":\"SB20261122084655045385\"}','2026-11-22 00:46:55.872');
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (2,'host.created','host:1','hosting_shop','[\"kept-buyer\",1,\"local\"]','{\"id\":\"1\",\"user\":\"kept-buyer\",\"ssbt\":\"local\",\"btid\":\"0e2f599d7acb7d42\",\"sqldz\":\"svc.892f67ebf4be40fd\",\"data\":\"2026-11-22 08:46:56\",\"datae\":\"2026-12-22\",\"qk\":\"true\",\"zjzt\":\"active\",\"ztyy\":\"\",\"wzqk\":\"true\",\"hxa\":\"{\\\"max\\\":1024,\\\"dq\\\":0}\",\"hxb\":\"{\\\"max\\\":256,\\\"dq\\\":0}\",\"hxc\":\"2\",\"llmax\":\"{\\\"max\\\":0,\\\"dq\\\":0,\\\"statistics\\\":false,\\\"history\\\":{}}\",\"ymbds\":\"5\",\"mailuser\":\"\",\"url\":\"http://kept-buyer.localhost:36863/\"}','2026-11-22 00:46:56.341');
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (3,'host.created','host:2','admin','[\"kept-later\",2,\"local\"]','{\"id\":\"2\",\"user\":\"kept-later\",\"ssbt\":\"local\",\"btid\":\"b8eabe6e456b9813\",\"sqldz\":\"svc.77e26af881409f36\",\"data\":\"2026-11-22 08:46:58\",\"datae\":\"0000-00-00\",\"qk\":\"true\",\"zjzt\":\"active\",\"ztyy\":\"\",\"wzqk\":\"true\",\"hxa\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxb\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxc\":\"2\",\"llmax\":\"{\\\"max\\\":0,\\\"dq\\\":0,\\\"statistics\\\":false,\\\"history\\\":{}}\",\"ymbds\":\"0\",\"mailuser\":\"\",\"url\":\"http://kept-later.localhost:36863/\"}','2026-11-22 00:46:58.258');
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (4,'host.created','host:3','admin','[\"kept-paused\",3,\"local\"]','{\"id\":\"3\",\"user\":\"kept-paused\",\"ssbt\":\"local\",\"btid\":\"f358f75b005d46b0\",\"sqldz\":\"svc.f4d1e20a0184485b\",\"data\":\"2026-11-22 08:46:58\",\"datae\":\"0000-00-00\",\"qk\":\"true\",\"zjzt\":\"active\",\"ztyy\":\"\",\"wzqk\":\"true\",\"hxa\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxb\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxc\":\"2\",\"llmax\":\"{\\\"max\\\":0,\\\"dq\\\":0,\\\"statistics\\\":false,\\\"history\\\":{}}\",\"ymbds\":\"0\",\"mailuser\":\"\",\"url\":\"http://kept-paused.localhost:36863/\"}','2026-11-22 00:46:58.608');
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (5,'host.created','host:4','admin','[\"kept-expired\",4,\"local\"]','{\"id\":\"4\",\"user\":\"kept-expired\",\"ssbt\":\"local\",\"btid\":\"70fe41827dc3663e\",\"sqldz\":\"svc.f422bec6cf4813e8\",\"data\":\"2026-11-22 08:46:59\",\"datae\":\"0000-00-00\",\"qk\":\"true\",\"zjzt\":\"active\",\"ztyy\":\"\",\"wzqk\":\"true\",\"hxa\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxb\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxc\":\"2\",\"llmax\":\"{\\\"max\\\":0,\\\"dq\\\":0,\\\"statistics\\\":false,\\\"history\\\":{}}\",\"ymbds\":\"0\",\"mailuser\":\"\",\"url\":\"http://kept-expired.localhost:36863/\"}','2026-11-22 00:46:59.207');
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (6,'host.paused','host:3','admin','[\"kept-paused\",3]','{\"id\":\"3\",\"user\":\"kept-paused\",\"ssbt\":\"local\",\"btid\":\"f358f75b005d46b0\",\"sqldz\":\"svc.f4d1e20a0184485b\",\"data\":\"2026-11-22 08:46:58\",\"datae\":\"0000-00-00\",\"qk\":\"true\",\"zjzt\":\"active\",\"ztyy\":\"\",\"wzqk\":\"true\",\"hxa\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxb\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxc\":\"2\",\"llmax\":\"{\\\"max\\\":0,\\\"dq\\\":0,\\\"statistics\\\":false,\\\"history\\\":{}}\",\"ymbds\":\"0\",\"mailuser\":\"\",\"url\":\"http://kept-paused.localhost:36863/\"}','2026-11-22 00:47:00.509');
INSERT INTO `SVC_event` (`id`, `hook`, `subject`, `source`, `args`, `row`, `created_at`) VALUES (7,'host.renewed','host:4','admin','[\"kept-expired\",4,\"2020-01-01\"]','{\"id\":\"4\",\"user\":\"kept-expired\",\"ssbt\":\"local\",\"btid\":\"70fe41827dc3663e\",\"sqldz\":\"svc.f422bec6cf4813e8\",\"data\":\"2026-11-22 08:46:59\",\"datae\":\"2020-01-01\",\"qk\":\"true\",\"zjzt\":\"active\",\"ztyy\":\"\",\"wzqk\":\"true\",\"hxa\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxb\":\"{\\\"max\\\":0,\\\"dq\\\":0}\",\"hxc\":\"2\",\"llmax\":\"{\\\"max\\\":0,\\\"dq\\\":0,\\\"statistics\\\":false,\\\"history\\\":{}}\",\"ymbds\":\"0\",\"mailuser\":\"\",\"url\":\"http://kept-expired.localhost:36863/\",\"old_date\":\"0000-00-00\",\"new_date\":\"2020-01-01\"}','2026-11-22 00:47:00.813');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_event_delivery` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `event_id` int(11) NOT NULL,
  `listener_key` varchar(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `subject` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `priority` int(11) NOT NULL,
  `state` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `attempts` int(11) NOT NULL DEFAULT 0,
  `due_at` datetime(3) NOT NULL,
  `claimed_by` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `last_error` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `finished_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_event_delivery` (`event_id`,`listener_key`),
  KEY `IX_SVC_event_delivery_order` (`listener_key`,`subject`,`state`,`event_id`),
  KEY `IX_SVC_event_delivery_due` (`listener_key`,`state`,`due_at`),
  KEY `IX_SVC_event_delivery_state` (`state`,`due_at`,`id`),
  CONSTRAINT `FK_SVC_event_delivery_event` FOREIGN KEY (`event_id`) REFERENCES `SVC_event` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_event_delivery` (`id`, `event_id`, `listener_key`, `subject`, `priority`, `state`, `attempts`, `due_at`, `claimed_by`, `last_error`, `finished_at`) VALUES (1,1,'hosting_shop:order.paid:provision','order:1',20,'done',1,'2026-11-22 00:46:56.364',NULL,NULL,'2026-11-22 00:46:56.364');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_event_listener` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `key` varchar(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `owner` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `hook` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `priority` int(11) NOT NULL,
  `active` tinyint(4) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_event_listener_key` (`key`),
  KEY `IX_SVC_event_listener_hook` (`hook`,`active`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_event_listener` (`id`, `key`, `owner`, `hook`, `priority`, `active`) VALUES (1,'hosting_shop:order.paid:provision','hosting_shop','order.paid',20,1);
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_forbidden_match` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `scan_id` int(11) NOT NULL,
  `match_type` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'file',
  `file` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `line_no` int(11) NOT NULL DEFAULT 0,
  `keyword` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `excerpt` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY `IX_SVC_forbidden_match_scan` (`scan_id`,`id`),
  CONSTRAINT `FK_SVC_forbidden_match_scan` FOREIGN KEY (`scan_id`) REFERENCES `SVC_forbidden_scan` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_forbidden_scan` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `node_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `task_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `status` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'success',
  `site` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `scanned_files` int(11) NOT NULL DEFAULT 0,
  `scanned_rows` int(11) NOT NULL DEFAULT 0,
  `matches_count` int(11) NOT NULL DEFAULT 0,
  `summary` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_forbidden_scan_task` (`task_id`,`node_id`),
  KEY `IX_SVC_forbidden_scan_created` (`created_at`,`id`),
  KEY `IX_SVC_forbidden_scan_node` (`node_id`,`id`),
  KEY `IX_SVC_forbidden_scan_status` (`status`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_generation` (
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `value` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_generation` (`name`, `value`) VALUES ('plugins',4);
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_log` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `czuser` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `date` datetime(3) NOT NULL,
  `lx` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `lr` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `qk` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_log_date` (`date`),
  KEY `IX_SVC_log_category` (`lx`,`id`),
  KEY `IX_SVC_log_actor` (`czuser`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (1,'admin','2026-11-22 00:46:54.095','登陆','admin','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (2,'admin','2026-11-22 00:46:54.529','plugin_install','安装插件 sandbox','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (3,'admin','2026-11-22 00:46:54.915','plugin_enable','启用或禁用插件 sandbox：true','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (4,'admin','2026-11-22 00:46:55.069','plugin_install','安装插件 hosting_shop','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (5,'admin','2026-11-22 00:46:55.560','plugin_enable','启用或禁用插件 hosting_shop：true','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (6,'支付回调','2026-11-22 00:46:55.876','支付回调','20261122084655045385 sandbox 支付成功','127.0.0.1','处理成功\n{\"trade_no\":\"SB20261122084655045385\",\"money\":\"9.90\",\"raw\":{\"out_trade_no\":\"20261122084655045385\",\"trade_no\":\"SB20261122084655045385\",\"money\":\"9.90\",\"trade_status\":\"TRADE_SUCCESS\",\"sign\":\"80cb34edbccc73ae3c5dd17ed9b4dd614084e47df3f53697f5dd7fb186bb83da\"}}');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (7,'admin','2026-11-22 00:46:56.737','adddd','手动添加订单：kept-later，Before the account，5.00 元','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (8,'admin','2026-11-22 00:46:58.276','addzj','在节点 local 添加主机 kept-later','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (9,'admin','2026-11-22 00:46:58.652','addzj','在节点 local 添加主机 kept-paused','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (10,'admin','2026-11-22 00:46:59.211','addzj','在节点 local 添加主机 kept-expired','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (11,'admin','2026-11-22 00:47:00.368','adddd','手动添加订单：kept-later，After the account，6.00 元','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (12,'admin','2026-11-22 00:47:00.524','zjzt','暂停主机 kept-paused','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (13,'admin','2026-11-22 00:47:00.835','zjxf','主机 kept-expired 的到期时间改为 2020-01-01','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (14,'admin','2026-11-22 00:47:00.890','addnode','新增节点 kept-agent （服务器 1）','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (15,'kept-buyer','2026-11-22 00:47:01.252','登陆','user','127.0.0.1','ok');
INSERT INTO `SVC_log` (`id`, `czuser`, `date`, `lx`, `lr`, `ip`, `qk`) VALUES (16,'kept-buyer','2026-11-22 00:47:01.515','登陆','user','127.0.0.1','用户不存在或密码错误！');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_login_link` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `token_hash` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `zj_id` int(11) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_login_link_token_hash` (`token_hash`),
  KEY `IX_SVC_login_link_expires` (`expires_at`),
  KEY `IX_SVC_login_link_zj` (`zj_id`),
  CONSTRAINT `FK_SVC_login_link_zj` FOREIGN KEY (`zj_id`) REFERENCES `SVC_zj` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_migration` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `timestamp` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_migration` (`id`, `timestamp`, `name`) VALUES (1,1795219200000,'InitialSchema1795219200000');
INSERT INTO `SVC_migration` (`id`, `timestamp`, `name`) VALUES (2,1795219300000,'Store1795219300000');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_monitor_log` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `task_id` int(11) NOT NULL,
  `user` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `url` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `status_code` int(11) DEFAULT NULL,
  `response_time` int(11) DEFAULT NULL,
  `check_status` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `error_message` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `response_excerpt` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `notified` tinyint(4) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_monitor_log_user` (`user`,`id`),
  KEY `IX_SVC_monitor_log_task` (`task_id`,`id`),
  CONSTRAINT `FK_SVC_monitor_log_task` FOREIGN KEY (`task_id`) REFERENCES `SVC_monitor_task` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_monitor_task` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `user` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `name` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `task_type` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'url',
  `url` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `resource_type` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `resource_threshold` int(11) NOT NULL DEFAULT 80,
  `method` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'GET',
  `interval_seconds` int(11) NOT NULL DEFAULT 60,
  `timeout_seconds` int(11) NOT NULL DEFAULT 10,
  `status_rule` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'eq',
  `status_value` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '200',
  `content_rule` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'none',
  `content_value` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `fail_threshold` int(11) NOT NULL DEFAULT 1,
  `notify_email` tinyint(4) NOT NULL DEFAULT 1,
  `enabled` tinyint(4) NOT NULL DEFAULT 1,
  `last_run` datetime(3) DEFAULT NULL,
  `next_run` datetime(3) DEFAULT NULL,
  `last_status` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `last_code` int(11) DEFAULT NULL,
  `last_error` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `fail_count` int(11) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_monitor_task_due` (`enabled`,`next_run`),
  KEY `IX_SVC_monitor_task_user` (`user`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_node` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `node_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `node_secret` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `platform_secret` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `previous_secret` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `previous_platform_secret` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `previous_until` datetime(3) DEFAULT NULL,
  `node_name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `bt_id` int(11) DEFAULT NULL,
  `enabled` tinyint(4) NOT NULL DEFAULT 1,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `status` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'offline',
  `load` double DEFAULT NULL,
  `version` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `capabilities` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `last_heartbeat` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_node_node_id` (`node_id`),
  KEY `IX_SVC_node_bt_id` (`bt_id`),
  CONSTRAINT `FK_SVC_node_bt_id` FOREIGN KEY (`bt_id`) REFERENCES `SVC_bt` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_node` (`id`, `node_id`, `node_secret`, `platform_secret`, `previous_secret`, `previous_platform_secret`, `previous_until`, `node_name`, `bt_id`, `enabled`, `ip`, `status`, `load`, `version`, `capabilities`, `last_heartbeat`, `created_at`, `updated_at`) VALUES (1,'kept-agent','75aea9c0315e3758dfb69ccd27f67486d13ab9420b07da67287a2e653ab21668','02df971152cae73b1df522f6a16e617b055c9e0473e2104e','','',NULL,'local',1,1,'','offline',NULL,'','[]',NULL,'2026-11-22 00:47:00.876','2026-11-22 00:47:00.876');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_node_nonce` (
  `node_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `nonce` varchar(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  PRIMARY KEY (`node_id`,`nonce`),
  KEY `IX_SVC_node_nonce_expires` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_node_task` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `task_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `node_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `action` varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `payload` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `status` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'pending',
  `result` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `error` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `attempts` int(11) NOT NULL DEFAULT 0,
  `lease_until` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `pulled_at` datetime(3) DEFAULT NULL,
  `finished_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_node_task_task_id` (`task_id`),
  KEY `IX_SVC_node_task_lease` (`status`,`lease_until`),
  KEY `IX_SVC_node_task_node` (`node_id`,`id`),
  KEY `IX_SVC_node_task_status` (`status`,`id`),
  KEY `IX_SVC_node_task_queue` (`node_id`,`status`,`id`),
  CONSTRAINT `FK_SVC_node_task_node` FOREIGN KEY (`node_id`) REFERENCES `SVC_node` (`node_id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_notice_log` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `user` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `type` varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `level` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'info',
  `title` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `content` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `is_read` tinyint(4) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_notice_log_user` (`user`,`is_read`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_payment_transaction` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `order_id` int(11) NOT NULL,
  `gateway` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `trade_no` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `amount` decimal(12,2) NOT NULL,
  `amount_checked` tinyint(4) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_payment_transaction_trade` (`gateway`,`trade_no`),
  UNIQUE KEY `UQ_SVC_payment_transaction_order` (`order_id`),
  CONSTRAINT `FK_SVC_payment_transaction_order` FOREIGN KEY (`order_id`) REFERENCES `SVC_dd` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_payment_transaction` (`id`, `order_id`, `gateway`, `trade_no`, `amount`, `amount_checked`, `created_at`) VALUES (1,1,'sandbox','SB20261122084655045385',9.90,1,'2026-11-22 00:46:55.866');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_plg_hosting_shop_plan` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `description` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `node` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `web_mb` int(11) NOT NULL DEFAULT 1024,
  `database_mb` int(11) NOT NULL DEFAULT 256,
  `traffic_gb` int(11) NOT NULL DEFAULT 0,
  `domains` int(11) NOT NULL DEFAULT 5,
  `price_month` bigint(20) NOT NULL DEFAULT 0,
  `active` tinyint(4) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  KEY `IX_hosting_shop_plan_active_id` (`active`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_plg_hosting_shop_plan` (`id`, `name`, `description`, `node`, `web_mb`, `database_mb`, `traffic_gb`, `domains`, `price_month`, `active`) VALUES (1,'Starter','For a first site','local',1024,256,0,5,990,1);
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_plg_hosting_shop_purchase` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `order_no` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `plan_id` int(11) NOT NULL,
  `months` int(11) NOT NULL,
  `username` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sealed_password` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `view_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `state` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'pending',
  `host_id` int(11) DEFAULT NULL,
  `remark` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `IX_hosting_shop_purchase_order_no` (`order_no`),
  UNIQUE KEY `IX_hosting_shop_purchase_view_key` (`view_key`),
  KEY `IX_hosting_shop_purchase_state_id` (`state`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_plg_hosting_shop_purchase` (`id`, `order_no`, `plan_id`, `months`, `username`, `sealed_password`, `view_key`, `state`, `host_id`, `remark`) VALUES (1,'20261122084655045385',1,1,'kept-buyer',NULL,'99765666841f24286707f216885ae05f','opened',1,'');
INSERT INTO `SVC_plg_hosting_shop_purchase` (`id`, `order_no`, `plan_id`, `months`, `username`, `sealed_password`, `view_key`, `state`, `host_id`, `remark`) VALUES (2,'20261122084656811659',1,1,'kept-waiting','ulIkvLBbkArMEzEUnkvJgrVov5eh1oPKQM0IsD50vF1Jgi1rQhPpLmlG9EaYO92P','ef16d42a7026aa7b424f0ac103e792d5','pending',NULL,'');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_plugin` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `slug` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `slug_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `name` varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `version` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '0.0.0',
  `enabled` tinyint(4) NOT NULL DEFAULT 0,
  `installed_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_plugin_slug_key` (`slug_key`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_plugin` (`id`, `slug`, `slug_key`, `name`, `version`, `enabled`, `installed_at`, `updated_at`) VALUES (1,'sandbox','sandbox','沙箱支付 Sandbox','1.0.0',1,'2026-11-22 00:46:54.460','2026-11-22 00:46:54.800');
INSERT INTO `SVC_plugin` (`id`, `slug`, `slug_key`, `name`, `version`, `enabled`, `installed_at`, `updated_at`) VALUES (2,'hosting_shop','hosting_shop','主机商店 Hosting shop','1.0.0',1,'2026-11-22 00:46:55.025','2026-11-22 00:46:55.507');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_plugin_migration` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `slug` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `step` varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `tables` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `applied_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_plugin_migration` (`slug`,`step`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_plugin_migration` (`id`, `slug`, `step`, `tables`, `applied_at`) VALUES (1,'hosting_shop','001_plans_and_orders','[\"SVC_plg_hosting_shop_plan\",\"SVC_plg_hosting_shop_purchase\"]','2026-11-22 00:46:55.340');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_plugin_option` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `slug` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `key` varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `value` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_plugin_option` (`slug`,`key`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_plugin_option` (`id`, `slug`, `key`, `value`) VALUES (1,'sandbox','signing_key','7c669d58a1111bd7a7155fac51b3e904de5af48871ca218187ba3c61d6b86edf');
INSERT INTO `SVC_plugin_option` (`id`, `slug`, `key`, `value`) VALUES (2,'hosting_shop','sealing_key','c6923fa6a19ac4129900e3c47bfba45ce9a03388cdf3624c908e8032c0215a03');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_plugin_user` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `username_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `password_hash` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `qq` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `status` int(11) NOT NULL DEFAULT 1,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_plugin_user_username_key` (`username_key`),
  KEY `IX_SVC_plugin_user_email` (`email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_rate_limit` (
  `key` varchar(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `count` int(11) NOT NULL,
  `resets_at` datetime(3) NOT NULL,
  PRIMARY KEY (`key`),
  KEY `IX_SVC_rate_limit_resets` (`resets_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_session` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `token_hash` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `scope` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `subject_id` int(11) NOT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `user_agent` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `created_at` datetime(3) NOT NULL,
  `seen_at` datetime(3) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_session_token_hash` (`token_hash`),
  KEY `IX_SVC_session_expires` (`expires_at`),
  KEY `IX_SVC_session_subject` (`scope`,`subject_id`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_session` (`id`, `token_hash`, `scope`, `subject_id`, `ip`, `user_agent`, `created_at`, `seen_at`, `expires_at`) VALUES (1,'09f4e98d6683d8d1ae73aa9f879e360adc48ca3de1cb5332c0ecd0583621f043','admin',1,'127.0.0.1','node','2026-11-22 00:46:54.030','2026-11-22 00:46:54.030','2026-11-29 00:46:54.030');
INSERT INTO `SVC_session` (`id`, `token_hash`, `scope`, `subject_id`, `ip`, `user_agent`, `created_at`, `seen_at`, `expires_at`) VALUES (2,'5998d574897fda7c729e23007f23b669536b378ab71d85edda86cb97b8a3cfe1','user',1,'127.0.0.1','node','2026-11-22 00:47:01.225','2026-11-22 00:47:01.225','2026-11-29 00:47:01.225');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_audit` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `actor_id` int(11) NOT NULL,
  `actor_name` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `action` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `subject` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `subject_id` int(11) NOT NULL,
  `detail` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_store_audit_subject` (`subject`,`subject_id`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_audit` (`id`, `actor_id`, `actor_name`, `action`, `subject`, `subject_id`, `detail`, `ip`, `created_at`) VALUES (1,1,'admin','item.approve','item',1,'{\"from\":\"pending\",\"version\":\"1.0.0\",\"msg\":\"\"}','127.0.0.1','2026-11-22 00:47:04.423');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_blocked_digest` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `sha256` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `reason` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `created_by` int(11) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_blocked_digest` (`sha256`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_blocked_notice` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `version_id` int(11) NOT NULL,
  `user_id` int(11) NOT NULL,
  `sha256` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_blocked_notice` (`version_id`,`user_id`,`sha256`),
  CONSTRAINT `FK_SVC_store_blocked_notice_version` FOREIGN KEY (`version_id`) REFERENCES `SVC_store_version` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_download` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `item_id` int(11) NOT NULL,
  `version` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `user_id` int(11) DEFAULT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_store_download_created` (`created_at`),
  KEY `IX_SVC_store_download_item` (`item_id`,`id`),
  CONSTRAINT `FK_SVC_store_download_item` FOREIGN KEY (`item_id`) REFERENCES `SVC_store_item` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_download_day` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `item_id` int(11) NOT NULL,
  `version` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `day` date NOT NULL,
  `downloads` bigint(20) NOT NULL DEFAULT 0,
  `visitors` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_download_day` (`item_id`,`version`,`day`),
  KEY `IX_SVC_store_download_day_day` (`day`),
  CONSTRAINT `FK_SVC_store_download_day_item` FOREIGN KEY (`item_id`) REFERENCES `SVC_store_item` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_edit_request` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `item_id` int(11) NOT NULL,
  `field` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `old_value` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `new_value` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `status` varchar(12) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'pending',
  `review_msg` varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `created_at` datetime(3) NOT NULL,
  `decided_at` datetime(3) DEFAULT NULL,
  `decided_by` int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_store_edit_request_item` (`item_id`,`field`,`status`),
  KEY `IX_SVC_store_edit_request_status` (`status`,`id`),
  CONSTRAINT `FK_SVC_store_edit_request_item` FOREIGN KEY (`item_id`) REFERENCES `SVC_store_item` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_finding` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `version_id` int(11) NOT NULL,
  `rule` varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `severity` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `file` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `line` int(11) DEFAULT NULL,
  `excerpt` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `text` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_store_finding_version` (`version_id`,`id`),
  CONSTRAINT `FK_SVC_store_finding_version` FOREIGN KEY (`version_id`) REFERENCES `SVC_store_version` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_image` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `user_id` int(11) NOT NULL,
  `size` int(11) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_image_name` (`name`),
  KEY `IX_SVC_store_image_created` (`created_at`,`size`),
  KEY `IX_SVC_store_image_user` (`user_id`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_item` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `type` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `slug` varchar(63) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `slug_key` varchar(63) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `version` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `author_id` int(11) NOT NULL,
  `author_name` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `price` decimal(12,2) NOT NULL DEFAULT 0.00,
  `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `main_image` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `screenshots` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sha256` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `zip_size` int(11) NOT NULL,
  `downloads` int(11) NOT NULL DEFAULT 0,
  `status` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'pending',
  `review_msg` varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `requires_svc` varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `category` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `tags` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `homepage` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_item_slug` (`type`,`slug_key`),
  KEY `IX_SVC_store_item_updated` (`updated_at`,`id`),
  KEY `IX_SVC_store_item_published` (`status`,`updated_at`,`id`),
  KEY `IX_SVC_store_item_status` (`status`,`id`),
  KEY `IX_SVC_store_item_kind` (`type`,`id`),
  KEY `IX_SVC_store_item_kind_status` (`type`,`status`,`id`),
  KEY `IX_SVC_store_item_author` (`author_id`,`id`),
  KEY `IX_SVC_store_item_price` (`status`,`price`,`id`),
  KEY `IX_SVC_store_item_downloads` (`status`,`downloads`,`id`),
  KEY `IX_SVC_store_item_category` (`status`,`category`,`created_at`,`id`),
  KEY `IX_SVC_store_item_type` (`status`,`type`,`created_at`,`id`),
  KEY `IX_SVC_store_item_newest` (`status`,`created_at`,`id`),
  CONSTRAINT `FK_SVC_store_item_author` FOREIGN KEY (`author_id`) REFERENCES `SVC_store_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_item` (`id`, `type`, `slug`, `slug_key`, `name`, `version`, `author_id`, `author_name`, `price`, `description`, `main_image`, `screenshots`, `sha256`, `zip_size`, `downloads`, `status`, `review_msg`, `requires_svc`, `category`, `tags`, `homepage`, `created_at`, `updated_at`) VALUES (1,'plugin','kept-plugin','kept-plugin','kept-plugin','1.0.0',2,'kept-author',12.50,'<p>What it does</p>','','[]','4bc52a6f728b0fb9162d0f0f7427a34ad63b4dac55bf9332dc142674fb9918fa',353,0,'approved','','','','[\"kept\"]','','2026-11-22 00:47:03.366','2026-11-22 00:47:04.502');
INSERT INTO `SVC_store_item` (`id`, `type`, `slug`, `slug_key`, `name`, `version`, `author_id`, `author_name`, `price`, `description`, `main_image`, `screenshots`, `sha256`, `zip_size`, `downloads`, `status`, `review_msg`, `requires_svc`, `category`, `tags`, `homepage`, `created_at`, `updated_at`) VALUES (2,'plugin','kept-free','kept-free','kept-free','1.0.0',2,'kept-author',0.00,'<p>What it does</p>','','[]','ca51e06a24e1b77ea963705f6ef7650ae92fd453d3fc8abf9cabaca46e7df4f0',343,0,'pending','','','','[]','','2026-11-22 00:47:04.764','2026-11-22 00:47:04.764');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_refusal_day` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `day` date NOT NULL,
  `rule` varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `refusals` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_refusal_day` (`day`,`rule`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_report` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `item_id` int(11) NOT NULL,
  `reason` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `text` varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `reporter_id` int(11) DEFAULT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `status` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'open',
  `created_at` datetime(3) NOT NULL,
  `closed_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_store_report_item` (`item_id`,`id`),
  KEY `IX_SVC_store_report_status` (`status`,`id`),
  CONSTRAINT `FK_SVC_store_report_item` FOREIGN KEY (`item_id`) REFERENCES `SVC_store_item` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_session` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `token_hash` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `user_id` int(11) NOT NULL,
  `ip` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `user_agent` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `created_at` datetime(3) NOT NULL,
  `seen_at` datetime(3) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_session_token_hash` (`token_hash`),
  KEY `IX_SVC_store_session_expires` (`expires_at`),
  KEY `IX_SVC_store_session_user` (`user_id`,`id`),
  CONSTRAINT `FK_SVC_store_session_user` FOREIGN KEY (`user_id`) REFERENCES `SVC_store_user` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_session` (`id`, `token_hash`, `user_id`, `ip`, `user_agent`, `created_at`, `seen_at`, `expires_at`) VALUES (1,'e2bb90527e5ed0d206a3cdde5e78238b7e9cf09d7aa5d289beada63c0b77d2d8',2,'127.0.0.1','node','2026-11-22 00:47:01.949','2026-11-22 00:47:01.949','2026-11-23 00:47:01.949');
INSERT INTO `SVC_store_session` (`id`, `token_hash`, `user_id`, `ip`, `user_agent`, `created_at`, `seen_at`, `expires_at`) VALUES (2,'349eb36e1b743fa3e37856bec29ee0bdc33bc70df1d74722d05e7401e0f8bc8f',3,'127.0.0.1','node','2026-11-22 00:47:02.456','2026-11-22 00:47:02.456','2026-11-23 00:47:02.456');
INSERT INTO `SVC_store_session` (`id`, `token_hash`, `user_id`, `ip`, `user_agent`, `created_at`, `seen_at`, `expires_at`) VALUES (3,'28cf735f6e4a892c3483eb1d4ccb8997baefccb2936302102d87c4731742bb7a',4,'127.0.0.1','node','2026-11-22 00:47:02.752','2026-11-22 00:47:02.752','2026-11-23 00:47:02.752');
INSERT INTO `SVC_store_session` (`id`, `token_hash`, `user_id`, `ip`, `user_agent`, `created_at`, `seen_at`, `expires_at`) VALUES (4,'754524756895a96df5ccaa5aa14f97ef230071d92455ebad85f396455c6d491d',1,'127.0.0.1','node','2026-11-22 00:47:04.031','2026-11-22 00:47:04.031','2026-11-23 00:47:04.031');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_slug_history` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `type` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `slug_key` varchar(63) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `author_id` int(11) NOT NULL,
  `versions` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `closed_at` datetime(3) DEFAULT NULL,
  `closed_reason` varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_slug_history` (`type`,`slug_key`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_slug_history` (`id`, `type`, `slug_key`, `author_id`, `versions`, `closed_at`, `closed_reason`) VALUES (1,'plugin','kept-plugin',2,'[\"1.0.0\",\"1.1.0\"]',NULL,'');
INSERT INTO `SVC_store_slug_history` (`id`, `type`, `slug_key`, `author_id`, `versions`, `closed_at`, `closed_reason`) VALUES (3,'plugin','kept-free',2,'[\"1.0.0\"]',NULL,'');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_token` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `user_id` int(11) NOT NULL,
  `name` varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `token_hash` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `scopes` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  `last_used_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_token_token_hash` (`token_hash`),
  KEY `IX_SVC_store_token_user` (`user_id`,`id`),
  CONSTRAINT `FK_SVC_store_token_user` FOREIGN KEY (`user_id`) REFERENCES `SVC_store_user` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_token` (`id`, `user_id`, `name`, `token_hash`, `scopes`, `expires_at`, `last_used_at`, `created_at`) VALUES (1,2,'kept token','571193b39bf53a1d62dfcc65e5874ea9d01553bd7bfd1156875781a65e2777cb','[\"read\"]','2027-02-20 00:47:04.787',NULL,'2026-11-22 00:47:04.787');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_user` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `username_key` varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `password_hash` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `has_default_password` tinyint(4) NOT NULL DEFAULT 0,
  `email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `email_key` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `role` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `avatar` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `bio` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `status` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'active',
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_user_email_key` (`email_key`),
  UNIQUE KEY `UQ_SVC_store_user_username_key` (`username_key`),
  KEY `IX_SVC_store_user_created` (`created_at`),
  KEY `IX_SVC_store_user_role` (`role`,`status`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_user` (`id`, `username`, `username_key`, `password_hash`, `has_default_password`, `email`, `email_key`, `role`, `avatar`, `bio`, `status`, `created_at`, `updated_at`) VALUES (1,'admin','admin','$2b$10$8cUenyLcD/ynOOEUYt6D2OdodDam8Ro27K3RqjnvvY87H87OGGRoa',0,'admin@localhost','admin@localhost','admin','','','active','2026-11-22 00:46:52.320','2026-11-22 00:46:52.320');
INSERT INTO `SVC_store_user` (`id`, `username`, `username_key`, `password_hash`, `has_default_password`, `email`, `email_key`, `role`, `avatar`, `bio`, `status`, `created_at`, `updated_at`) VALUES (2,'kept-author','kept-author','$2b$10$uprt4R9JVmt2FanOWs/i8eA3KZN00OD8zi/GadqPxFE9HmQFqFiWO',0,'kept-author@example.org','kept-author@example.org','developer','','','active','2026-11-22 00:47:01.936','2026-11-22 00:47:01.936');
INSERT INTO `SVC_store_user` (`id`, `username`, `username_key`, `password_hash`, `has_default_password`, `email`, `email_key`, `role`, `avatar`, `bio`, `status`, `created_at`, `updated_at`) VALUES (3,'kept-markup','kept-markup','$2b$10$GZC2IyXdxmjtRH1GNLoqbea0Q11himwiTsSqfBdCzuzOvnIiKcHKy',0,'\"<svg/onload=alert(1)>\"@x.example','\"<svg/onload=alert(1)>\"@x.example','developer','','I <b>write</b> <script>alert(1)</script> plugins','active','2026-11-22 00:47:02.448','2026-11-22 00:47:02.522');
INSERT INTO `SVC_store_user` (`id`, `username`, `username_key`, `password_hash`, `has_default_password`, `email`, `email_key`, `role`, `avatar`, `bio`, `status`, `created_at`, `updated_at`) VALUES (4,'kept-ɑuthor','kept-ɑuthor','$2b$10$AraSVtfuVw2LdNsy6t.Y5us05oi7Ra1yS5OZ6vdtYTsvdRX8nfo3O',0,'twin@example.org','twin@example.org','developer','','','active','2026-11-22 00:47:02.736','2026-11-22 00:47:02.736');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_version` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `item_id` int(11) NOT NULL,
  `version` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `version_key` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sha256` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `zip_size` int(11) NOT NULL,
  `changelog` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `status` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'pending',
  `review_msg` varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `manifest` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `requires_svc` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `signature` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `key_id` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `signed_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `decided_at` datetime(3) DEFAULT NULL,
  `decided_by` int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_version` (`item_id`,`version_key`),
  KEY `IX_SVC_store_version_sha256` (`sha256`,`zip_size`),
  KEY `IX_SVC_store_version_status` (`status`,`id`),
  KEY `IX_SVC_store_version_item` (`item_id`,`status`,`id`),
  CONSTRAINT `FK_SVC_store_version_item` FOREIGN KEY (`item_id`) REFERENCES `SVC_store_item` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_version` (`id`, `item_id`, `version`, `version_key`, `sha256`, `zip_size`, `changelog`, `status`, `review_msg`, `manifest`, `requires_svc`, `signature`, `key_id`, `signed_at`, `created_at`, `decided_at`, `decided_by`) VALUES (1,1,'1.0.0','1.0.0','4bc52a6f728b0fb9162d0f0f7427a34ad63b4dac55bf9332dc142674fb9918fa',353,'','approved','','{\"id\":\"kept-plugin\",\"name\":\"kept-plugin\",\"version\":\"1.0.0\"}','','tvd/WbGzeb1Qs5VyqNHIDzi2fLJyj10eQY3sAXRE80/dDKzQCFVNz844IaPwSmiJscJJD14X2BMo+lUoiIFzAg==','a8fc02a09dd8fe3c','2026-11-22 00:47:04.395','2026-11-22 00:47:03.366','2026-11-22 00:47:04.395',1);
INSERT INTO `SVC_store_version` (`id`, `item_id`, `version`, `version_key`, `sha256`, `zip_size`, `changelog`, `status`, `review_msg`, `manifest`, `requires_svc`, `signature`, `key_id`, `signed_at`, `created_at`, `decided_at`, `decided_by`) VALUES (2,1,'1.1.0','1.1.0','36a2556ee52331e22c3fecd6abacf4b10773e3a0971c8175fea3438232c18422',353,'New in 1.1.0','pending','','{\"id\":\"kept-plugin\",\"name\":\"kept-plugin\",\"version\":\"1.1.0\"}','','','',NULL,'2026-11-22 00:47:04.502',NULL,NULL);
INSERT INTO `SVC_store_version` (`id`, `item_id`, `version`, `version_key`, `sha256`, `zip_size`, `changelog`, `status`, `review_msg`, `manifest`, `requires_svc`, `signature`, `key_id`, `signed_at`, `created_at`, `decided_at`, `decided_by`) VALUES (3,2,'1.0.0','1.0.0','ca51e06a24e1b77ea963705f6ef7650ae92fd453d3fc8abf9cabaca46e7df4f0',343,'','pending','','{\"id\":\"kept-free\",\"name\":\"kept-free\",\"version\":\"1.0.0\"}','','','',NULL,'2026-11-22 00:47:04.764',NULL,NULL);
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_version_file` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `version_id` int(11) NOT NULL,
  `path` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sha256` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_store_version_file_version` (`version_id`,`id`),
  CONSTRAINT `FK_SVC_store_version_file_version` FOREIGN KEY (`version_id`) REFERENCES `SVC_store_version` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (1,1,'','4bc52a6f728b0fb9162d0f0f7427a34ad63b4dac55bf9332dc142674fb9918fa');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (2,1,'plugin.json','34c41353748d9abf661d4ee2f0341c75fbbd4e8bdd5b628f87d4695d544ca40c');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (3,1,'index.js','5d53749c65de106162a7a92eed93178e29fb83848ef29d85f703c9eb52ca64fa');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (4,2,'','36a2556ee52331e22c3fecd6abacf4b10773e3a0971c8175fea3438232c18422');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (5,2,'plugin.json','e87d88f4c849f06d2e48af72653dd4d4f8745cc9bebed8cd6a76e6bfa316955c');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (6,2,'index.js','5d53749c65de106162a7a92eed93178e29fb83848ef29d85f703c9eb52ca64fa');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (7,3,'','ca51e06a24e1b77ea963705f6ef7650ae92fd453d3fc8abf9cabaca46e7df4f0');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (8,3,'plugin.json','ff2703c762111049c59624f00a5a93022d7d9743cb9355945d35e0c9f101acaa');
INSERT INTO `SVC_store_version_file` (`id`, `version_id`, `path`, `sha256`) VALUES (9,3,'index.js','5d53749c65de106162a7a92eed93178e29fb83848ef29d85f703c9eb52ca64fa');
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_store_visitor_day` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `item_id` int(11) NOT NULL,
  `day` date NOT NULL,
  `visitor_hash` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_store_visitor_day` (`item_id`,`day`,`visitor_hash`),
  KEY `IX_SVC_store_visitor_day_day` (`day`),
  CONSTRAINT `FK_SVC_store_visitor_day_item` FOREIGN KEY (`item_id`) REFERENCES `SVC_store_item` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_ym` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `url` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `bt` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `jg` decimal(12,2) NOT NULL DEFAULT 0.00,
  `kg` tinyint(4) NOT NULL DEFAULT 1,
  `js` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `date` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `IX_SVC_ym_url` (`url`),
  KEY `IX_SVC_ym_bt` (`bt`,`id`),
  CONSTRAINT `FK_SVC_ym_bt` FOREIGN KEY (`bt`) REFERENCES `SVC_bt` (`btdh`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `SVC_zj` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `user` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `user_key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `pass` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ssbt` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sqldz` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `btid` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `datae` date DEFAULT NULL,
  `data` datetime(3) NOT NULL,
  `qk` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `pause_reasons` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `site_stopped` tinyint(4) NOT NULL DEFAULT 0,
  `hxa` int(11) NOT NULL DEFAULT 0,
  `hxb` int(11) NOT NULL DEFAULT 0,
  `llmax` int(11) NOT NULL DEFAULT 0,
  `ymbds` int(11) NOT NULL DEFAULT 0,
  `web_used` bigint(20) NOT NULL DEFAULT 0,
  `sql_used` bigint(20) NOT NULL DEFAULT 0,
  `ll_used` bigint(20) NOT NULL DEFAULT 0,
  `usage_due` datetime(3) DEFAULT NULL,
  `mailuser` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `request_key` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `request_print` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `owner_id` int(11) DEFAULT NULL,
  `claimed_by` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `claimed_until` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `UQ_SVC_zj_user_key` (`user_key`),
  UNIQUE KEY `UQ_SVC_zj_request_key` (`request_key`),
  KEY `IX_SVC_zj_claimed` (`claimed_until`,`id`),
  KEY `IX_SVC_zj_datae` (`datae`,`id`),
  KEY `IX_SVC_zj_qk` (`qk`,`id`),
  KEY `IX_SVC_zj_ssbt` (`ssbt`,`id`),
  KEY `IX_SVC_zj_usage_due` (`usage_due`,`id`),
  CONSTRAINT `FK_SVC_zj_ssbt` FOREIGN KEY (`ssbt`) REFERENCES `SVC_bt` (`btdh`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `SVC_zj` (`id`, `user`, `user_key`, `pass`, `ssbt`, `sqldz`, `btid`, `datae`, `data`, `qk`, `pause_reasons`, `site_stopped`, `hxa`, `hxb`, `llmax`, `ymbds`, `web_used`, `sql_used`, `ll_used`, `usage_due`, `mailuser`, `request_key`, `request_print`, `owner_id`, `claimed_by`, `claimed_until`) VALUES (1,'kept-buyer','kept-buyer','$2b$10$1xiITh39k/6S9h.sFirJouIktBu9TVVcaQko1V1b6GY151R0.1yIO','local','svc.892f67ebf4be40fd','0e2f599d7acb7d42','2026-12-22','2026-11-22 00:46:56.252','active','[]',0,1024,256,0,5,0,0,0,'2026-11-22 00:46:56.252',NULL,'hosting_shop:hosting_shop:20261122084655045385',NULL,NULL,NULL,NULL);
INSERT INTO `SVC_zj` (`id`, `user`, `user_key`, `pass`, `ssbt`, `sqldz`, `btid`, `datae`, `data`, `qk`, `pause_reasons`, `site_stopped`, `hxa`, `hxb`, `llmax`, `ymbds`, `web_used`, `sql_used`, `ll_used`, `usage_due`, `mailuser`, `request_key`, `request_print`, `owner_id`, `claimed_by`, `claimed_until`) VALUES (2,'kept-later','kept-later','$2b$10$vfVbIORy0yUbnrXz5s488.UYCyJbU9Cn4yCpYBOUNXb13/SFjN0qW','local','svc.77e26af881409f36','b8eabe6e456b9813',NULL,'2026-11-22 00:46:58.209','active','[]',0,0,0,0,0,0,0,0,'2026-11-22 00:46:58.209',NULL,'api:local:order-7',NULL,NULL,NULL,NULL);
INSERT INTO `SVC_zj` (`id`, `user`, `user_key`, `pass`, `ssbt`, `sqldz`, `btid`, `datae`, `data`, `qk`, `pause_reasons`, `site_stopped`, `hxa`, `hxb`, `llmax`, `ymbds`, `web_used`, `sql_used`, `ll_used`, `usage_due`, `mailuser`, `request_key`, `request_print`, `owner_id`, `claimed_by`, `claimed_until`) VALUES (3,'kept-paused','kept-paused','$2b$10$syGr44jKsqENFRfwrZshOOSjiUgpW3FnLVNRh1oXtB0qISwjaUtpS','local','svc.f4d1e20a0184485b','f358f75b005d46b0',NULL,'2026-11-22 00:46:58.562','paused','[\"admin\"]',0,0,0,0,0,0,0,0,'2026-11-22 00:46:58.562',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `SVC_zj` (`id`, `user`, `user_key`, `pass`, `ssbt`, `sqldz`, `btid`, `datae`, `data`, `qk`, `pause_reasons`, `site_stopped`, `hxa`, `hxb`, `llmax`, `ymbds`, `web_used`, `sql_used`, `ll_used`, `usage_due`, `mailuser`, `request_key`, `request_print`, `owner_id`, `claimed_by`, `claimed_until`) VALUES (4,'kept-expired','kept-expired','$2b$10$DpFgahyd/vvAaUa69b5iwey0o0voagARt9GKKgmE7DOK9/PiPc766','local','svc.f422bec6cf4813e8','70fe41827dc3663e','2020-01-01','2026-11-22 00:46:59.161','active','[]',0,0,0,0,0,0,0,0,'2026-11-22 00:46:59.161',NULL,NULL,NULL,NULL,NULL,NULL);
