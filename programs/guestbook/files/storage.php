<?php

declare(strict_types=1);

/** Where entries are kept; the newest come first. */
interface Storage
{
    public function add(string $name, string $text, int $time): void;

    /** @return array<array{id: string, name: string, text: string, time: int}> */
    public function entries(int $skip, int $take): array;

    public function remove(string $id): void;
}

/** Entries in a table of MySQL or MariaDB. Values are never part of a statement. */
final class DatabaseStorage implements Storage
{
    /** @var PDO */
    private $pdo;

    public function __construct(array $at)
    {
        $source = 'mysql:host=' . $at['host'] . ';port=' . (int) $at['port'] . ';dbname=' . $at['name'] . ';charset=utf8mb4';
        $this->pdo = new PDO($source, $at['user'], $at['password'], [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_EMULATE_PREPARES => false,
        ]);
        $this->pdo->exec(
            'CREATE TABLE IF NOT EXISTS guestbook_entries (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL, '
            . 'text VARCHAR(2000) NOT NULL, written_at INT UNSIGNED NOT NULL) CHARACTER SET utf8mb4'
        );
    }

    public function add(string $name, string $text, int $time): void
    {
        $this->pdo->prepare('INSERT INTO guestbook_entries (name, text, written_at) VALUES (?, ?, ?)')->execute([$name, $text, $time]);
    }

    public function entries(int $skip, int $take): array
    {
        $rows = $this->pdo->prepare('SELECT id, name, text, written_at FROM guestbook_entries ORDER BY id DESC LIMIT ? OFFSET ?');
        $rows->bindValue(1, $take, PDO::PARAM_INT);
        $rows->bindValue(2, $skip, PDO::PARAM_INT);
        $rows->execute();
        return array_map(static function (array $row): array {
            return ['id' => (string) $row['id'], 'name' => $row['name'], 'text' => $row['text'], 'time' => (int) $row['written_at']];
        }, $rows->fetchAll(PDO::FETCH_ASSOC));
    }

    public function remove(string $id): void
    {
        $this->pdo->prepare('DELETE FROM guestbook_entries WHERE id = ?')->execute([(int) $id]);
    }
}

/** Entries in a file, one a line. It is a program that ends at once, so that no server sends it. */
final class FileStorage implements Storage
{
    private const GUARD = "<?php exit; ?>\n";
    /** Most entries; the oldest go. */
    private const MOST = 2000;
    /** @var string */
    private $path = __DIR__ . '/entries.php';

    public function add(string $name, string $text, int $time): void
    {
        $this->change(static function (array $entries) use ($name, $text, $time): array {
            array_unshift($entries, ['id' => bin2hex(random_bytes(8)), 'name' => $name, 'text' => $text, 'time' => $time]);
            return array_slice($entries, 0, self::MOST);
        });
    }

    public function entries(int $skip, int $take): array
    {
        $content = is_file($this->path) ? (string) file_get_contents($this->path) : '';
        return array_slice($this->read($content), $skip, $take);
    }

    public function remove(string $id): void
    {
        $this->change(static function (array $entries) use ($id): array {
            return array_values(array_filter($entries, static function (array $entry) use ($id): bool {
                return $entry['id'] !== $id;
            }));
        });
    }

    /** One after another; readers see the file as it was or as it is. */
    private function change(callable $change): void
    {
        $lock = fopen($this->path . '.lock.php', 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            throw new RuntimeException('entries.php cannot be written');
        }
        $content = is_file($this->path) ? (string) file_get_contents($this->path) : '';
        $lines = array_map(static function (array $entry): string {
            return json_encode($entry, JSON_UNESCAPED_UNICODE | JSON_HEX_TAG) . "\n";
        }, $change($this->read($content)));
        $next = $this->path . '.next.php';
        $text = self::GUARD . implode('', $lines);
        if (file_put_contents($next, $text) !== strlen($text) || !rename($next, $this->path)) {
            throw new RuntimeException('entries.php cannot be written');
        }
        fclose($lock);
    }

    private function read(string $content): array
    {
        $lines = array_slice(explode("\n", $content), 1);
        return array_values(array_filter(array_map(static function (string $line) {
            return json_decode($line, true);
        }, $lines), 'is_array'));
    }
}

function storageOf(array $database): Storage
{
    return $database['name'] === '' ? new FileStorage() : new DatabaseStorage($database);
}
