const longest = 2048

/** An address of the web as the URL standard spells it, or nothing: http or https, no user name, not too long. */
export function webAddress(text: string): string | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && href.length <= longest ? href : undefined
}
