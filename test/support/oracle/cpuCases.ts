/** Random programs for the CPU: all opcodes but those that stop it. */
import { disassemble } from '@shared/c64/disassembler'
import type { AddressByte, Block, Case, Registers, Setup } from './program'
import { quietSetup } from './program'
import { chance, type Chance } from './random'
import { DATA_END, DATA_START, dataPointers, nearPointers, pointed, zeroPageData } from './template'

const LDA = 0xa9
const LDX = 0xa2
const LDY = 0xa0
const TXS = 0x9a
const JMP = 0x4c
const PHA = 0x48
const RTS = 0x60

interface Context extends Chance {
  readonly template: Uint8Array
  /** The VIC-II stops the CPU now and then. */
  readonly stolen: boolean
}

type Shape = 'implied' | 'immediate' | 'zp' | 'zpx' | 'zpy' | 'abs' | 'abx' | 'aby' | 'izx' | 'izy' | 'relative'

const shapes: readonly (readonly [RegExp, Shape])[] = [
  [/^\w+( A)?$/, 'implied'],
  [/ #/, 'immediate'],
  [/ \$12$/, 'zp'],
  [/ \$12,X/, 'zpx'],
  [/ \$12,Y/, 'zpy'],
  [/ \$3412$/, 'abs'],
  [/ \$3412,X/, 'abx'],
  [/ \$3412,Y/, 'aby'],
  [/ \(\$12,X\)/, 'izx'],
  [/ \(\$12\),Y/, 'izy'],
]

export const mnemonicOf = (opcode: number): string => textOf(opcode).slice(0, 3)
const textOf = (opcode: number): string => disassemble((at) => [opcode, 0x12, 0x34][at] ?? 0, 0).text

function shapeOf(opcode: number): Shape {
  if ((opcode & 0x1f) === 0x10) return 'relative'
  return shapes.find(([pattern]) => pattern.test(textOf(opcode)))?.[1] ?? 'implied'
}

/** All but those on which the CPU stops. */
export const opcodes = Array.from({ length: 0x100 }, (_, opcode) => opcode).filter((code) => mnemonicOf(code) !== 'JAM')
export const shapeOfOpcode = new Map(opcodes.map((opcode) => [opcode, shapeOf(opcode)]))

/** Change nothing but registers, flags or the top of the stack. */
const simple = opcodes.filter(
  (code) => shapeOfOpcode.get(code) === 'implied' && ![0x00, 0x40, 0x60, 0x6c, TXS].includes(code),
)
/** Fit in a loop that counts X. */
const keepX = simple.filter(
  (code) => !['LDX', 'TAX', 'TSX', 'INX', 'DEX', 'PHA', 'PHP', 'PLA', 'PLP'].includes(mnemonicOf(code)),
)
const branches = opcodes.filter((code) => shapeOfOpcode.get(code) === 'relative')

/** Stack pointers that leave what is pushed and pulled within the windows. */
const stackPointer = ({ below }: Chance): number => (0xf8 + below(0x20)) & 0xff

export const randomRegisters = (random: Chance): Registers => ({
  a: random.byte(),
  x: random.byte(),
  y: random.byte(),
  s: stackPointer(random),
  p: random.byte(),
})

const low = (of: AddressByte['of'], plus = 0): AddressByte => ({ part: 'low', of, plus })
const high = (of: AddressByte['of'], plus = 0): AddressByte => ({ part: 'high', of, plus })
const relative = (of: AddressByte['of']): AddressByte => ({ part: 'relative', of })
const word = (address: number): number[] => [address & 0xff, (address >> 8) & 0xff]

/** A block about one opcode. */
export function blockOf(opcode: number, random: Context): Block {
  const { byte, below, pick } = random
  const ahead = { blocksAhead: 1 + below(3) }
  switch (opcode) {
    case 0x00:
      return [opcode, byte()]
    case 0x20: {
      const inner = [pick(simple.filter((code) => (code & 0x9f) !== 0x08)), RTS]
      return [
        opcode,
        low({ offset: 6 }),
        high({ offset: 6 }),
        JMP,
        low({ blocksAhead: 1 }),
        high({ blocksAhead: 1 }),
        ...inner,
      ]
    }
    case 0x40:
      return [LDA, high(ahead), PHA, LDA, low(ahead), PHA, LDA, byte(), PHA, opcode]
    case 0x4c:
      return [opcode, low(ahead), high(ahead)]
    case 0x60:
      return [LDA, high(ahead, -1), PHA, LDA, low(ahead, -1), PHA, opcode]
    case 0x6c: {
      const at = random.once(3) ? 0x2fff : DATA_START + below(DATA_END - DATA_START - 1)
      const second = (at & 0xff00) | ((at + 1) & 0xff)
      return [LDA, low(ahead), 0x8d, ...word(at), LDA, high(ahead), 0x8d, ...word(second), opcode, ...word(at)]
    }
    case TXS:
      return [LDX, stackPointer(random), TXS]
    case 0xbb:
      return [...indexed(opcode, random), LDX, stackPointer(random), TXS]
    case 0x93:
    case 0x9b:
    case 0x9c:
    case 0x9e:
    case 0x9f:
      return unstableStore(opcode, random)
    default:
      return shapeOfOpcode.get(opcode) === 'relative' ? branch(opcode, random) : indexed(opcode, random)
  }
}

function indexed(opcode: number, { byte, below, pick, template }: Context): Block {
  const target = DATA_START + below(DATA_END - DATA_START)
  const index = byte()
  switch (shapeOfOpcode.get(opcode)) {
    case 'immediate':
      return [opcode, byte()]
    case 'zp':
      return [opcode, pick(zeroPageData)]
    case 'zpx':
      return [LDX, index, opcode, (pick(zeroPageData) - index) & 0xff]
    case 'zpy':
      return [LDY, index, opcode, (pick(zeroPageData) - index) & 0xff]
    case 'abs':
      return [opcode, ...word(target)]
    case 'abx':
      return [LDX, index, opcode, ...word(target - index)]
    case 'aby':
      return [LDY, index, opcode, ...word(target - index)]
    case 'izx':
      return [LDX, index, opcode, (pick(dataPointers) - index) & 0xff]
    case 'izy': {
      const { pointer, offset } = pointerTo(template, pick(nearPointers), target)
      return [LDY, offset, opcode, pointer]
    }
    default:
      return [opcode]
  }
}

/** What Y has to be for a pointer to reach the target, or the first byte of the data that it reaches. */
function pointerTo(template: Uint8Array, pointer: number, target: number): { pointer: number; offset: number } {
  const base = pointed(template, pointer)
  return { pointer, offset: Math.max(target - base, 0) }
}

/** Forwards, over some blocks; backwards; or as the end of a loop. */
function branch(opcode: number, { below, once, pick }: Context): Block {
  if (once(6))
    return [
      JMP,
      low({ offset: 6 }),
      high({ offset: 6 }),
      JMP,
      low({ blocksAhead: 1 }),
      high({ blocksAhead: 1 }),
      opcode,
      relative({ offset: 3 }),
    ]
  if (once(6)) return [LDX, 1 + below(3), pick(keepX), 0xca, 0xd0, relative({ offset: 2 })]
  return [opcode, relative({ blocksAhead: 1 + below(3) })]
}

/**
 * SHA, SHX, SHY and TAS store a register and the high byte of the address plus one; beyond the page's end what they store
 * is the address's high byte, too. While the VIC-II stops the CPU, the high byte may not take part.
 */
function unstableStore(opcode: number, random: Context): Block {
  const { byte, below, once, template } = random
  const crosses = !random.stolen && once(2)
  const stack = opcode === 0x9b
  const page = crosses ? 0x30 : 0
  const s = stack && crosses ? 0xf8 + below(8) : stackPointer(random)
  const spare = stack ? byte() & ~s : 0
  const a = stack ? s | spare : byte() | page
  const x = stack ? s | (byte() & ~s & ~spare) : byte() | page
  const y = byte() | page
  if (opcode === 0x93) {
    const base = pointed(template, 0xff)
    // The pointer at $FF points into page $2F.
    const offset = crosses ? 0x3000 - base + below(0x20) : below(0x3000 - base)
    return [LDA, a, LDX, x, LDY, offset, opcode, 0xff]
  }
  const index = opcode === 0x9c ? x : y
  const target = crosses ? 0x3000 + below(Math.min(index, 0x20)) : once(2) ? DATA_START + below(0x40) : 0
  const base = target === 0 ? 0x3000 : target - index
  const safe = crosses || base >> 8 === target >> 8
  const register = opcode === 0x9c ? LDX : LDY
  const other = opcode === 0x9c ? [LDY, y] : [LDX, x]
  // An index that would not stay within the page or the data is made small.
  if (safe && target !== 0) return [LDA, a, ...other, register, index, opcode, ...word(base)]
  const small = below(0x20)
  if (stack || opcode === 0x9f || opcode === 0x9e || opcode === 0x9c)
    return [LDA, a, ...other, register, small, opcode, ...word(once(2) ? 0x2fc0 : 0x3000)]
  return [opcode]
}

/** @param stolen the display is on */
export function context(random: Chance, template: Uint8Array, stolen = false): Context {
  return { ...random, template, stolen }
}

/** Instructions alone. */
export function cpuCase(seed: number, index: number, template: Uint8Array): Case {
  const random = context(chance(seed, index), template)
  return { registers: randomRegisters(random), setup: quietSetup, blocks: randomBlocks(random) }
}

function randomBlocks(random: Context, extra: readonly number[] = []): Block[] {
  const length = 1 + random.below(8)
  return Array.from({ length }, () =>
    blockOf(random.pick(random.once(3) && extra.length > 0 ? extra : opcodes), random),
  )
}

/** What makes the moment of an interrupt peculiar: CLI, SEI, PLP, RTI, BRK, branches, taken or not. */
const peculiar = [0x58, 0x78, 0x28, 0x40, 0x00, ...branches]

/** The cycles from the start of the timers to the first instruction of a case. */
export const ENTRY_CYCLES = 20

/** Interrupts that arrive at any cycle. */
export function interruptCase(seed: number, index: number, template: Uint8Array): Case {
  const random = context(chance(seed, index), template)
  const { below, once, pick } = random
  const [irq, nmi] = pick([
    [true, false],
    [false, true],
    [true, true],
  ] as const)
  const moment = (): number => ENTRY_CYCLES + below(60)
  // One shot, or again and again.
  const control = (): number => (once(4) ? 0x11 : 0x19)
  const setup: Setup = {
    ...quietSetup,
    ...(irq ? { timer1A: moment(), control1A: control(), mask1: 0x81 } : {}),
    ...(nmi ? { timer2B: moment(), control2B: control(), mask2: 0x82 } : {}),
  }
  return { registers: interruptible(random), setup, blocks: randomBlocks(random, peculiar) }
}

/** The VIC-II takes cycles: the display is on, with some sprites or none. */
export function stolenCase(seed: number, index: number, template: Uint8Array): Case {
  const random = context(chance(seed, index), template, true)
  return { registers: randomRegisters(random), setup: stealing(random), blocks: randomBlocks(random) }
}

/** An interrupt arrives while the VIC-II takes cycles, or shortly before or after. */
export function stolenInterruptCase(seed: number, index: number, template: Uint8Array): Case {
  const random = context(chance(seed, index), template, true)
  const moment = ENTRY_CYCLES + random.below(80)
  const irq = { timer1A: moment, control1A: 0x19, mask1: 0x81 }
  const nmi = { timer2B: moment, control2B: 0x19, mask2: 0x82 }
  const setup = { ...stealing(random), ...(random.once(2) ? irq : nmi) }
  return { registers: interruptible(random), setup, blocks: randomBlocks(random, peculiar) }
}

function stealing({ below, byte, once }: Chance): Setup {
  return {
    ...quietSetup,
    screen: 0x10 | (once(4) ? 0 : 0x08) | below(8),
    sprites: once(3) ? 0 : byte(),
    spriteY: 0x30 + below(0xb0),
    delay: byte() | ((1 + below(12)) << 8),
  }
}

/** The interrupt flag is clear more often than not. */
function interruptible(random: Chance): Registers {
  const registers = randomRegisters(random)
  return random.once(3) ? registers : { ...registers, p: registers.p & ~0x04 }
}
