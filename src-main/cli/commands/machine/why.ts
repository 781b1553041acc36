import { formatAddress, formatByte, formatChange } from '@shared/c64/address'
import { locationOf } from '@shared/c64/banking'
import { byteReadings, type ByteReadings } from '@shared/c64/byteReadings'
import { cycleText } from '@shared/c64/cycleText'
import { notedTimes, otherWriter, targetText } from '@shared/notedWriteText'
import type { DescribedAddress } from '@shared/contract/labels'
import type { NotedByte, NotedWrite } from '@shared/contract/running'
import { withoutInstruction } from '@shared/byteAccess'
import type { ByteAccess, ByteHistory, ByteWrite } from '@shared/contract/timeTravel'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, machine, required } from '../../parameters'
import { nameAddresses, nameLocations, place, resolvePlace } from '../../place'
import { table, type Block } from '../../printed'
import { UsageError } from '../../usageError'
import { usesOfByte } from '../../usesOfByte'
import { machineGroup as group } from './group'

export const machineWhy = defineCommand({
  group,
  name: 'why',
  summary: 'Show what a byte is for, who wrote it, who read it, and its last changes.',
  details:
    'The byte is the one that the CPU sees: at $D000 to $DFFF the chip, unless the program has switched it off. Where the CPU sees a ROM, writes go to the RAM under it. The built-in C64 knows past writes. Other machines note writes only from --watch on. VICE stops for a moment at each write, which slows it. An Ultimate 64 sends its bus cycles and is not disturbed, but packets can be lost, and its video stream has to be off. Elsewhere the samples that the window or a recording takes are compared, which shows neither the writer nor what happened between two samples. Disconnecting ends it.',
  positionals: { address: required(place('The address of the byte.')) },
  options: {
    watch: flag('Note who writes it from now on.'),
    unwatch: flag('Stop noting who writes it.'),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    address: 'such as $D020',
    value: 'of the byte',
    readings: '{ decimal, signed, binary, petscii, screenCode }',
    uses: 'what the byte is for now, in words',
    'seen?': 'what the CPU reads there now: ram, rom or io; lastRead and lastRunCyclesAgo are of this (built-in)',
    'written?': 'what it writes there now: ram or io; lastWrite and changes are of this (built-in)',
    lastWrite:
      '{ cyclesAgo, by, text, cause, from, to }, or null; by and text are null for an interrupt, and where cause is write (yours or a task’s), load, typing or reset',
    lastRead: '{ cyclesAgo, by, text, cause }, or null',
    lastRunCyclesAgo: 'when it was run as the first byte of an instruction, or null',
    changes: '[{ cyclesAgo, by, text, cause, from, to }], newest first',
    searchedCycles: 'how far back changes were searched, or null',
    'writers?':
      '[{ count, cyclesAgo, by, text, cause, from, to }], each writer once with its last write, newest first (built-in)',
    'writersCycles?': 'how far back all writers are known (built-in)',
    noted:
      '{ since, by, reason, lost, count, writes }, or null; by is checkpoint, bus or samples; each write with time, by, text, cause (instruction, interrupt, dma or null), cycle, target (ram, io, port, cartridge, nothing or null), from and to',
  },
  examples: ["why '$d020'", 'why VIC.BORDER --json', "why '$d020' --watch --machine ultimate:192.168.1.64"],
  run: async ({ output, signal, openSession }, { address: written, watch, unwatch, machine }) => {
    if (watch && unwatch) throw new UsageError('Give --watch or --unwatch, not both.', 'why')
    const session = await openSession()
    if (watch) session.requireLastingConnection(machine)
    const { start: address } = await resolvePlace(openSession, machine, written, signal)
    await session.connectLasting(machine, signal)
    const { client } = session
    if (watch) await client.call('running.noteWrites', { machine, address }, signal)
    if (unwatch) await client.call('running.endNotes', { machine, address }, signal)
    const { bytes } = await client.call('memory.read', { machine, space: 'cpu', address, length: 1 }, signal)
    const value = bytes[0] ?? 0
    const title = (place: DescribedAddress | undefined): string => {
      const called = [formatAddress(address), address, place?.called ?? null].filter((part) => part !== null)
      return `${called.join(' = ')} holds ${formatByte(value)}`
    }
    const { machines } = await client.call('machine.list', {}, signal)
    const state = machines.find((listed) => listed.machine === machine)
    const uses = state ? await usesOfByte(session, { state, address, value }, signal) : []
    const readings = byteReadings(value)
    const about = { machine, address: formatAddress(address), value, readings, uses }
    if (state?.capabilities.timeTravel !== null) {
      const noted = await client.call('running.notedWrites', { machine }, signal)
      const found = noted.bytes.find((byte) => byte.address === address) ?? null
      const { located, unlocated } = writersIn(found)
      const names = await nameAddresses(session, machine, { addresses: [address, ...unlocated] }, signal)
      const locations = await nameLocations(session, machine, located, signal)
      const placeOf: PlaceOfWriter = ({ space, address }) =>
        space === null ? names.get(address) : locations.get(locationOf(space, address))
      const data = {
        ...about,
        lastWrite: null,
        lastRead: null,
        lastRunCyclesAgo: null,
        changes: [],
        searchedCycles: null,
        noted: found && notedData(found),
      }
      output.result(data, [title(names.get(address)), aboutText(readings, uses), ...notedText(found, placeOf)])
      return EXIT_OK
    }
    const history = await client.call('timeTravel.byteHistory', { machine, address }, signal)
    const here = locationOf(history.seen, address)
    const names = await nameLocations(session, machine, [here, ...accessorsOf(history)], signal)
    const { clock, lastWrite, lastRead, lastRun, changes, since, writers, writersSince } = history
    const data = {
      ...about,
      seen: history.seen,
      written: history.written,
      lastWrite: lastWrite && writeData(lastWrite, clock),
      lastRead: lastRead && accessData(lastRead, clock),
      lastRunCyclesAgo: lastRun === null ? null : clock - lastRun,
      changes: changes.map((change) => writeData(change, clock)),
      searchedCycles: clock - since,
      writers: writers.map((writer) => ({ count: writer.count, ...writeData(writer, clock) })),
      writersCycles: clock - writersSince,
      noted: null,
    }
    output.result(data, [title(names.get(here)), aboutText(readings, uses), table(rowsOf(history, names))])
    return EXIT_OK
  },
})

