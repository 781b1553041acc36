import { PICTURE_WIDTH } from '@shared/c64/picture'
import { palettes } from '@shared/c64/palettes'
import { toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { comparePixels } from '@shared/graphics/comparePixels'
import type { RgbaImage } from '@shared/rgbaImage'
import { pictureRgba, readPng, rgbaPng } from '../../files/png'
import { readBounded } from '../../files/readBounded'
import type { TitledPicture } from '../htmlPictures'
import { saveFile } from '../saveFile'
import type { CheckedMachine } from './checkedMachine'
import type { Mismatch } from './compareScreen'
import { resultPath } from './planFiles'
import type { PictureCheck } from './planSchema'

const MAX_PNG_BYTES = 500_000
const MAX_HEIGHT = 272

/**
 * A whole frame that begins after this moment, where the machine can be run to one. Always in one palette, so that
 * pictures of different machines can be compared.
 */
export async function pictureOf(machine: CheckedMachine, signal: AbortSignal): Promise<RgbaImage> {
  machine.require('picture')
  await machine.drawFrame(signal)
  const picture = await machine.session.client.call('memory.picture', { machine: machine.name }, signal)
  return pictureRgba(picture, palettes.pepto)
}

export interface PictureResult {
  readonly mismatch: Mismatch | null
  readonly pictures: readonly TitledPicture[]
  readonly files: readonly string[]
}

const fine: PictureResult = { mismatch: null, pictures: [], files: [] }

export class Baselines {
  readonly #isUpdate: boolean
  readonly #renewed = new Map<string, RgbaImage>()

  constructor(isUpdate: boolean) {
    this.#isUpdate = isUpdate
  }

  /**
   * @param path absolute
   * @param title name of the difference files, without ending
   * @throws AppError INVALID for a file that is no picture of a C64
   */
  async compare(
    found: RgbaImage,
    check: PictureCheck,
    place: { path: string; folder: string; title: string },
  ): Promise<PictureResult> {
    const { tolerance = 0, pixels = 0, masks = [], file } = check
    const renewed = this.#renewed.get(place.path)
    const expected = renewed ?? (await readPicture(place.path, file))
    const difference = expected && comparePixels(expected, found, { tolerance, masks })
    if (difference && difference.pixels <= pixels) return fine
    if (this.#isUpdate && !renewed) {
      // Noted first: another machine may compare with it while it is written.
      this.#renewed.set(place.path, found)
      await save(place.path, file, found)
      return { ...fine, files: [place.path] }
    }
    const actual = { title: 'On the machine', png: rgbaPng(found) }
    const path = await resultPath(place.folder, `${place.title}-actual`)
    await save(path, file, found)
    const files = [path]
    if (!expected)
      return {
        mismatch: { message: `There is no ${file} yet: --update saves it.`, expected: file, found: 'no such file' },
        pictures: [actual],
        files,
      }
    const pictures = [{ title: `Expected (${file})`, png: rgbaPng(expected) }, actual]
    if (!difference) return { mismatch: ofSizes(expected, found, file), pictures, files }
    const image = await resultPath(place.folder, `${place.title}-difference`)
    await save(image, file, difference.image)
    return {
      mismatch: {
        message: `${counted(difference.pixels, 'pixel')} of the picture ${difference.pixels === 1 ? 'differs' : 'differ'} from ${file}.`,
        expected: `at most ${counted(pixels, 'pixel')} that ${pixels === 1 ? 'differs' : 'differ'} by more than ${tolerance}`,
        found: `${counted(difference.pixels, 'pixel')}, by ${difference.largest} at most`,
      },
      pictures: [...pictures, { title: 'Difference', png: rgbaPng(difference.image) }],
      files: [...files, image],
    }
  }
}

const ofSizes = (expected: RgbaImage, found: RgbaImage, file: string): Mismatch => ({
  message: `${file} has another size than the picture of the machine.`,
  expected: `${expected.width} x ${expected.height} pixels`,
  found: `${found.width} x ${found.height} pixels`,
})

async function readPicture(path: string, file: string): Promise<RgbaImage | null> {
  try {
    const bytes = await readBounded(path, MAX_PNG_BYTES, file)
    return readPng(bytes, { width: PICTURE_WIDTH, height: MAX_HEIGHT })
  } catch (error) {
    if (toFailure(error).code === 'NOT_FOUND') return null
    throw error
  }
}

export async function save(path: string, written: string, image: RgbaImage): Promise<void> {
  await saveFile({ path, written }, rgbaPng(image))
}
