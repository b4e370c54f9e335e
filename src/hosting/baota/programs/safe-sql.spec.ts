import { describe, expect, it } from 'vitest';

import { safeSql } from './safe-sql.js';

const dump = `/*M!999999\\- enable the sandbox mode */
-- MySQL dump 10.13  Distrib 8.0.36
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
DROP TABLE IF EXISTS \`wp_posts\`;
CREATE TABLE \`wp_posts\` (
  \`ID\` bigint unsigned NOT NULL AUTO_INCREMENT,
  \`user\` varchar(60) DEFAULT 'a;b -- no comment # /* neither */',
  \`price\` decimal(10,2) DEFAULT '1.50' COMMENT 'from x.y',
  PRIMARY KEY (\`ID\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`wp_posts\` WRITE;
/*!40000 ALTER TABLE \`wp_posts\` DISABLE KEYS */;
INSERT INTO \`wp_posts\` VALUES (1,'it\\'s \\\\! here; SELECT 1',1.5),(2,"two ""quoted"" \\\\",_binary 'x');
UNLOCK TABLES;
`;

/** Output of `mariadb-dump` on Debian 12, the format of dumps from servers with our agent. */
const debian = `/*M!999999\\- enable the sandbox mode */ 
--
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
--
--
DROP TABLE IF EXISTS \`wp_posts\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE \`wp_posts\` (
  \`ID\` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  \`post_title\` text DEFAULT NULL,
  \`b\` blob DEFAULT NULL,
  \`d\` decimal(10,2) DEFAULT 1.50,
  \`j\` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(\`j\`)),
  \`g\` int(11) GENERATED ALWAYS AS (\`d\` * 2) VIRTUAL,
  \`e\` enum('a','b') DEFAULT 'a',
  \`t\` timestamp NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  PRIMARY KEY (\`ID\`),
  FULLTEXT KEY \`k\` (\`post_title\`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
--
--
LOCK TABLES \`wp_posts\` WRITE;
/*!40000 ALTER TABLE \`wp_posts\` DISABLE KEYS */;
INSERT INTO \`wp_posts\` VALUES
(1,'it\\'s; -- x',0x00FF1027,1.50,'{\\"a\\":1}',3,'a','2026-11-26 12:45:13'),
(2,'Ünï 中',0x79,1.50,NULL,3,'a','2026-11-26 12:45:13');
/*!40000 ALTER TABLE \`wp_posts\` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;
`;

describe('SQL run by a server as root', () => {
  it('accepts a dump of a Debian server, with unchanged data', () => {
    const safe = safeSql(debian);
    expect(safe).toContain(`(1,'it\\'s; -- x',0x00FF1027,1.50,'{\\"a\\":1}',3,'a','2026-11-26 12:45:13')`);
    expect(safe).toContain('GENERATED ALWAYS AS (`d` * 2) VIRTUAL');
    expect(safeSql(safe)).toBe(safe);
  });

  it('accepts a dump of tables, without comments and with unchanged strings', () => {
    const safe = safeSql(dump);
    expect(safe).toContain("INSERT INTO `wp_posts` VALUES (1,'it\\'s \\\\! here; SELECT 1',1.5)");
    expect(safe).toContain("DEFAULT 'a;b -- no comment # /* neither */'");
    expect(safe).toContain('SET NAMES utf8mb4');
    expect(safe).toContain('DISABLE KEYS');
    expect(safe).not.toMatch(/sandbox|Distrib|\/\*!/);
    expect(safeSql(safe)).toBe(safe);
  });

  it('cannot reach another database, a file, a user or a shell', () => {
    for (const sql of [
      '\\! id > /tmp/x',
      'INSERT INTO t VALUES (1); \\! id',
      'system id',
      'source /etc/passwd',
      'USE mysql',
      'INSERT INTO mysql.user VALUES (1)',
      'INSERT INTO `other`.`users` VALUES (1)',
      'INSERT INTO other . users VALUES (1)',
      'INSERT INTO other/**/.users VALUES (1)',
      'INSERT INTO t SELECT * FROM mysql.user',
      "INSERT INTO t VALUES (LOAD_FILE('/etc/passwd'))",
      "SELECT 1 INTO OUTFILE '/tmp/x'",
      "LOAD DATA INFILE '/etc/passwd' INTO TABLE t",
      "GRANT ALL ON *.* TO 'x'@'%'",
      "CREATE USER x IDENTIFIED BY 'y'",
      'CREATE DATABASE x',
      'DROP DATABASE x',
      'CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET @a = 1',
      '/*!50003 CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET @a = 1 */',
      '/*M!100100 DROP DATABASE x */',
      'CREATE VIEW v AS SELECT 1',
      'DELIMITER ;;',
      'SET GLOBAL general_log = 1',
      "SET PASSWORD = 'x'",
      "SET @a = 'gbk'",
      'SET NAMES gbk',
      'SET character_set_client = gbk',
      "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
      "SET sql_mode = 'ANSI_QUOTES'",
      'SET sql_mode = @a, GLOBAL general_log = 1',
      "CREATE TABLE t (a int) ENGINE=CONNECT TABLE_TYPE=DOS FILE_NAME='/etc/passwd'",
      "CREATE TABLE t (a int) ENGINE=FEDERATED CONNECTION='mysql://root@localhost/mysql/user'",
      "CREATE TABLE t (a int) ENGINE = 'CONNECT'",
      "CREATE TABLE t (a int) DATA DIRECTORY='/tmp'",
      'CREATE TABLE t LIKE mysql.user',
      'UPDATE t SET a = @@datadir',
      "INSERT INTO t VALUES ('not closed",
      'hello world',
      "INSERT INTO t VALUES (1)--\x01'\n; DROP DATABASE x; -- '",
      "INSERT INTO t VALUES (1)--'\n; DROP DATABASE x; -- '",
      'INSERT INTO t VALUES (1.5SELECT 1)',
      'INSERT INTO t VALUES (1e5SELECT 1)',
      'INSERT INTO t VALUES (1) {x}',
      'BEGIN NOT ATOMIC DROP DATABASE x',
      'DROP TABLE mysql.1abc',
      '*/ DROP DATABASE x',
    ])
      expect(() => safeSql(sql), sql).toThrow('DATABASE_SQL');
  });
});
