/** What the server reads as a picture, and its limit. */
export const pictureTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
export const largestPicture = 20 * 1024 * 1024

/** Why this file would not be taken, before it is sent. */
export function pictureRefusal({ type, size }: File): string | undefined {
  if (!pictureTypes.includes(type)) return 'This is no picture we can take. Choose a JPEG, PNG, WebP, GIF or AVIF.'
  if (size > largestPicture) return 'This picture is larger than 20 MB. Choose a smaller one.'
  return undefined
}
