import { formatAddress } from '@shared/c64/address'
import { locationOf } from '@shared/c64/banking'
import {
  coveredBytes,
  coveredPages,
  coveredRanges,
  coverageKinds,
  type CoveredPage,
  type CoveredRange,
} from '@shared/c64/coverage'
import type { TouchedIn } from '@shared/contract/running'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, flag, machine, number } from '../../parameters'
import { nameLocations } from '../../place'
import { table } from '../../printed'
import { saveFile } from '../../saveFile'
import type { Session } from '../../session'
import { machineGroup as group } from './group'

const MAX_SECONDS = 600

export const machineCoverage = defineCommand({
  group,
  name: 'coverage',
  summary: 'Show which memory the CPU executed, read and wrote.',
  details:
    'Since the machine was started, or in its last seconds. What was executed is code, the rest is data. An instruction counts with its operands, as memory has them now. Code that was replaced since, by a loaded program or a write from outside, does not count. RAM, ROM and I/O at the same addresses are told apart.',
  options: {
    since: number('SECONDS', 'Only the last seconds of the machine’s time.', {
      min: 0.02,
      max: MAX_SECONDS,
      isWhole: false,
    }),
    pages: flag('A row for each page of 256 bytes, with how many of them were run, read and written.'),
    out: filePath('Write the rows to this file, as CSV.'),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    seconds: '--since, or null',
    bytes: '{ run, read, written }: how many, of RAM, ROM and I/O together',
    'ranges?': '[{ space, start, end, bytes, kinds, name }]; space: ram, rom or io; kinds: run, read and written',
    'pages?': '--pages: [{ space, start, run, read, written }]',
    'file?': '--out: absolute path',
  },
  examples: ['coverage', 'coverage --since 5 --json', 'coverage --pages --out pages.csv'],
  run: async ({ output, signal, openSession }, { since, pages, out, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const input = { machine, seconds: since ?? null }
    const { ram, rom, io } = await session.client.call('running.coverage', input, signal)
    const coverage = { ram: kindsOf(ram), rom: kindsOf(rom), io: kindsOf(io) }
    const bytes = Object.fromEntries(coverageKinds.map((kind) => [kind, coveredBytes(coverage, kind)]))
    const { data, rows } = pages
      ? ofPages(coveredPages(coverage))
      : await ofRanges(coveredRanges(coverage), session, machine, signal)
    if (out) await saveFile(out, new TextEncoder().encode(rows.map(csvLine).join('')))
    output.result(
      { machine, seconds: since ?? null, bytes, ...data, ...(out ? { file: out.path } : {}) },
      out ? `Saved ${out.written}.` : table(rows),
    )
    return EXIT_OK
  },
})

const kindsOf = ({ runs, reads, writes }: TouchedIn) => ({ run: runs, read: reads, written: writes })

function ofPages(covered: readonly CoveredPage[]) {
  const pages = covered.map(({ space, start, bytes }) => ({ space, start: formatAddress(start), ...bytes }))
  return {
    data: { pages },
    rows: [
      ['page', 'space', ...coverageKinds],
      ...pages.map(({ space, start, ...bytes }) => [start, space, ...coverageKinds.map((kind) => String(bytes[kind]))]),
    ],
  }
}

async function ofRanges(covered: readonly CoveredRange[], session: Session, machine: string, signal: AbortSignal) {
  const located = ({ space, start }: CoveredRange): number => locationOf(space, start)
  const names = await nameLocations(session, machine, covered.map(located), signal)
  const ranges = covered.map((range) => {
    const { space, start, end, kinds } = range
    const name = names.get(located(range))?.name ?? null
    return { space, start: formatAddress(start), end: formatAddress(end), bytes: end - start + 1, kinds, name }
  })
  return {
    data: { ranges },
    rows: [
      ['start', 'end', 'space', 'bytes', 'what', 'name'],
      ...ranges.map(({ space, start, end, bytes, kinds, name }) => [
        start,
        end,
        space,
        String(bytes),
        kinds.join(' '),
        name ?? '',
      ]),
    ],
  }
}

const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
