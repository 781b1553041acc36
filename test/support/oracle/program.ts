/** Programs of a few instructions whose addresses are known only when they are laid out. */

/** A byte of an address: of the block that many blocks farther on, or of an offset within this block. */
export interface AddressByte {
  readonly part: 'low' | 'high' | 'relative'
  readonly of: { readonly blocksAhead: number } | { readonly offset: number }
  /** Added to the address: an RTS goes on behind the one that it pulls. */
  readonly plus?: number
}

/** Instructions that stay together; what they need in registers they load themselves, so that any block can be left out. */
export type Block = readonly (number | AddressByte)[]

export interface Registers {
  readonly a: number
  readonly x: number
  readonly y: number
  readonly s: number
  readonly p: number
}

/** What the runner sets up before a case; see runner.asm. */
export interface Setup {
  readonly timer1A: number
  readonly control1A: number
  readonly timer2B: number
  readonly control2B: number
  readonly control2A: number
  readonly mask1: number
  readonly mask2: number
  /** $D011; 0 leaves the display off. */
  readonly screen: number
  readonly sprites: number
  readonly spriteY: number
  readonly delay: number
}

export interface Case {
  readonly registers: Registers
  readonly setup: Setup
  readonly blocks: readonly Block[]
}

/** No interrupts, display off, the stopwatch runs. */
export const quietSetup: Setup = {
  timer1A: 0xffff,
  control1A: 0,
  timer2B: 0xffff,
  control2B: 0,
  control2A: 0x11,
  mask1: 0x7f,
  mask2: 0x7f,
  screen: 0,
  sprites: 0,
  spriteY: 0,
  delay: 0x0101,
}

const JMP = 0x4c

/** The code of a case at an address; at its end it jumps to `finish`. */
export function layOut(blocks: readonly Block[], start: number, finish: number): number[] {
  const starts: number[] = []
  let at = start
  for (const block of blocks) {
    starts.push(at)
    at += block.length
  }
  const code = blocks.flatMap((block, index) => {
    const blockStart = starts[index] ?? at
    return block.map((item, position) => {
      if (typeof item === 'number') return item
      const { part, of, plus = 0 } = item
      const address = 'offset' in of ? blockStart + of.offset : (starts[index + of.blocksAhead] ?? at)
      if (part === 'relative') return (address - (blockStart + position + 1)) & 0xff
      const word = address + plus
      return part === 'low' ? word & 0xff : (word >> 8) & 0xff
    })
  })
  return [...code, JMP, finish & 0xff, finish >> 8]
}

export const codeSize = (blocks: readonly Block[]): number => blocks.reduce((size, { length }) => size + length, 3)
