import { bitsOf, collisionText, spriteCollisions } from '@shared/c64/spriteCollisions'
import { decodeVideo, ioByte, isText } from '@shared/c64/video'
import type { VideoStandard } from '@shared/contract/machine'
import { ownRom, type GraphicsImage } from '@shared/graphics/grab'

const NONE = 'no collision'
const noRom = new Uint8Array(0x1000)

export function collisionTexts(image: GraphicsImage | null, standard: VideoStandard): string[] {
  if (!image) return []
  const { ram, colorRam, io } = image
  const characterRom = ownRom(image)
  const video = decodeVideo(io)
  const { bank } = video
  const lacksText = isText(video) && video.charactersFromRom && characterRom === null
  const scene = { ram, colorRam, bank, standard, registers: io, characterRom: characterRom ?? noRom }
  return spriteCollisions(scene).map(({ sprites, foreground }) => {
    const known = collisionText({ sprites, foreground: foreground && !lacksText })
    if (!lacksText) return known || NONE
    return `${known || 'no collision with sprites'}; with text unknown: no character ROM`
  })
}

/** What $D01E and $D01F hold since the program last read them. */
export const latchedText = (io: Uint8Array): string =>
  `Latched since the program last read them: $D01E ${named(io, 0xd01e)}, $D01F ${named(io, 0xd01f)}`

function named(io: Uint8Array, address: number): string {
  const sprites = bitsOf(ioByte(io, address))
  return sprites.length === 0 ? 'none' : sprites.join(' ')
}
