/**
 * Entry script in front of Adminer, run as the user of the site. A ticket is a file of that user; deleting it makes it one-time. It opens a
 * session that expires 30 minutes after the last request and 8 hours after its start, stored in files of that user. Server, user and
 * database are fixed.
 */
export const ADMINER_ENTRY = String.raw`<?php
// Written by svc-agent, again with every start.
declare(strict_types=1);

function svc_end(int $svc_status, string $svc_words): never {
    http_response_code($svc_status);
    header('Content-Type: text/plain; charset=utf-8');
    exit($svc_words);
}

function svc_refuse(): never {
    svc_end(403, "此链接已经用过或已过期，请从面板重新打开数据库。\n"
        . "This link has been used or is too old. Open the database from the panel again.\n");
}

function svc_cookie(string $value): void {
    setcookie('svc_adminer', $value, [
        'path' => '/' . $_SERVER['SVC_SITE'] . '/', 'httponly' => true, 'samesite' => 'Strict', 'secure' => !empty($_SERVER['HTTPS']),
    ]);
}

$svc_folder = $_SERVER['SVC_HOME'] . '/adminer';
$svc_ticket = $_POST['ticket'] ?? $_GET['ticket'] ?? null;
if ($svc_ticket !== null) {
    if (!is_string($svc_ticket) || !preg_match('/^[0-9a-f]{64}$/D', $svc_ticket)) svc_refuse();
    $svc_file = $svc_folder . '/ticket-' . hash('sha256', $svc_ticket) . '.json';
    $svc_note = json_decode((string) @file_get_contents($svc_file), true);
    if (!@unlink($svc_file) || !is_array($svc_note) || $svc_note['until'] < time()) svc_refuse();
    foreach (glob($svc_folder . '/{session,ticket}-*', GLOB_BRACE) ?: [] as $svc_old)
        if (filemtime($svc_old) < time() - 28800) @unlink($svc_old);
    $svc_session = bin2hex(random_bytes(32));
    $svc_known = ['database' => $svc_note['database'], 'since' => time()];
    file_put_contents($svc_folder . '/session-' . hash('sha256', $svc_session) . '.json', json_encode($svc_known));
    svc_cookie($svc_session);
    $svc_query = '?server=&username=' . rawurlencode($_SERVER['SVC_SITE']) . '&db=' . rawurlencode($svc_note['database']);
    // Browsers send no SameSite=Strict cookie on a redirect that started at the panel, so the page itself navigates on.
    $svc_to = htmlspecialchars('/' . $_SERVER['SVC_SITE'] . '/' . $svc_query);
    header('Content-Type: text/html; charset=utf-8');
    header('Cache-Control: no-store');
    exit('<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Adminer</title>'
        . "<meta http-equiv=\"refresh\" content=\"0;url=$svc_to\"><p><a href=\"$svc_to\">打开数据库 Open the database</a>\n");
}
$svc_session = $_COOKIE['svc_adminer'] ?? '';
if (!is_string($svc_session) || !preg_match('/^[0-9a-f]{64}$/D', $svc_session)) svc_refuse();
$svc_file = $svc_folder . '/session-' . hash('sha256', $svc_session) . '.json';
$svc_known = json_decode((string) @file_get_contents($svc_file), true);
if (!is_array($svc_known) || $svc_known['since'] < time() - 28800 || filemtime($svc_file) < time() - 1800) svc_refuse();
touch($svc_file);
if (isset($_POST['logout'])) {
    @unlink($svc_file);
    svc_cookie('');
    svc_end(200, "您已退出，需要时请从面板重新打开数据库。\nYou have signed out. Open the database from the panel when you need it again.\n");
}
// There is no sign-in form: server, user and driver of the request are ignored.
unset($_POST['auth']);
$_GET['server'] = '';
$_GET['username'] = $_SERVER['SVC_SITE'];
$_GET['db'] = $svc_known['database'];
$svc_drivers = ['pgsql', 'sqlite', 'sqlite2', 'oracle', 'mssql', 'mongo', 'elastic', 'firebird', 'simpledb', 'clickhouse'];
foreach ($svc_drivers as $svc_key) unset($_GET[$svc_key]);

function adminer_object(): object {
    return new class extends Adminer {
        function credentials() {
            return [':' . $_SERVER['SVC_SOCKET'], $_SERVER['SVC_SITE'], ''];
        }
        function login($login, $password) {
            return true;
        }
        function database() {
            global $svc_known;
            return $svc_known['database'];
        }
        function databases($flush = true) {
            return [$this->database()];
        }
        function permanentLogin($create = false) {
            return '';
        }
    };
}

session_name('adminer_sid');
$svc_path = '/' . $_SERVER['SVC_SITE'] . '/';
session_set_cookie_params(['path' => $svc_path, 'httponly' => true, 'samesite' => 'Strict', 'secure' => !empty($_SERVER['HTTPS'])]);
session_start();
// Adminer asks for a password only where it knows none; the socket needs none.
$_SESSION['pwds']['server'][''][$_SERVER['SVC_SITE']] = '';
include '/usr/share/adminer/adminer.php';
`;
