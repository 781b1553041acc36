import { formatAddress } from '@shared/c64/address'
import { textPattern } from '@shared/c64/search/textPatterns'
import type { Space } from '@shared/contract/memory'
import type { CheckedMachine } from './checkedMachine'
import { compareBytes, compareCycles, compareRegisters, compareText, type ExpectedByte } from './compareMemory'
import { compareScreen, type Mismatch } from './compareScreen'
import type { Cycles, Expectation, Memory } from './planSchema'

const DEFAULT_TIMEOUT_S = 10
const RTS_BYTES = 2

type Checked = Pick<Expectation, 'screen' | 'memory' | 'registers' | 'condition' | 'cycles'>

interface Context {
  readonly machine: CheckedMachine
  readonly contents: ReadonlyMap<string, Uint8Array>
  readonly signal: AbortSignal
}

/**
 * All but pictures.
 * @returns null where nothing differs
 * @throws AppError for what the machine cannot do
 */
export async function checkExpectation(expectation: Checked, context: Context): Promise<Mismatch | null> {
  const { machine, signal } = context
  const { screen, memory, registers, condition, cycles } = expectation
  if (screen) return compareScreen(await machine.screen(signal), screen)
  if (memory) return await checkMemory(memory, context)
  if (registers) {
    machine.require('registers')
    const { flags = {}, pc, ...bytes } = registers
    const values = new Map<string, number>(
      Object.entries(bytes).flatMap(([name, value]) =>
        value === undefined ? [] : [[name.toUpperCase(), value] as const],
      ),
    )
    if (pc !== undefined) values.set('PC', await machine.resolve(pc, signal))
    const found = [...(await machine.registers(signal))].map(([name, value]) => ({ name, value, bits: 8 }))
    return compareRegisters(found, { values, flags })
  }
  if (condition !== undefined) return await checkCondition(condition, context)
  return cycles ? await checkCycles(cycles, context) : null
}

async function checkCondition(condition: string, { machine, signal }: Context): Promise<Mismatch | null> {
  const { values } = await machine.session.client.call(
    'labels.evaluate',
    { machine: machine.name, expressions: [condition] },
    signal,
  )
  const value = values[0] ?? 0
  if (value !== 0) return null
  return { message: `${condition} is not true.`, expected: 'anything but 0', found: String(value) }
}

async function checkMemory(
  { at, bank = 'cpu', ...memory }: Memory,
  { machine, contents, signal }: Context,
): Promise<Mismatch | null> {
  const { start, end } = await machine.range(at, true, signal)
  const named = at.startsWith('$') ? at : `${at} (${formatAddress(start)})`
  const room = start === end ? 0x10000 - start : end - start + 1
  const read = async (length: number, what: string): Promise<Uint8Array | Mismatch> => {
    if (length > room || (start !== end && length !== room))
      return {
        message: `${named} has room for ${room} bytes, and ${what} has ${length}.`,
        expected: `${length} bytes`,
        found: `${room} bytes`,
      }
    return await readBytes(machine, { space: bank, address: start, length }, signal)
  }
  if (memory.text !== undefined) {
    const { text } = memory
    const pattern = textPattern(text, memory.code ?? 'petscii')
    const found = await read(pattern.length, 'the text')
    return found instanceof Uint8Array ? compareText(named, start, found, { text, pattern }) : found
  }
  const content = memory.file === undefined ? undefined : contents.get(memory.file)
  const expected: readonly ExpectedByte[] = content ? [...content] : (memory.bytes ?? [])
  const whole =
    expected.length === 1 && start !== end ? new Array<ExpectedByte>(room).fill(expected[0] ?? null) : expected
  const found = await read(whole.length, content ? (memory.file ?? '') : 'bytes')
  return found instanceof Uint8Array ? compareBytes(named, start, found, whole) : found
}

const readBytes = async (
  machine: CheckedMachine,
  range: { readonly space: Space; readonly address: number; readonly length: number },
  signal: AbortSignal,
): Promise<Uint8Array> =>
  (await machine.session.client.call('memory.read', { machine: machine.name, ...range }, signal)).bytes

async function checkCycles(cycles: Cycles, { machine, signal }: Context): Promise<Mismatch | null> {
  const { from, to, subroutine, timeout = DEFAULT_TIMEOUT_S } = cycles
  machine.require('trace')
  const first = subroutine ?? from ?? ''
  const start = await machine.resolve(first, signal)
  const end = to === undefined ? null : await machine.resolve(to, signal)
  const before = await machine.registers(signal)
  if (before.get('PC') !== start) await machine.runToTarget(start, { name: first, seconds: timeout }, signal)
  const stack = (await machine.registers(signal)).get('SP') ?? 0
  const back = end ?? (await returnAddress(machine, stack, signal))
  const begun = await machine.clock(signal)
  const name = to ?? `the return of ${first}`
  const isThere = async (): Promise<boolean> => {
    const registers = await machine.registers(signal)
    const isBack = end !== null || registers.get('SP') === ((stack + RTS_BYTES) & 0xff)
    return registers.get('PC') === back && isBack
  }
  const deadline = performance.now() + timeout * 1000
  while (!(await isThere())) await machine.runToTarget(back, { name, seconds: timeout, deadline }, signal)
  const counted = (await machine.clock(signal)) - begun
  return compareCycles(subroutine === undefined ? `From ${first} to ${name}` : first, counted, cycles)
}

async function returnAddress(machine: CheckedMachine, stack: number, signal: AbortSignal): Promise<number> {
  const page = await readBytes(machine, { space: 'ram', address: 0x0100, length: 0x100 }, signal)
  const low = page[(stack + 1) & 0xff] ?? 0
  const high = page[(stack + 2) & 0xff] ?? 0
  return (((high << 8) | low) + 1) & 0xffff
}
