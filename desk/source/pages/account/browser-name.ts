import { t } from '../../messages.ts'

/** A readable name of a user agent, such as "Firefox on Windows". */
export function browserName(userAgent: string | null): string {
  const nameIn = (names: typeof browsers) => names.find(([, pattern]) => userAgent && pattern.test(userAgent))?.[0]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (!system) return browser ?? t('desk.account.browser.unknown')
  return browser
    ? t('desk.account.browser.on_system', { browser, system })
    : t('desk.account.browser.unknown_on_system', { system })
}

/** Most user agents name other browsers too, so the order matters. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]
