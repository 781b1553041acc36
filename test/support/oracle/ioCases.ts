/**
 * All instructions on the registers of a CIA whose timers run: what they read tells in which cycle they read it, and
 * their dummy accesses clear interrupts or load timers.
 */
import { read, write } from './ciaCases'
import { blockOf, context, opcodes, randomRegisters, shapeOfOpcode } from './cpuCases'
import { quietSetup, type Block, type Case } from './program'
import { chance, type Chance } from './random'

const LDA = 0xa9
const LDX = 0xa2
const LDY = 0xa0
const STA_ZP = 0x85

/** The ports, the timers, the interrupt and the control registers; not the time of day, which would run. */
const registers = [0, 1, 4, 4, 4, 5, 6, 6, 7, 13, 13, 13, 14, 15]

/** Store what depends on the address, or set the stack pointer. */
const unstable = [0x93, 0x9b, 0x9c, 0x9e, 0x9f, 0xbb]
const onMemory = opcodes.filter(
  (opcode) =>
    ['abs', 'abx', 'aby', 'izx', 'izy'].includes(shapeOfOpcode.get(opcode) ?? '') &&
    ![0x20, 0x4c, ...unstable].includes(opcode),
)

/** In the zero page, where a pointer to a register is made. */
const POINTER = 0xe2

const word = (address: number): number[] => [address & 0xff, (address >> 8) & 0xff]
const point = (address: number): number[] => {
  const [low = 0, high = 0] = word(address)
  return [LDA, low, STA_ZP, POINTER, LDA, high, STA_ZP, POINTER + 1]
}

function onRegister(opcode: number, { byte, pick, once }: Chance): Block {
  const target = (once(3) ? 0xdd00 : 0xdc00) + pick(registers)
  const index = byte()
  switch (shapeOfOpcode.get(opcode)) {
    case 'abx':
      return [LDX, index, opcode, ...word(target - index)]
    case 'aby':
      return [LDY, index, opcode, ...word(target - index)]
    case 'izx':
      return [...point(target), LDX, index, opcode, (POINTER - index) & 0xff]
    case 'izy':
      return [...point(target - index), LDY, index, opcode, POINTER]
    default:
      return [opcode, ...word(target)]
  }
}

export function ioCase(seed: number, index: number, template: Uint8Array): Case {
  const random = context(chance(seed, index), template)
  const { below, once, pick } = random
  const setup = {
    ...quietSetup,
    timer1A: 1 + below(60),
    control1A: once(3) ? 0x19 : 0x11,
    mask1: once(3) ? 0x81 : 0x7f,
    timer2B: 1 + below(60),
    control2B: 0x11,
    mask2: once(4) ? 0x82 : 0x7f,
  }
  const blocks = Array.from({ length: 1 + below(5) }, () =>
    once(3) ? blockOf(pick(opcodes), random) : onRegister(pick(onMemory), random),
  )
  const timerB = [write(1, 6, below(40)), write(1, 7, 0), write(1, 15, 0x11)]
  return { registers: randomRegisters(random), setup, blocks: [...timerB, ...blocks, read(1, [13, 4, 6], 0)] }
}
