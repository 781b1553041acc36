/** A picture of 320 x 200 pixels drawn from memory: all of it, and one in which little changed, against plain loops over the pixels. */
import { SCREEN_CELLS, type Bitmap, type TextScreen } from '@shared/graphics/artwork'
import { eachBitmapLine, eachScreenLine, type TakeLine } from '@shared/graphics/artworkPixels'
import { LinePicture } from '@shared/graphics/linePicture'
import { median, type Row } from './row'

const ROUNDS = 200
const colours = Uint32Array.from({ length: 16 }, (_, colour) => (0xff000000 | (colour * 0x0f0f0f)) >>> 0)
const noise = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (Math.imul(at + seed, 2654435761) >>> 15) & 0xff)

const text: TextScreen = {
  kind: 'screen',
  name: '',
  mode: 'multicolourText',
  columns: 40,
  rows: 25,
  border: 0,
  backgrounds: [6, 2, 3, 4],
  codes: noise(SCREEN_CELLS, 1),
  colours: noise(SCREEN_CELLS, 2).map((colour) => colour & 0x0f),
  characters: noise(2048, 3),
}
const fli: Bitmap = {
  kind: 'bitmap',
  name: '',
  mode: 'multicolourBitmap',
  background: 6,
  border: 0,
  bitmap: noise(8 * SCREEN_CELLS, 1),
  screen: noise(8 * SCREEN_CELLS, 2),
  colours: text.colours,
}
const rom = new Uint8Array(4096)

function medianOf(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  })
  return median(times)
}

/** What any redraw costs at least: a word for each pixel. */
function bareLoop(): number {
  const words = new Uint32Array(320 * 200)
  let round = 0
  return medianOf(() => {
    round++
    for (let at = 0; at < words.length; at++) words[at] = colours[(at + round) & 15] ?? 0
  })
}

function rowsOf(name: string, each: (take: TakeLine) => void, bare: number): Row[] {
  const picture = new LinePicture(40, 25, colours)
  const whole = medianOf(() => {
    picture.recolour(colours)
    each(picture.take)
  })
  const unchanged = medianOf(() => each(picture.take))
  return [
    { name: `${name}, all of it`, value: whole, unit: 'ms', bare, target: '4 ms of UI time', met: whole <= 4 },
    { name: `${name}, unchanged`, value: unchanged, unit: 'ms', bare },
  ]
}

export default function pictures(): Promise<Row[]> {
  const bare = bareLoop()
  return Promise.resolve([
    ...rowsOf('multicolour text', (take) => eachScreenLine(text, rom, take), bare),
    ...rowsOf('multicolour FLI', (take) => eachBitmapLine(fli, take), bare),
  ])
}