const aboutText = ({ decimal, signed, binary, petscii, screenCode }: ByteReadings, uses: readonly string[]): Block =>
  table([
    [
      'read as',
      `${[...new Set([decimal, signed])].join('  ')}  ${binary}  PETSCII ${petscii}  screen code ${screenCode}`,
    ],
    ...uses.map((use, index) => [index === 0 ? 'is' : '', use]),
  ])

const accessData = ({ clock, by, cause }: ByteAccess, now: number) => ({
  cyclesAgo: now - clock,
  by: by && formatAddress(by.address),
  text: by?.text ?? null,
  cause,
})

const writeData = (write: ByteWrite, now: number) => ({ ...accessData(write, now), from: write.from, to: write.to })

const accessorsOf = ({ lastWrite, lastRead, changes, writers }: ByteHistory): number[] =>
  [lastWrite, lastRead, ...changes, ...writers].flatMap((access) =>
    access?.by ? [locationOf(access.by.space, access.by.address)] : [],
  )

type NotedWriter = NonNullable<NotedWrite['by']>
type PlaceOfWriter = (writer: NotedWriter) => DescribedAddress | undefined

function writersIn(noted: NotedByte | null) {
  const writers = (noted?.writes ?? []).flatMap(({ by }) => (by ? [by] : []))
  return {
    located: writers.flatMap(({ space, address }) => (space === null ? [] : [locationOf(space, address)])),
    unlocated: writers.flatMap(({ space, address }) => (space === null ? [address] : [])),
  }
}

const notedData = ({ since, by, reason, lost, count, writes }: NotedByte) => ({
  since: new Date(since).toISOString(),
  by,
  reason,
  lost,
  count,
  writes: writes.map(({ time, by, cause, cycle, target, from, to }) => ({
    time: new Date(time).toISOString(),
    by: by && formatAddress(by.address),
    text: by?.text ?? null,
    cause,
    cycle,
    target,
    from,
    to,
  })),
})

function notedText(noted: NotedByte | null, placeOf: PlaceOfWriter): Block[] {
  if (!noted) return ['Who wrote it is not known: this machine notes writes only once it is told to (--watch).']
  const since = new Date(noted.since).toTimeString().slice(0, 8)
  const rows = noted.writes.map((write) => [
    new Date(write.time).toTimeString().slice(0, 8),
    ...(noted.by === 'bus' ? [write.cycle === null ? 'cycle ?' : `cycle ${write.cycle}`] : []),
    formatChange(write),
    writerText(write.by, write.by && placeOf(write.by), otherWriter(write, noted.by)),
    ...(noted.by === 'bus' ? [targetText(noted.address, write.target)] : []),
  ])
  return [
    `${notedTimes(noted)} since ${since}; before that nothing is known`,
    ...(noted.reason === null ? [] : [noted.reason]),
    table(rows),
  ]
}

function writerText(
  by: Pick<NotedWriter, 'address' | 'text'> | null,
  place: DescribedAddress | null | undefined,
  unknown: string,
): string {
  if (!by) return unknown
  const { called = null, source = null } = place ?? {}
  return [formatAddress(by.address), by.text, called, source].filter((part) => part !== null).join('  ')
}

function rowsOf(history: ByteHistory, names: ReadonlyMap<number, DescribedAddress>): string[][] {
  const { clock, clockRate, lastWrite, lastRead, lastRun, changes, since, writers } = history
  const ago = (when: number): string => `${cycleText(clock - when, clockRate)} ago`
  const by = ({ by, cause }: ByteAccess): string =>
    writerText(by, by && names.get(locationOf(by.space, by.address)), withoutInstruction(cause))
  return [
    lastWrite ? ['written', ago(lastWrite.clock), formatChange(lastWrite), by(lastWrite)] : ['written', 'not seen'],
    lastRead ? ['read', ago(lastRead.clock), '', by(lastRead)] : ['read', 'not seen'],
    lastRun === null ? ['run', 'not seen'] : ['run', ago(lastRun)],
    ...writers.map((writer) => [`${writer.count} times`, ago(writer.clock), formatChange(writer), by(writer)]),
    ...changes.map((write) => ['changed', ago(write.clock), formatChange(write), by(write)]),
    ...(changes.length === 0 ? [['changed', `not in the last ${cycleText(clock - since, clockRate)}`]] : []),
  ]
}
