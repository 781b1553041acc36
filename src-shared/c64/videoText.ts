import { formatAddress, formatRange } from './address'
import { colourName } from './palettes'
import { decodeVideo, ioByte, videoModeTitles, type Video } from './video'

export interface VideoLine {
  readonly what: string
  readonly text: string
}

const BANK_SIZE = 0x4000

/** @param io 4096 bytes from $D000 */
export function describeVideo(io: Uint8Array): VideoLine[] {
  const video = decodeVideo(io)
  if (!video.visible)
    return [
      { what: 'state', text: 'unknown: these do not look like VIC-II registers, as the I/O area is switched off' },
    ]
  return [
    {
      what: 'mode',
      text: `${videoModeTitles[video.mode]}${video.displayOn ? '' : ', but the display is off: all is border'}`,
    },
    {
      what: 'bank',
      text: `${video.bank} (${formatRange({ start: video.bankStart, end: video.bankStart + BANK_SIZE })})`,
    },
    { what: 'screen', text: formatAddress(video.screen) },
    graphicsOf(video),
    { what: 'size', text: `${video.columns} columns, ${video.rows} rows` },
    { what: 'scroll', text: `x ${video.scrollX}, y ${video.scrollY}` },
    { what: 'border', text: colourName(ioByte(io, 0xd020)) },
    { what: 'background', text: backgrounds(video, io).map(colourName).join(', ') },
    { what: 'sprites on', text: spritesOn(ioByte(io, 0xd015)) },
    { what: 'raster interrupt', text: (ioByte(io, 0xd01a) & 1) === 1 ? 'on' : 'off' },
  ]
}

function graphicsOf({ mode, bitmap, characters, charactersFromRom }: Video): VideoLine {
  if (mode === 'bitmap' || mode === 'multicolourBitmap') return { what: 'bitmap', text: formatAddress(bitmap) }
  const set = characters & 0x0800 ? 'small and capital letters' : 'capitals and graphics'
  return { what: 'characters', text: `${formatAddress(characters)}${charactersFromRom ? ` (ROM: ${set})` : ''}` }
}

function backgrounds({ mode }: Video, io: Uint8Array): number[] {
  const used = { text: 1, multicolourText: 3, bitmap: 0, multicolourBitmap: 1, extendedText: 4, invalid: 1 }[mode]
  return Array.from({ length: Math.max(1, used) }, (_, index) => ioByte(io, 0xd021 + index))
}

function spritesOn(bits: number): string {
  const on = Array.from({ length: 8 }, (_, n) => n).filter((n) => (bits >> n) & 1)
  return on.length === 0 ? 'none' : on.join(', ')
}
