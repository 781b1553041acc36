import type { GraphicsFormat } from '../format'
import { acme } from './acme'
import { apng } from './apng'
import { advancedArtStudio, artStudio } from './artStudio'
import { basicData } from './basicData'
import { ca65 } from './ca65'
import { charPad } from './charPad'
import { blackmailFli, fliDesigner } from './fli'
import { gif } from './gif'
import { kickAssembler } from './kickAssembler'
import { koala } from './koala'
import { oscar64 } from './oscar64'
import { petmate } from './petmate'
import { png } from './png'
import { prgFormats, rawFormats } from './raw'
import { spritemate } from './spritemate'
import { spritePad1, spritePad2, spritePad5 } from './spritePad'
import { tass64 } from './tass64'
import { viewer } from './viewer'

export const graphicsFormats: readonly GraphicsFormat[] = [
  spritePad5,
  spritePad2,
  spritePad1,
  spritemate,
  charPad,
  petmate,
  koala,
  artStudio,
  advancedArtStudio,
  fliDesigner,
  blackmailFli,
  kickAssembler,
  acme,
  tass64,
  ca65,
  oscar64,
  basicData,
  png,
  apng,
  gif,
  viewer,
  ...rawFormats,
  ...prgFormats,
]

const order = ['certain', 'likely', 'possible'] as const

export function formatsOf(file: Uint8Array, extension: string): GraphicsFormat[] {
  const judged = graphicsFormats.map((format) => ({ format, likeness: format.likeness?.(file, extension) ?? 'no' }))
  return order.flatMap((wanted) => judged.filter(({ likeness }) => likeness === wanted).map(({ format }) => format))
}

export const formatNamed = (id: string): GraphicsFormat | undefined =>
  graphicsFormats.find((format) => format.id === id)
