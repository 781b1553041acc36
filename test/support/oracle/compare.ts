/** Runs cases on two machines; finds those that differ, and makes them small. */
import { disassemble } from '@shared/c64/disassembler'
import { formatAddress, formatByte } from '@shared/c64/address'
import { buildImage, casesLeft, fitting, readResults, strayWrites, type Image, type Result } from './image'
import type { TestedMachine } from './machine'
import { codeSize, layOut, type Block, type Case } from './program'

/** More would fit only where they are all very small. */
const MOST_CASES = 1_000

export interface Machines {
  readonly builtin: TestedMachine
  readonly vice: TestedMachine
}

export interface Difference {
  /** Among all cases of the run. */
  readonly index: number
  readonly tried: Case
  readonly start: number
  /** Or why it has none. */
  readonly builtin: Result | string
  readonly vice: Result
}

interface ImageRun {
  readonly starts: readonly number[]
  readonly builtin: readonly Result[]
  readonly vice: readonly Result[]
  readonly stray: readonly number[]
  /** Whether a case is to differ. */
  readonly isKnown: (index: number) => boolean
  /** The case that the built-in C64 did not get through. */
  readonly stopped?: { readonly index: number; readonly reason: string }
}

/** Results of cases that fit in one image. */
async function runImage(
  machines: Machines,
  cases: readonly Case[],
  template: Uint8Array,
  codeStart?: number,
): Promise<ImageRun> {
  const image = buildImage(cases, template, codeStart)
  const theirs = machines.vice.run(image.ram)
  const [ours, { ram: viceRam, stopped }] = await Promise.all([machines.builtin.run(image.ram), theirs])
  const left = casesLeft(viceRam)
  if (stopped !== undefined) throw new Error(`${stopped}\n${listingOf(image, cases.length - left)}`)
  if (left > 0) throw new Error(`The runner has no room for the results of ${left} cases.`)
  const results = {
    starts: image.starts,
    builtin: readResults(ours.ram, cases.length),
    vice: readResults(viceRam, cases.length),
    isKnown: (index: number) => ours.knownDifferences?.has(cases.length - index) === true,
  }
  if (ours.stopped === undefined) return { ...results, stray: strayWrites(ours.ram, viceRam) }
  return { ...results, stray: [], stopped: { index: cases.length - casesLeft(ours.ram), reason: ours.stopped } }
}

function listingOf({ cases, starts }: Image, index: number): string {
  const [tried, start] = [cases[index], starts[index]]
  return tried && start !== undefined ? describeCase(tried, start).join('\n') : `There is no case ${index}.`
}

/** The cases that do not end the same on both machines. */
export async function compareAll(
  machines: Machines,
  cases: readonly Case[],
  template: Uint8Array,
): Promise<Difference[]> {
  const found: Difference[] = []
  let first = 0
  while (first < cases.length) {
    const rest = cases.slice(first, first + MOST_CASES)
    const batch = rest.slice(0, fitting(rest))
    const run = await runImage(machines, batch, template)
    const done = run.stopped ? run.stopped.index + 1 : batch.length
    for (let index = 0; index < done; index++) {
      const difference = differenceOf(run, batch, index)
      if (difference) found.push({ ...difference, index: first + index })
    }
    if (run.stray.length > 0 && found.length === 0)
      throw new Error(
        `A case from ${first} to ${first + done - 1} wrote to ${run.stray.slice(0, 8).map(formatAddress).join(', ')}.`,
      )
    first += done
  }
  return found
}

function differenceOf(run: ImageRun, cases: readonly Case[], index: number): Difference | undefined {
  const [builtin, vice, start, tried] = [run.builtin[index], run.vice[index], run.starts[index], cases[index]]
  if (!builtin || !vice || start === undefined || !tried) return undefined
  if (index === run.stopped?.index) return { index, tried, start, builtin: run.stopped.reason, vice }
  if (isSame(builtin, vice) !== run.isKnown(index)) return undefined
  return { index, tried, start, builtin: run.isKnown(index) ? NO_LONGER_DIFFERS : builtin, vice }
}

