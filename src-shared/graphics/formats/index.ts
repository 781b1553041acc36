/** Every format that graphics are read from and written to. */
import type { GraphicsFormat } from '../format'
import { koala } from './koala'

export const graphicsFormats: readonly GraphicsFormat[] = [koala]

const order = ['certain', 'likely', 'possible'] as const

/** The formats that a file may have, the likeliest first. */
export function formatsOf(file: Uint8Array, extension: string): GraphicsFormat[] {
  const judged = graphicsFormats.map((format) => ({ format, likeness: format.likeness?.(file, extension) ?? 'no' }))
  return order.flatMap((wanted) => judged.filter(({ likeness }) => likeness === wanted).map(({ format }) => format))
}

export const formatNamed = (id: string): GraphicsFormat | undefined =>
  graphicsFormats.find((format) => format.id === id)
