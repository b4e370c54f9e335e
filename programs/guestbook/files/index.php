<?php

/**
 * A small guest book: visitors write, whoever has the password deletes. Needs PHP 7.2; entries are kept in MySQL or MariaDB where
 * config.php names a database, else in a file beside this one.
 */

declare(strict_types=1);

require __DIR__ . '/storage.php';
require __DIR__ . '/texts.php';

const LONGEST_NAME = 60;
const LONGEST_TEXT = 2000;
const PER_PAGE = 20;
/** Seconds between two entries of one visitor. */
const PAUSE = 20;

$config = require __DIR__ . '/config.php';
$isSecure = ($_SERVER['HTTPS'] ?? '') !== '' && $_SERVER['HTTPS'] !== 'off';
header("Content-Security-Policy: default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
header('X-Content-Type-Options: nosniff');
header('Referrer-Policy: same-origin');
header('Cache-Control: no-store');
session_set_cookie_params(['lifetime' => 0, 'path' => '/', 'httponly' => true, 'samesite' => 'Lax', 'secure' => $isSecure]);
session_name('guestbook');
session_start();
$_SESSION['token'] = $_SESSION['token'] ?? bin2hex(random_bytes(16));
$texts = textsFor((string) ($_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? ''));

function escape(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

/** A field of the form: text in UTF-8, without control characters but line breaks. */
function field(string $name, int $longest): string
{
    $text = $_POST[$name] ?? '';
    if (!is_string($text) || preg_match('//u', $text) !== 1) {
        return '';
    }
    $text = trim((string) preg_replace('/[^\P{C}\n]|\x{202E}/u', '', str_replace(["\r\n", "\r"], "\n", $text)));
    return preg_match('/^.{0,' . $longest . '}/us', $text, $match) === 1 ? $match[0] : '';
}

function away(string $note): void
{
    $_SESSION['note'] = $note;
    header('Location: ./', true, 303);
    exit;
}

try {
    $storage = storageOf($config['database']);
} catch (Throwable $error) {
    error_log('guest book: ' . $error->getMessage());
    http_response_code(503);
    exit('<!doctype html><meta charset="utf-8"><title>503</title><p>' . escape($texts['away']) . '</p>');
}

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $token = $_POST['token'] ?? '';
    if (!is_string($token) || !hash_equals($_SESSION['token'], $token)) {
        away('expired');
    }
    $deed = $_POST['deed'] ?? '';
    if ($deed === 'sign_in') {
        // Guessing takes time.
        usleep(500000);
        if ($config['password'] === '' || !hash_equals($config['password'], field('password', 200))) {
            away('wrong_password');
        }
        session_regenerate_id(true);
        $_SESSION['keeper'] = true;
        away('signed_in');
    }
    if ($deed === 'sign_out') {
        unset($_SESSION['keeper']);
        away('signed_out');
    }
    if ($deed === 'delete') {
        if (($_SESSION['keeper'] ?? false) !== true) {
            away('wrong_password');
        }
        $storage->remove(field('id', 40));
        away('deleted');
    }
    [$name, $text] = [field('name', LONGEST_NAME), field('text', LONGEST_TEXT)];
    // Programs fill in everything there is; people do not see this one.
    if (field('website', 200) !== '') {
        away('thanks');
    }
    if ($name === '' || $text === '') {
        $_SESSION['draft'] = [$name, $text];
        away('missing');
    }
    if (time() - (int) ($_SESSION['last'] ?? 0) < PAUSE) {
        $_SESSION['draft'] = [$name, $text];
        away('wait');
    }
    $storage->add($name, $text, time());
    $_SESSION['last'] = time();
    away('thanks');
}

$note = $_SESSION['note'] ?? '';
[$draftName, $draftText] = $_SESSION['draft'] ?? ['', ''];
unset($_SESSION['note'], $_SESSION['draft']);
$isKeeper = ($_SESSION['keeper'] ?? false) === true;
$page = max(1, min(100000, (int) ($_GET['page'] ?? 1)));
$entries = $storage->entries(($page - 1) * PER_PAGE, PER_PAGE + 1);
$hasMore = count($entries) > PER_PAGE;
$hidden = '<input type="hidden" name="token" value="' . escape($_SESSION['token']) . '">';
?>
<!doctype html>
<html lang="<?= escape($texts['lang']) ?>">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title><?= escape($config['title']) ?></title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
<h1><?= escape($config['title']) ?></h1>
<?php if (isset($texts['note_' . $note])) { ?><p class="note" role="status"><?= escape($texts['note_' . $note]) ?></p><?php } ?>
<form method="post">
  <?= $hidden ?>
  <label for="name"><?= escape($texts['name']) ?></label>
  <input id="name" name="name" maxlength="<?= LONGEST_NAME ?>" value="<?= escape($draftName) ?>" required autocomplete="name">
  <label for="text"><?= escape($texts['text']) ?></label>
  <textarea id="text" name="text" rows="4" maxlength="<?= LONGEST_TEXT ?>" required><?= escape($draftText) ?></textarea>
  <input class="trap" name="website" tabindex="-1" autocomplete="off" aria-hidden="true">
  <button><?= escape($texts['send']) ?></button>
</form>
<?php if ($entries === []) { ?><p><?= escape($texts['none']) ?></p><?php } ?>
<?php foreach (array_slice($entries, 0, PER_PAGE) as $entry) { ?>
<article>
  <strong><?= escape($entry['name']) ?></strong> <time datetime="<?= gmdate('c', $entry['time']) ?>"><?= gmdate('Y-m-d H:i', $entry['time']) ?> UTC</time>
  <p><?= escape($entry['text']) ?></p>
  <?php if ($isKeeper) { ?><form method="post"><?= $hidden ?><input type="hidden" name="deed" value="delete"><input type="hidden" name="id" value="<?= escape($entry['id']) ?>"><button><?= escape($texts['delete']) ?></button></form><?php } ?>
</article>
<?php } ?>
<nav>
  <?php if ($page > 1) { ?><a href="?page=<?= $page - 1 ?>"><?= escape($texts['newer']) ?></a><?php } ?>
  <?php if ($hasMore) { ?><a href="?page=<?= $page + 1 ?>"><?= escape($texts['older']) ?></a><?php } ?>
</nav>
<footer>
<?php if ($isKeeper) { ?>
  <form method="post"><?= $hidden ?><input type="hidden" name="deed" value="sign_out"><button><?= escape($texts['sign_out']) ?></button></form>
<?php } elseif (isset($_GET['keeper'])) { ?>
  <form method="post"><?= $hidden ?><input type="hidden" name="deed" value="sign_in"><label for="password"><?= escape($texts['password']) ?></label><input id="password" name="password" type="password" required autocomplete="current-password"><button><?= escape($texts['sign_in']) ?></button></form>
<?php } else { ?>
  <a href="?keeper"><?= escape($texts['keep']) ?></a>
<?php } ?>
</footer>
</body>
</html>