/** Then knownDifference.ts is not true any more. */
const NO_LONGER_DIFFERS = 'The known difference was to be seen here, and both machines do the same.'

const isSame = (ours: Result, theirs: Result): boolean =>
  (['a', 'x', 'y', 's', 'p', 'timer', 'later'] as const).every((name) => ours[name] === theirs[name]) &&
  ours.memory.size === theirs.memory.size &&
  [...ours.memory].every(([address, byte]) => theirs.memory.get(address) === byte)

/** The smallest case that still differs; the one given where it only differs after those before it. */
export async function shrink(machines: Machines, difference: Difference, template: Uint8Array): Promise<Difference> {
  const tryCase = async (tried: Case): Promise<Difference | undefined> => {
    // A case of another size ends where the original ended, as branches there may cross a page.
    const start = difference.start + codeSize(difference.tried.blocks) - codeSize(tried.blocks)
    const found = differenceOf(await runImage(machines, [tried], template, start), [tried], 0)
    return found && { ...found, index: difference.index }
  }
  let smallest = await tryCase(difference.tried)
  if (!smallest) return difference
  for (let index = smallest.tried.blocks.length - 1; index >= 0; index--) {
    const blocks: readonly Block[] = smallest.tried.blocks.filter((_, other) => other !== index)
    smallest = (await tryCase({ ...smallest.tried, blocks })) ?? smallest
  }
  return smallest
}

/** The case as a listing, and what both machines made of it. */
export function describeDifference({ index, tried, start, builtin, vice }: Difference): string {
  const results = typeof builtin === 'string' ? [`  ${builtin}`] : compareResults(builtin, vice)
  return [`case ${index}`, ...describeCase(tried, start), ...results].join('\n')
}

function describeCase(tried: Case, start: number): string[] {
  const { a, x, y, s, p } = tried.registers
  const code = layOut(tried.blocks, start, 0)
  const lines = [`  A=${formatByte(a)} X=${formatByte(x)} Y=${formatByte(y)} SP=${formatByte(s)} P=${flagText(p)}`]
  lines.push(`  setup ${JSON.stringify(tried.setup)}`)
  for (let at = start; at < start + code.length - 3;) {
    const { bytes, text } = disassemble((address) => code[address - start] ?? 0, at)
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    lines.push(`  ${formatAddress(at)}  ${hex.padEnd(9)} ${text}`)
    at += bytes.length
  }
  return lines
}

function compareResults(builtin: Result, vice: Result): string[] {
  const lines = [`${' '.repeat(22)}built-in    x64sc`]
  const row = (name: string, ours: string, theirs: string): void => {
    lines.push(`${ours === theirs ? '  ' : '≠ '}${name.padEnd(20)}${ours.padEnd(12)}${theirs}`)
  }
  for (const name of ['a', 'x', 'y', 's'] as const)
    row(name.toUpperCase(), formatByte(builtin[name]), formatByte(vice[name]))
  row('flags', flagText(builtin.p), flagText(vice.p))
  row('stopwatch', String(0xffff - builtin.timer), String(0xffff - vice.timer))
  row('CIA 1, timer B later', formatByte(builtin.later), formatByte(vice.later))
  for (const address of [...new Set([...builtin.memory.keys(), ...vice.memory.keys()])].sort((one, two) => one - two)) {
    const [ours, theirs] = [builtin.memory.get(address), vice.memory.get(address)]
    row(formatAddress(address), byteText(ours), byteText(theirs))
  }
  return lines
}

const byteText = (byte: number | undefined): string => (byte === undefined ? 'unchanged' : formatByte(byte))

const flagText = (flags: number): string =>
  Array.from('NV-BDIZC', (name, index) => ((flags & (0x80 >> index)) === 0 ? '.' : name)).join('')
