import { t } from '../messages.ts'

/** The image types the server accepts, and its size limit. */
const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/heic', 'image/heif']
export const maxPictureBytes = 20 * 1024 * 1024

/** For a file chooser. By their endings too: many systems give HEIC files no type. */
export const acceptedPictures = [...pictureTypes, '.heic', '.heif'].join(',')

const isHeic = ({ type, name }: File): boolean => type === '' && /\.hei[cf]$/i.test(name)

/** A HEIC file without a type gets its own, which the server asks for. */
export const withPictureType = (file: File): File =>
  isHeic(file) ? new File([file], file.name, { type: 'image/heic' }) : file

/** Why the server would refuse a file of this type. */
export const pictureTypeProblem = (file: File): string | undefined =>
  isHeic(file) || pictureTypes.includes(file.type) ? undefined : t('desk.common.picture.wrong_type')

/** Why the server would refuse this file; checked before the upload. */
export function pictureProblem(file: File): string | undefined {
  const wrongType = pictureTypeProblem(file)
  if (wrongType) return wrongType
  if (file.size > maxPictureBytes) return t('desk.common.picture.too_large')
  return undefined
}
