import { formatAddress } from '@shared/c64/address'
import { bankingPins, labelAt, placesIn } from '@shared/c64/banking'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { namesOf, type Names } from '@shared/c64/labels/names'
import type { ProgramLabel } from '@shared/c64/labels/programLabel'
import { heldBy, heldText, namedBytes, pointersUsed, type NamedByte, type Naming } from '@shared/c64/namedBytes'
import { LABELS_PER_PAGE } from '@shared/contract/labels'
import type { Space } from '@shared/contract/memory'
import { hexByte, hexString } from './hexDump'
import { table, type Printed } from './printed'
import type { Session } from './session'

interface Shown {
  readonly machine: string
  readonly space: Space
  readonly address: number
  readonly bytes: Uint8Array
}

export async function namedMemory(
  session: Session,
  { machine, space, address, bytes }: Shown,
  signal: AbortSignal,
): Promise<{ readonly names: object[]; readonly printed: Printed }> {
  const { client } = session
  const port = { machine, space: 'cpu' as const, address: 0, length: 2 }
  const [direction = 0, data = 0] = space === 'cpu' ? (await client.call('memory.read', port, signal)).bytes : []
  const naming: Naming = {
    names: await programNames(session, machine, signal),
    places: placesIn(space, bankingPins(direction, data)),
    pointers: await pointersOf(session, { machine, space }, signal),
  }
  const read = (at: number): number => bytes[at - address] ?? 0
  const rows = namedBytes({ start: address, end: address + bytes.length }, naming).map((row) =>
    describeRow(row, read, naming),
  )
  return {
    names: rows.map(({ data }) => data),
    printed: table([['address', 'bytes', 'name', 'holds', 'what it is'], ...rows.map(({ cells }) => cells)]),
  }
}

function describeRow(row: NamedByte, read: (address: number) => number, { names, places }: Naming) {
  const held = heldBy(row, read)
  const own = [row.address, row.address + 1].slice(0, row.length).map(read)
  const holds = row.length === 1 ? null : heldText(row, held)
  const target = row.kind === 'pointer' ? (labelAt(places, held, names)?.name ?? null) : null
  return {
    data: {
      address: formatAddress(row.address),
      bytes: hexString(Uint8Array.from(own)),
      kind: row.kind,
      name: row.name,
      holds,
      target,
      description: row.description,
    },
    cells: [
      formatAddress(row.address),
      own.map(hexByte).join(' '),
      row.name ?? '',
      [row.kind === 'pointer' ? '→' : '', holds, target].filter(Boolean).join(' '),
      row.description ?? '',
    ],
  }
}

async function programNames({ client }: Session, machine: string, signal: AbortSignal): Promise<Names> {
  const labels: ProgramLabel[] = []
  for (let page = LABELS_PER_PAGE; page === LABELS_PER_PAGE;) {
    const found = await client.call('labels.page', { machine, from: labels.length }, signal)
    labels.push(...found.labels)
    page = found.labels.length
  }
  return namesOf(new LabelTable(labels))
}

async function pointersOf(
  { client }: Session,
  { machine, space }: Pick<Shown, 'machine' | 'space'>,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  if (space !== 'cpu' && space !== 'ram') return new Set()
  const { machines } = await client.call('machine.list', {}, signal)
  if (machines.find((listed) => listed.machine === machine)?.capabilities.profile !== null) return new Set()
  const touched = await client.call('running.coverage', { machine, seconds: null }, signal)
  const whole = { machine, space, address: 0, length: 0x10000 }
  const { bytes } = await client.call('memory.read', whole, signal)
  return pointersUsed((at) => bytes[at & 0xffff] ?? 0, touched[space].runs)
}
