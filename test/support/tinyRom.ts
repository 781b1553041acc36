/** A C64 whose KERNAL is a few bytes of a test's own. */
import { C64 } from '../../src-main/machine/builtin/c64'
import type { Roms } from '../../src-main/machine/builtin/pla'

/** Where the code lies, and reset starts. */
export const CODE = 0xe000

/** ROMs with `code` at $E000, and the interrupt vectors at $E100 (NMI) and $E200 (IRQ). */
export function romsWith(
  code: readonly number[],
  nmi: readonly number[] = [0x40],
  irq: readonly number[] = [0x40],
): Roms {
  const kernal = new Uint8Array(0x2000)
  kernal.set(code)
  kernal.set(nmi, 0x100)
  kernal.set(irq, 0x200)
  kernal.set([0x00, 0xe1, 0x00, 0xe0, 0x00, 0xe2], 0x1ffa)
  return { kernal, basic: new Uint8Array(0x2000).fill(0xba), character: new Uint8Array(0x1000).fill(0xcc) }
}

/** 6502 code, put together by hand: each line a few bytes. */
export const STORE = (value: number, address: number) => [0xa9, value, 0x8d, address & 0xff, address >> 8]
export const LOOP_FOREVER = (address: number) => [0x4c, address & 0xff, address >> 8]
export const SEI_BANKED = [0x78, ...STORE(0x37, 0x01), ...STORE(0x2f, 0x00)]
/** Until the low byte of the raster line is `line`; goes on in its cycle 4 to 12. */
export const WAIT_FOR_LINE = (line: number) => [0xa9, line, 0xcd, 0x12, 0xd0, 0xd0, 0xfb]

/** Runs `code`, then `loop` again and again; gives the machine after `frames`. */
export function run(
  code: readonly number[],
  frames = 2,
  { nmi, irq, loop = [] }: { nmi?: readonly number[]; irq?: readonly number[]; loop?: readonly number[] } = {},
): C64 {
  const start = [...SEI_BANKED, ...code]
  const machine = new C64(romsWith([...start, ...loop, ...LOOP_FOREVER(CODE + start.length)], nmi, irq), 'pal')
  for (let frame = 0; frame < frames; frame++) machine.runFrame()
  return machine
}
