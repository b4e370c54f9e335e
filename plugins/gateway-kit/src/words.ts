/** Texts shared by all gateways' pages; those of one gateway are in its own lang files. */
const WORDS = {
  'zh-CN': {
    leading_on: '正在前往支付页面……',
    go_on: '继续',
    saved: '保存成功',
    too_long: '参数过长',
    needed: '请填写此项。',
    not_offered: '没有此选项。',
    retype: '修改接口地址后请重新填写此项：已保存的密钥不会发往新地址。',
    refused: '设置未保存，请检查标出的项目。',
    notify_url: '异步通知地址',
    notify_hint: '支付平台要求填写通知地址时，请复制此地址；服务器必须能从公网访问它。',
    notify_local: '面板地址是本机地址，支付平台无法访问。请先将面板的 BASE_URL 设置为公网地址。',
    notify_http: '面板地址不是 https。部分支付平台要求通知地址使用 https。',
    copy: '复制',
    copied: '已复制',
    kept: '已保存；留空表示不修改。',
    save: '保存',
    test: '检测设置',
    test_hint: '使用已保存的设置连接支付平台，不会产生扣款。请先保存。',
    internal: '接口地址指向内网，已被拒绝。如确需使用，请由管理员将其加入 OUTBOUND_ALLOW。',
    bad_address: '接口地址无效。请填写完整地址，例如 https://pay.example.com。',
    unreachable: '无法连接接口地址：域名不存在、端口未开放或证书无效。请检查地址，并确认本服务器可以访问外网，然后重新检测。',
    address_rule: '请填写以 http:// 或 https:// 开头的地址，不含参数。',
    private_key_rule: '无法识别此 RSA 私钥。请完整粘贴平台提供或密钥工具生成的私钥。',
    public_key_rule: '无法识别此 RSA 公钥。请完整粘贴公钥，不要填写私钥。',
    certificate_rule: '无法识别此证书。请粘贴 .crt 文件的全部内容，包括 BEGIN 和 END 行。',
    serial_rule: '请填写证书序列号：商户 API 证书的序列号，由数字和字母 A–F 组成。',
    apiv3_rule: 'APIv3 密钥为 32 个字符。请完整填写商户平台“API 安全”中设置的密钥。',
    stripe_key_rule: '请填写以 sk_live_、sk_test_、rk_live_ 或 rk_test_ 开头的密钥，不是以 pk_ 开头的可发布密钥。',
    stripe_webhook_rule: '请填写以 whsec_ 开头的签名密钥。',
    days_30: '请填写 1 至 30 的天数。',
    days_365: '请填写 1 至 365 的天数。',
  },
  en: {
    leading_on: 'Going to the payment page …',
    go_on: 'Continue',
    saved: 'Saved.',
    too_long: 'This is too long.',
    needed: 'Please fill this in.',
    not_offered: 'This option does not exist.',
    retype: 'The address changed, so enter this again. A saved key is never sent to a new address.',
    refused: 'The settings were not saved. Check the marked fields.',
    notify_url: 'Notification URL',
    notify_hint: 'Copy it to where the provider asks for a notification URL. The provider must be able to reach it from the internet.',
    notify_local: 'The panel has a local address that no provider can reach. Set BASE_URL to its public address first.',
    notify_http: 'The panel address is not https. Some providers only send notifications to https addresses.',
    copy: 'Copy',
    copied: 'Copied',
    kept: 'Saved. Leave it empty to keep it.',
    save: 'Save',
    test: 'Test settings',
    test_hint: 'Contacts the provider with the saved settings. No money is charged. Save first.',
    internal:
      'The address points to the internal network, so it is refused. If this is intended, ask the administrator to ' +
      'add it to OUTBOUND_ALLOW.',
    bad_address: 'The address is not valid. Enter a full address, such as https://pay.example.com.',
    unreachable:
      'The address cannot be reached: the domain does not exist, the port is closed or the certificate is not valid. ' +
      'Check the address, make sure this server can reach the internet, and test again.',
    address_rule: 'Enter an address that starts with http:// or https://, without parameters.',
    private_key_rule: 'This is not an RSA private key. Paste the full key from the provider or its key tool.',
    public_key_rule: 'This is not an RSA public key. Paste the full public key, not the private one.',
    certificate_rule: 'This is not a certificate. Paste the full .crt file, including the BEGIN and END lines.',
    serial_rule: 'Enter the serial number of the merchant API certificate: digits and the letters A to F.',
    apiv3_rule: 'The APIv3 key has 32 characters. Enter the full key you set under API security.',
    stripe_key_rule: 'Enter a key that starts with sk_live_, sk_test_, rk_live_ or rk_test_, not the publishable key (pk_).',
    stripe_webhook_rule: 'Enter the signing secret, which starts with whsec_.',
    days_30: 'Enter 1 to 30 days.',
    days_365: 'Enter 1 to 365 days.',
  },
} as const;

/** Key of a text for {@link say}. */
export type Word = keyof (typeof WORDS)['en'];

/** Returns a shared text in a language. */
export function say(locale: string, word: Word): string {
  return WORDS[locale === 'en' ? 'en' : 'zh-CN'][word];
}
