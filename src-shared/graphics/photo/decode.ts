import { AppError } from '../../contract/errors'
import { decodeGif } from './gif'
import { decodeJpeg } from './jpeg'
import { MAX_PHOTO_FILE_BYTES, type Photo } from './photo'
import { decodePng } from './png'

const signatures: readonly { readonly bytes: readonly number[]; readonly decode: (file: Uint8Array) => Photo }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], decode: decodePng },
  { bytes: [0xff, 0xd8], decode: decodeJpeg },
  { bytes: [0x47, 0x49, 0x46, 0x38], decode: decodeGif },
]

export function decodePhoto(file: Uint8Array): Photo {
  if (file.length > MAX_PHOTO_FILE_BYTES)
    throw new AppError('INVALID', `The file is too large: at most ${MAX_PHOTO_FILE_BYTES / 1024 / 1024} MiB are read.`)
  const type = signatures.find(({ bytes }) => bytes.every((byte, at) => file[at] === byte))
  if (!type)
    throw new AppError('INVALID', 'This file is not a picture that can be read.', {
      hint: 'Open a PNG, JPEG or GIF file.',
    })
  return type.decode(file)
}
