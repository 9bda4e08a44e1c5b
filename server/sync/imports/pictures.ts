/** Pictures in Markdown, at any address. Linear: each part is bounded, and none can begin again inside itself. */
const pictureSyntax = /(!\[(?:[^[\]\\]|\\.){0,1000}\]\(\s{0,20}<?)([^\s)<>]{1,2048})/g
const code = /(^(`{3,}|~{3,})[\s\S]*?^\2|`[^`\n]*`)/gm

/** Their addresses, without the width that a fragment says. */
export const picturesIn = (markdown: string): string[] => [
  ...new Set([...markdown.replace(code, '').matchAll(pictureSyntax)].map(([, , address = '']) => plain(address))),
]

const plain = (address: string): string => address.replace(/#(?:wide|full)$/, '')

/** The text with other addresses for its pictures; widths stay, and so do links. */
export const withPictures = (markdown: string, moved: ReadonlyMap<string, string>): string =>
  markdown.replace(pictureSyntax, (whole, before: string, address: string) => {
    const to = moved.get(plain(address))
    return to === undefined ? whole : `${before}${to}${address.slice(plain(address).length)}`
  })
