let loaded: Promise<typeof import('sharp')['default']> | undefined

/** Loaded with the first picture: 15 MB, which no other command of the site needs. One core for each picture. */
export function libvips(): Promise<typeof import('sharp')['default']> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loaded
}
