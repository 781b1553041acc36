import { extname } from 'node:path'
import { labelFileEndings, listingEndings } from '@shared/c64/labels/programLabel'

/** Where the labels of a program may lie: `game.vs` and `game.prg.elf` beside `game.prg`, whether they are there or not. */
export function pathsBeside(program: string): string[] {
  const stem = program.slice(0, program.length - extname(program).length)
  return [...labelFileEndings.map((ending) => `${stem}.${ending}`), `${program}.elf`].filter((path) => path !== program)
}

export const isListing = (path: string): boolean =>
  listingEndings.some((ending) => path.toLowerCase().endsWith(`.${ending}`))
