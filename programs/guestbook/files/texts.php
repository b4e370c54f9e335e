<?php

declare(strict_types=1);

/** The words of the page in the language a visitor's browser asks for first: Chinese, or English for all others. */
function textsFor(string $accepted): array
{
    if (preg_match('/^\s*zh/i', $accepted) === 1) {
        return [
            'lang' => 'zh-CN', 'name' => '称呼', 'text' => '留言', 'send' => '发表', 'none' => '还没有人留言，来写第一条吧。',
            'newer' => '较新的', 'older' => '较早的', 'delete' => '删除', 'keep' => '管理', 'password' => '密码', 'sign_in' => '登录', 'sign_out' => '退出管理',
            'away' => '留言板暂时打不开，请稍后再来。',
            'note_thanks' => '谢谢您的留言！', 'note_missing' => '请填写称呼和留言。', 'note_wait' => '请稍等片刻再发表下一条。',
            'note_expired' => '页面已过期，请再试一次。', 'note_wrong_password' => '密码不对。', 'note_signed_in' => '现在可以删除留言。',
            'note_signed_out' => '已退出管理。', 'note_deleted' => '已删除。',
        ];
    }
    return [
        'lang' => 'en', 'name' => 'Your name', 'text' => 'Message', 'send' => 'Send', 'none' => 'No messages yet. Write the first one.',
        'newer' => 'Newer', 'older' => 'Older', 'delete' => 'Delete', 'keep' => 'Manage', 'password' => 'Password', 'sign_in' => 'Sign in',
        'sign_out' => 'Sign out', 'away' => 'The guest book is not available at the moment. Please come back later.',
        'note_thanks' => 'Thank you for your message.', 'note_missing' => 'Please fill in your name and a message.',
        'note_wait' => 'Please wait a moment before writing again.', 'note_expired' => 'The page has expired. Please try again.',
        'note_wrong_password' => 'The password is incorrect.', 'note_signed_in' => 'You can now delete messages.',
        'note_signed_out' => 'You are signed out.', 'note_deleted' => 'Deleted.',
    ];
}
