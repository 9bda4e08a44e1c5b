/** As people write addresses: without the scheme, and empty for none. What it then is, the server judges. */
export function webAddressOf(typed: string): string | null {
  const address = typed.trim()
  if (address === '') return null
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}
