/** A readable name of a user agent, such as "Firefox on Windows". */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'A browser that does not say its name'
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'A browser'
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return system ? `${browser} on ${system}` : browser
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
