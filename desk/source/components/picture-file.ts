/** The image types the server accepts, and its size limit. */
export const pictureTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
export const maxPictureBytes = 20 * 1024 * 1024

/** Why the server would refuse this file; checked before the upload. */
export function pictureProblem({ type, size }: File): string | undefined {
  if (!pictureTypes.includes(type)) return 'This is no picture we can take. Choose a JPEG, PNG, WebP, GIF or AVIF.'
  if (size > maxPictureBytes) return 'This picture is larger than 20 MB. Choose a smaller one.'
  return undefined
}
