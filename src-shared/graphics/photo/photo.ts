import { AppError } from '../../contract/errors'

export interface Photo {
  readonly width: number
  readonly height: number
  /** Four bytes per pixel, row by row; alpha is not premultiplied. */
  readonly rgba: Uint8Array
}

export const MAX_PHOTO_FILE_BYTES = 64 * 1024 * 1024
/** Above the default JPEG size of today's cameras: 6,000 x 4,000. */
export const MAX_PHOTO_PIXELS = 24_000_000

const format = (value: number): string => value.toLocaleString('en-US')

export const damaged = (type: string, offset: number, expected: string): AppError =>
  new AppError('INVALID', `Cannot read the ${type} file: at byte ${format(offset)}, ${expected}.`, {
    details: { offset },
  })

export const notUnpacked = (type: string, cause: unknown): AppError =>
  new AppError(
    'INVALID',
    `Cannot unpack the ${type} file: ${cause instanceof Error ? cause.message : String(cause)}.`,
    {
      cause,
    },
  )

/** @throws AppError INVALID before anything is unpacked */
export function requireSize(width: number, height: number): void {
  if (width === 0 || height === 0)
    throw new AppError('INVALID', `The picture has no pixels (${format(width)} x ${format(height)}).`)
  if (width * height > MAX_PHOTO_PIXELS)
    throw new AppError(
      'INVALID',
      `The picture is too large: ${format(width)} x ${format(height)} pixels. At most ${format(MAX_PHOTO_PIXELS)} are read.`,
      { hint: 'Make the picture smaller and open it again.' },
    )
}

export const word = (file: Uint8Array, at: number): number => ((file[at] ?? 0) << 8) | (file[at + 1] ?? 0)
export const littleWord = (file: Uint8Array, at: number): number => (file[at] ?? 0) | ((file[at + 1] ?? 0) << 8)
export const long = (file: Uint8Array, at: number): number => word(file, at) * 0x10000 + word(file, at + 2)
