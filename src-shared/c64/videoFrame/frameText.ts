import type { VideoFrame } from '../../contract/videoFrame'
import { counted } from '../../countedText'
import { formatAddress } from '../address'
import { colourName } from '../palettes'
import { videoModeTitles } from '../video'
import type { FrameBand } from './frameBands'
import type { FrameSprite, SpriteChange } from './frameSprites'

export interface BandGroup {
  readonly firstLine: number
  readonly lastLine: number
  readonly bands: readonly FrameBand[]
}

const LOW_LINES = 2
const MANY_LOW = 6

export function groupBands(bands: readonly FrameBand[]): BandGroup[] {
  const groups: BandGroup[] = []
  let low: FrameBand[] = []
  const add = (together: readonly FrameBand[]): void => {
    const [first] = together
    const last = together.at(-1)
    if (first && last) groups.push({ firstLine: first.firstLine, lastLine: last.lastLine, bands: together })
  }
  const endLow = (): void => {
    if (low.length >= MANY_LOW) add(low)
    else for (const band of low) add([band])
    low = []
  }
  for (const band of bands) {
    if (Math.abs(band.lastLine - band.firstLine) < LOW_LINES) low.push(band)
    else {
      endLow()
      add([band])
    }
  }
  endLow()
  return groups
}

export const linesText = ({ firstLine, lastLine }: Pick<FrameBand, 'firstLine' | 'lastLine'>): string =>
  firstLine === lastLine ? String(firstLine) : `${firstLine} to ${lastLine}`

export function bandText({ bands }: BandGroup): string {
  const [band] = bands
  if (!band) return ''
  if (bands.length > 1) return `${bands.length} bands of 1 or ${LOW_LINES} lines`
  if (band.inBorder) return `border ${colourName(band.border)}`
  const { video, border, backgrounds } = band
  if (!video.displayOn) return `display off, border ${colourName(border)}`
  const isBitmap = video.mode === 'bitmap' || video.mode === 'multicolourBitmap'
  const place = isBitmap ? `bitmap ${formatAddress(video.bitmap)}` : charactersText(band)
  return [
    `${videoModeTitles[video.mode]}, screen ${formatAddress(video.screen)}, ${place}`,
    ...(video.mode === 'bitmap' ? [] : [`background ${backgroundsOf(band).map(colourName).join(', ')}`]),
    `border ${colourName(border)}`,
    ...(backgrounds.length > 0 && (video.columns === 38 || video.rows === 24)
      ? [`${video.columns} columns, ${video.rows} rows`]
      : []),
  ].join(', ')
}

const charactersText = ({ video }: FrameBand): string =>
  `characters ${formatAddress(video.characters)}${video.charactersFromRom ? ' (ROM)' : ''}`

function backgroundsOf({ video, backgrounds }: FrameBand): readonly number[] {
  if (video.mode === 'extendedText') return backgrounds
  return video.mode === 'multicolourText' ? backgrounds.slice(0, 3) : backgrounds.slice(0, 1)
}

export const changedText = ({ bands }: BandGroup): string =>
  [...new Set(bands.flatMap(({ changed }) => changed))]
    .sort((a, b) => a - b)
    .map(formatAddress)
    .join(', ')

const partTitles: Readonly<Record<SpriteChange['part'], string>> = {
  x: 'x',
  pointer: 'pointer',
  colour: 'colour',
  multicolour: 'multicolour',
  multicolour1: '$D025',
  multicolour2: '$D026',
  expandX: 'double width',
  expandY: 'double height',
  behind: 'behind the foreground',
}
const colours: ReadonlySet<string> = new Set(['colour', 'multicolour1', 'multicolour2'])

const TOLD_CHANGES = 3

export function spriteChangesText({ changes }: Pick<FrameSprite, 'changes'>): string {
  if (changes.length > TOLD_CHANGES) {
    const parts = [...new Set(changes.map(({ part }) => partTitles[part]))]
    return `${counted(changes.length, 'change')} while it is shown: ${parts.join(', ')}`
  }
  return changes.map(changeText).join(', ')
}

function changeText({ line, part, to }: SpriteChange): string {
  const value = typeof to === 'boolean' ? (to ? 'on' : 'off') : colours.has(part) ? colourName(to) : String(to)
  return `${partTitles[part]} ${value} from line ${line}`
}

export function frameNotes({ isCut, cost, changes }: Pick<VideoFrame, 'isCut' | 'cost' | 'changes'>): string[] {
  return [
    ...(isCut ? ['The frame is not whole: the machine stopped, or too much was written in it.'] : []),
    ...(cost ? [`The machine was held ${counted(cost.stops, 'time')}, ${cost.ms} ms altogether, to follow it.`] : []),
    ...(changes.length === 0 ? ['The program wrote nothing new to the VIC-II in this frame.'] : []),
  ]
}

export function spriteCountText(sprites: readonly FrameSprite[]): string {
  const hidden = sprites.filter(({ inBorder }) => inBorder).length
  const shown = counted(sprites.length - hidden, 'sprite')
  return hidden === 0 ? `${shown} shown over a frame.` : `${shown} shown over a frame, ${hidden} more under the border.`
}
