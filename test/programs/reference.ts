/** Reference pictures, which test programs of VICE's have beside them. */
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { palettes } from '@shared/c64/palettes'
import { readPng } from '../support/viceShot'
import { colorsOf } from './vice'

/** The colours of `references/NAME.prg.png`, or of `references/NAME.png`, in the palette of VICE's; null where there is none. */
export function referenceOf(program: string): Uint8Array | null {
  const names = [basename(program), basename(program, extname(program))]
  const file = names.map((name) => join(dirname(program), 'references', `${name}.png`)).find((file) => existsSync(file))
  return file === undefined ? null : colorsOf(readPng(file), palettes.pepto)
}

/** How many pixels differ; those that only one of the two has count. */
export function differentPixels(one: Uint8Array, other: Uint8Array): number {
  let count = Math.abs(one.length - other.length)
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (one[at] !== other[at]) count++
  return count
}
