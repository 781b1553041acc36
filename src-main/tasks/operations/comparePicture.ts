import { basename } from 'node:path'
import { z } from 'zod'
import { decodeSprites, SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT } from '@shared/c64/sprites'
import { paletteNames, palettes } from '@shared/c64/palettes'
import { renderPicture } from '@shared/c64/vicii'
import { isText } from '@shared/c64/video'
import { AppError, toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { comparePixels } from '@shared/graphics/comparePixels'
import { formatPixelArea, parsePixelArea } from '@shared/graphics/pixelArea'
import type { RgbaImage } from '@shared/rgbaImage'
import { indexedRgba, pictureRgba, readPng, rgbaPng } from '../../files/png'
import { readBounded } from '../../files/readBounded'
import { requireFacet } from '../../machine/machine'
import { standingStill } from '../../machine/readImage'
import { defineOperation, filePath, type OperationContext } from '../operation'
import { flag, folderOf, keepAll, listOf, parsed, wholeNumber } from './arguments'
import { readGraphicsParts, shownBank, withRom } from './graphicsParts'

const MAX_PNG_BYTES = 4_000_000
const MAX_SIDE = 4096
const BASELINE = 'baseline.png'
const noRom = new Uint8Array(0x1000)
/** Marks the clear parts of sprites: none of the sixteen colours. */
const CLEAR_COLOUR = 0xff00ff
const PICTURES = [BASELINE, 'screen.png']

export const comparePicture = defineOperation({
  name: 'compare_picture',
  title: 'Compare the picture',
  does: 'Compares the picture of the machine, or its sprites, with an earlier one. It fails and notifies you when they differ, and saves what differs.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z
    .strictObject({
      baseline: z.string().min(1).max(300).optional().meta({
        description:
          'The task that has the earlier picture: one of compare_picture or capture_screen, such as 0003_capture_screen; or a picture in it, such as 0003_capture_screen/0002/screen.png. With no task and no file, the first run saves its picture, and the later ones compare with it.',
      }),
      baselineFile: filePath().optional().describe('A PNG file to compare with instead of a task.'),
      what: z.enum(['display', 'memory', 'sprites']).default('display').meta({
        description:
          'display: what the machine shows; memory: the picture that its memory makes, without changes within a frame; sprites: the eight sprites side by side.',
      }),
      tolerance: wholeNumber(0, 255, 'How far red, green and blue of a pixel may each differ.').prefault(0),
      pixels: wholeNumber(0, MAX_SIDE * MAX_SIDE, 'How many pixels may differ by more than that.').prefault(0),
      masks: listOf(
        parsed(parsePixelArea),
        'Parts that are not compared, as width x height and place: 320x8+32+35.',
      ).prefault([]),
      palette: z
        .enum(['machine', ...paletteNames])
        .default('machine')
        .meta({
          description: 'Palette of the picture. machine: its own where it has one, as capture_screen saves it.',
        }),
      failWhenDifferent: flag(true, 'End with an error when they differ. Otherwise the result says so.'),
      pauseDuringRead: flag(true, 'Stop the machine while it is read. It goes on afterwards.'),
      keepAll: keepAll(),
    })
    .refine(({ baseline, baselineFile }) => baseline === undefined || baselineFile === undefined, {
      error: 'a task or a file, not both',
      path: ['baseline'],
    }),
  run: async (context, args) => {
    const { artifact, log, iteration } = context
    const actual = await standingStill(context, args.pauseDuringRead, () => pictureNow(context, args))
    const baseline = await baselineOf(context, args)
    if (!baseline) {
      await artifact(BASELINE, rgbaPng(actual))
      log('saved the picture to compare with')
      return {
        summary: { result: 'saved', width: actual.width, height: actual.height },
        artifacts: { baseline: `artifacts/${BASELINE}` },
      }
    }
    const { name, image: expected } = baseline
    const compared = comparePixels(expected, actual, args)
    if (compared && compared.pixels <= args.pixels) {
      log(compared.pixels === 0 ? 'same' : `${counted(compared.pixels, 'pixel')} differ, as many as may`)
      return { summary: { result: 'same', differingPixels: compared.pixels, comparedPixels: compared.compared } }
    }
    const folder = `${folderOf(args.keepAll, iteration)}difference/`
    await artifact(`${folder}expected.png`, rgbaPng(expected))
    await artifact(`${folder}actual.png`, rgbaPng(actual))
    if (compared) await artifact(`${folder}difference.png`, rgbaPng(compared.image))
    const text = compared
      ? `${counted(compared.pixels, 'pixel')} ${compared.pixels === 1 ? 'differs' : 'differ'} from ${name}`
      : `the picture has ${actual.width} x ${actual.height} pixels, and ${name} has ${expected.width} x ${expected.height}`
    log(text)
    if (args.failWhenDifferent)
      throw new AppError('CONFLICT', `The picture is another: ${text}.`, {
        hint: `What differs is in artifacts/${folder} of the task.`,
      })
    return {
      summary: {
        result: 'different',
        ...(compared
          ? { differingPixels: compared.pixels, comparedPixels: compared.compared, largest: compared.largest }
          : {}),
        ...(compared?.area ? { area: formatPixelArea(compared.area) } : {}),
      },
      artifacts: { differenceDir: `artifacts/${folder}` },
    }
  },
})

interface PictureArguments {
  readonly what: 'display' | 'memory' | 'sprites'
  readonly palette: 'machine' | keyof typeof palettes
}

async function pictureNow(context: OperationContext, { what, palette }: PictureArguments): Promise<RgbaImage> {
  const { machine, signal } = context
  const own = palette === 'machine' ? await machine.display?.palette?.(signal) : null
  const colours = palette === 'machine' ? (own ?? palettes.pepto) : palettes[palette]
  if (what === 'display') return pictureRgba(await requireFacet(machine, 'picture').read(signal), colours)
  const { image, video } = await readGraphicsParts(context, undefined, shownBank)
  const { ram, io, colorRam } = image
  if (what === 'sprites') {
    const sprites = decodeSprites(image)
    const width = sprites.length * SPRITE_WIDTH
    const row = new Uint8Array(width * SPRITE_HEIGHT)
    for (const { n, pixels } of sprites)
      for (let y = 0; y < SPRITE_HEIGHT; y++)
        row.set(pixels.subarray(y * SPRITE_WIDTH, (y + 1) * SPRITE_WIDTH), y * width + n * SPRITE_WIDTH)
    const clear = colours.length
    return indexedRgba(
      row.map((pixel) => (pixel === TRANSPARENT ? clear : pixel)),
      width,
      [...colours, CLEAR_COLOUR],
    )
  }
  const { characterRom } = video.charactersFromRom && isText(video) ? await withRom(context, image) : image
  const memory = { ram, colorRam, characterRom: characterRom ?? noRom, bank: video.bank }
  const standard = machine.status.standard ?? 'pal'
  return pictureRgba(renderPicture({ ...memory, registers: io.subarray(0, 0x2f), standard }).picture, colours)
}

interface Baseline {
  readonly name: string
  readonly image: RgbaImage
}

async function baselineOf(
  { readArtifact, task }: OperationContext,
  { baseline, baselineFile }: { baseline?: string | undefined; baselineFile?: string | undefined },
): Promise<Baseline | null> {
  const size = { width: MAX_SIDE, height: MAX_SIDE }
  if (baselineFile !== undefined) {
    const name = basename(baselineFile)
    return { name, image: readPng(await readBounded(baselineFile, MAX_PNG_BYTES, name), size) }
  }
  const [of = '', ...path] = (baseline ?? task).split('/')
  const paths = /\.png$/i.test(path.at(-1) ?? '') ? [path.join('/')] : PICTURES.map((name) => [...path, name].join('/'))
  for (const one of baseline === undefined ? [BASELINE] : paths) {
    try {
      return {
        name: baseline === undefined ? 'the first one' : `${of}/${one}`,
        image: readPng(await readArtifact(of, one), size),
      }
    } catch (error) {
      if (toFailure(error).code !== 'NOT_FOUND') throw error
    }
  }
  if (baseline === undefined) return null
  throw new AppError('NOT_FOUND', `${baseline} has no picture.`, { hint: `Looked for ${paths.join(' and ')}.` })
}
