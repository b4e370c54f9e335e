<?php

declare(strict_types=1);

// Copy this to config.php. Without a name of a database entries are kept in the file entries.php.
return [
    'title' => 'Guest book',
    'password' => '',
    'database' => ['host' => 'localhost', 'port' => '3306', 'name' => '', 'user' => '', 'password' => ''],
];
