/** Every format that graphics are read from and written to. */
import type { GraphicsFormat } from '../format'
import { acme } from './acme'
import { apng } from './apng'
import { basicData } from './basicData'
import { ca65 } from './ca65'
import { gif } from './gif'
import { kickAssembler } from './kickAssembler'
import { koala } from './koala'
import { oscar64 } from './oscar64'
import { png } from './png'
import { tass64 } from './tass64'

export const graphicsFormats: readonly GraphicsFormat[] = [
  ...[koala, kickAssembler, acme, tass64, ca65, oscar64, basicData],
  ...[png, apng, gif],
]

const order = ['certain', 'likely', 'possible'] as const

/** The formats that a file may have, the likeliest first. */
export function formatsOf(file: Uint8Array, extension: string): GraphicsFormat[] {
  const judged = graphicsFormats.map((format) => ({ format, likeness: format.likeness?.(file, extension) ?? 'no' }))
  return order.flatMap((wanted) => judged.filter(({ likeness }) => likeness === wanted).map(({ format }) => format))
}

export const formatNamed = (id: string): GraphicsFormat | undefined =>
  graphicsFormats.find((format) => format.id === id)
