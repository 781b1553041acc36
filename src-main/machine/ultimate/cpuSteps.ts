import { opcodes, type Opcode } from '@shared/c64/disassembler'

export const FETCH = 0
export const IDLE_NEXT = 1
export const LOW = 2
export const HIGH = 3
export const JUMP_HIGH = 4
export const IDLE_ZERO_PAGE = 5
export const POINTER_LOW = 6
export const INDEXED_POINTER_LOW = 7
export const POINTER_HIGH = 8
/** The address that is used is anywhere in the zero page. */
export const ZERO_PAGE_INDEX_READ = 9
export const ZERO_PAGE_INDEX_WRITE = 10
/** The index is added to the low byte only; the next step is skipped where that was right. */
export const INDEX_READ = 11
export const INDEX_ALWAYS = 12
export const READ = 13
export const WRITE = 14
/** The unchanged byte, before the changed one. */
export const WRITE_BACK = 15
/** The address's high byte is corrupted where the index crosses a page. */
export const UNSTABLE_WRITE = 16
export const BRANCH = 17
/** The opcode after the branch, or nothing if it is taken. */
export const BRANCH_NEXT = 18
export const BRANCH_DECIDED = 19
export const STACK_IDLE = 20
export const PULL = 21
export const PULL_LOW = 22
export const PULL_HIGH = 23
export const RETURN_IDLE = 24
export const PUSH = 25
export const PUSH_PC_HIGH = 26
export const PUSH_PC_LOW = 27
export const VECTOR_LOW = 28
export const VECTOR_HIGH = 29
export const INDIRECT_LOW = 30
export const INDIRECT_HIGH = 31
export const JAMMED = 32

const stores: ReadonlySet<string> = new Set(['STA', 'STX', 'STY', 'SAX'])
const unstableStores: ReadonlySet<string> = new Set(['SHA', 'SHX', 'SHY', 'TAS'])
const modifying: ReadonlySet<string> = new Set([
  'ASL',
  'LSR',
  'ROL',
  'ROR',
  'INC',
  'DEC',
  'SLO',
  'RLA',
  'SRE',
  'RRA',
  'DCP',
  'ISC',
])

const toVector = [PUSH_PC_HIGH, PUSH_PC_LOW, PUSH, VECTOR_LOW, VECTOR_HIGH]
const ofTheirOwn: ReadonlyMap<string, readonly number[]> = new Map([
  ['BRK', [IDLE_NEXT, ...toVector]],
  ['JSR', [LOW, STACK_IDLE, PUSH_PC_HIGH, PUSH_PC_LOW, JUMP_HIGH]],
  ['RTS', [IDLE_NEXT, STACK_IDLE, PULL_LOW, PULL_HIGH, RETURN_IDLE]],
  ['RTI', [IDLE_NEXT, STACK_IDLE, PULL, PULL_LOW, PULL_HIGH]],
  ['PHA', [IDLE_NEXT, PUSH]],
  ['PHP', [IDLE_NEXT, PUSH]],
  ['PLA', [IDLE_NEXT, STACK_IDLE, PULL]],
  ['PLP', [IDLE_NEXT, STACK_IDLE, PULL]],
  ['JAM', [JAMMED]],
])

function accessOf(mnemonic: string): number[] {
  if (stores.has(mnemonic)) return [WRITE]
  if (unstableStores.has(mnemonic)) return [UNSTABLE_WRITE]
  return modifying.has(mnemonic) ? [READ, WRITE_BACK, WRITE] : [READ]
}

function stepsOf({ mnemonic, mode }: Opcode): readonly number[] {
  const own = ofTheirOwn.get(mnemonic)
  if (own) return own
  const access = accessOf(mnemonic)
  const [first, ...rest] = access
  const index = access.length === 1 && first === READ ? INDEX_READ : INDEX_ALWAYS
  switch (mode) {
    case 'imp':
    case 'acc':
      return [IDLE_NEXT]
    case 'imm':
      return [LOW]
    case 'rel':
      return [BRANCH, BRANCH_NEXT, BRANCH_DECIDED]
    case 'zp':
      return [LOW, ...access]
    case 'zpx':
    case 'zpy':
      return [LOW, IDLE_ZERO_PAGE, first === READ ? ZERO_PAGE_INDEX_READ : ZERO_PAGE_INDEX_WRITE, ...rest]
    case 'abs':
      return mnemonic === 'JMP' ? [LOW, JUMP_HIGH] : [LOW, HIGH, ...access]
    case 'ind':
      return [LOW, HIGH, INDIRECT_LOW, INDIRECT_HIGH]
    case 'abx':
    case 'aby':
      return [LOW, HIGH, index, ...access]
    case 'izx':
      return [LOW, IDLE_ZERO_PAGE, INDEXED_POINTER_LOW, POINTER_HIGH, ...access]
    case 'izy':
      return [LOW, POINTER_LOW, POINTER_HIGH, index, ...access]
  }
}

export const stepsByOpcode: readonly Uint8Array[] = opcodes.map((opcode) => Uint8Array.of(...stepsOf(opcode), FETCH))

/** An opcode that is read twice means that an interrupt takes its place. */
export const interruptSteps = Uint8Array.of(...toVector, FETCH)

export const fetchSteps = Uint8Array.of(FETCH)

export const MAX_INSTRUCTION_CYCLES = 8
