import { webAddress } from '#platform/text/web-address.ts'

/** An address of somebody else's as a link may have it: http or https, or none. What is stored was checked; this is the page's own wall. */
export const outside = (address: string | null | undefined): string | undefined =>
  address ? webAddress(address) : undefined

/** "ada.example", as people call a website. */
export const hostOf = (address: string): string => new URL(address).host.replace(/^www\./, '')
