import { extname } from 'node:path'
import { labelFileEndings, listingEndings } from '@shared/c64/labels/programLabel'

export function pathsBeside(program: string): string[] {
  const stem = program.slice(0, program.length - extname(program).length)
  return [...labelFileEndings.map((ending) => `${stem}.${ending}`), `${program}.elf`].filter((path) => path !== program)
}

export const isListing = (path: string): boolean =>
  listingEndings.some((ending) => path.toLowerCase().endsWith(`.${ending}`))
