import { existsSync } from 'node:fs'
import { palettes } from '@shared/c64/palettes'
import { counted } from '@shared/countedText'
import { comparePixels, type PixelComparison } from '@shared/graphics/comparePixels'
import { formatPixelArea, parsePixelArea } from '@shared/graphics/pixelArea'
import { exactPalette } from '@shared/graphics/pictures/paletteOf'
import type { RgbaImage } from '@shared/rgbaImage'
import { pictureRgba, readPng, rgbaPng } from '../../../files/png'
import { readBounded } from '../../../files/readBounded'
import { defineCommand, type CommandContext } from '../../command'
import { comparisonReport } from '../../comparisonReport'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { filePath, machine, number, required, texts, withDefault, type FilePath } from '../../parameters'
import { saveFile } from '../../saveFile'
import { graphicsGroup as group } from './group'

const MAX_PNG_BYTES = 16_000_000
const MAX_SIDE = 4096

export const graphicsCompare = defineCommand({
  group,
  name: 'compare',
  summary: 'Compare a picture with what a machine shows, or with another picture.',
  details:
    'Exits with 0 if the pictures are the same, within --tolerance and --pixels, and with 1 if they differ. The picture of the machine uses the palette of FILE if that is a known one, else the one that check uses, and includes the border. --save writes it as a baseline. If FILE does not exist yet and --save names it, the first picture is saved there.',
  positionals: {
    baseline: required(filePath('The PNG file to compare with.')),
    picture: filePath('Another PNG file; without it, what the machine shows.', 'OTHER'),
  },
  options: {
    machine: machine('The machine whose picture is compared.'),
    tolerance: withDefault(number('N', 'How far red, green and blue may each differ.', { min: 0, max: 255 }), 0),
    pixels: withDefault(
      number('N', 'How many pixels may differ by more than that.', { min: 0, max: MAX_SIDE * MAX_SIDE }),
      0,
    ),
    mask: texts('AREA', 'A part that is not compared, as width x height and place: 320x8+32+35.'),
    html: filePath('Write a page with both pictures, a slider between them, and what differs.'),
    save: filePath('Write the picture that was compared, as PNG: the next baseline.'),
  },
  data: {
    same: 'true or false, or null where there was nothing to compare with yet',
    pixels: 'that differ, or null where the sizes do',
    compared: 'pixels that are not masked, or null',
    largest: 'difference of a colour, or null',
    area: 'that holds what differs, or null',
    'html?': 'absolute path',
    'save?': 'absolute path',
  },
  examples: [
    'graphics compare title.png',
    'graphics compare title.png --tolerance 8 --mask 320x8+32+35 --html report.html',
    'graphics compare title.png other.png',
    'graphics compare new.png --save new.png',
  ],
  run: async (context, { baseline, picture, machine, tolerance, pixels, mask, html, save }) => {
    const masks = mask.map(parsePixelArea)
    if (save?.path === baseline.path && !existsSync(baseline.path)) {
      await saveFile(save, rgbaPng(await pictureOf(context, picture, machine)))
      const nothing = { same: null, pixels: null, compared: null, largest: null, area: null }
      context.output.result({ ...nothing, save: save.path }, `Saved the first picture as ${save.written}.`)
      return EXIT_OK
    }
    const expected = await readPicture(baseline)
    const actual = await pictureOf(context, picture, machine, expected)
    const compared = comparePixels(expected, actual, { tolerance, masks })
    const isSame = compared !== null && compared.pixels <= pixels
    const title = picture?.written ?? machine
    if (save) await saveFile(save, rgbaPng(actual))
    const said = describe(compared, expected, actual, picture === undefined)
    if (html)
      await saveFile(
        html,
        new TextEncoder().encode(
          comparisonReport({
            title: isSame ? 'The pictures are the same.' : said,
            about: `${baseline.written} and ${title}, tolerance ${tolerance}, ${counted(pixels, 'pixel')} may differ, ${counted(masks.length, 'mask')}.`,
            expected: { title: `Baseline (${baseline.written})`, png: rgbaPng(expected) },
            actual: { title: `Now (${title})`, png: rgbaPng(actual) },
            difference: compared && { title: 'Difference', png: rgbaPng(compared.image) },
          }),
        ),
      )
    context.output.result(
      {
        same: isSame,
        pixels: compared?.pixels ?? null,
        compared: compared?.compared ?? null,
        largest: compared?.largest ?? null,
        area: compared?.area ? formatPixelArea(compared.area) : null,
        ...(html ? { html: html.path } : {}),
        ...(save ? { save: save.path } : {}),
      },
      isSame && compared.pixels === 0 ? 'The pictures are the same.' : isSame ? `${said} So many may.` : said,
    )
    return isSame ? EXIT_OK : EXIT_FAILED
  },
})

function describe(
  compared: PixelComparison | null,
  expected: RgbaImage,
  actual: RgbaImage,
  isOfMachine: boolean,
): string {
  if (!compared)
    return `The sizes differ: ${expected.width} x ${expected.height} and ${actual.width} x ${actual.height} pixels.${isOfMachine ? ' A machine’s picture includes its border: make the baseline with “graphics compare”, a new file, and --save of the same file.' : ''}`
  const { pixels, largest, area } = compared
  const verb = pixels === 1 ? 'differs' : 'differ'
  return `${counted(pixels, 'pixel')} ${verb}, by ${largest} at most${area ? `, within ${formatPixelArea(area)}` : ''}.`
}

const readPicture = async ({ path, written }: FilePath): Promise<RgbaImage> =>
  readPng(await readBounded(path, MAX_PNG_BYTES, written), { width: MAX_SIDE, height: MAX_SIDE })

const pictureOf = (
  context: CommandContext,
  picture: FilePath | undefined,
  machine: string,
  baseline?: RgbaImage,
): Promise<RgbaImage> => (picture ? readPicture(picture) : machinePicture(context, machine, baseline))

async function machinePicture(
  { openSession, signal }: CommandContext,
  machine: string,
  baseline: RgbaImage | undefined,
): Promise<RgbaImage> {
  const session = await openSession()
  await session.connect(machine, signal)
  const picture = await session.client.call('memory.picture', { machine }, signal)
  const { colours } = await session.client.call('memory.palette', { machine }, signal)
  const palette = baseline && exactPalette(baseline, [palettes.pepto, ...(colours ? [colours] : [])])
  return pictureRgba(picture, palette ?? palettes.pepto)
}
