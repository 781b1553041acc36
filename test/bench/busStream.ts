/** Noting writes by an Ultimate's debug stream: how fast the cycles of the bus are followed, and how long it holds a thread up. */
import { BusWrites } from '../../src-main/machine/ultimate/busWrites'
import { DEBUG_PACKET_BYTES, DebugReplay } from '../../src-main/machine/ultimate/debugReplay'
import { Program } from '../peers/ultimateProgram'
import { percentile, type Row } from './row'

/** As many datagrams as Node takes from a socket before anything else has its turn. */
const BURST = 32
/** Packets in a second of the stream, and the CPU's cycles in it. */
const PACKETS = 2_737
const CYCLES = 985_248
const ENTRIES = 360
const HEADER_BYTES = 4
const WARM_UPS = 3
/** How often the second is measured. */
const ROUNDS = 10
const NOTED = [0x0400, 0x0401, 0x2000, 0x20ff, 0xc002, 0x01ff, 0x01fe, 0xd020]

export default function busStream(): Promise<Row[]> {
  const program = new Program(new Uint8Array(0x10000))
  program.install()
  program.isBusy = true
  const busy = packetsOf((view) => program.run(ENTRIES, view, HEADER_BYTES))
  let number = 1
  const noise = packetsOf((view) => {
    for (let at = HEADER_BYTES; at < DEBUG_PACKET_BYTES; at += 4) {
      number = (Math.imul(number, 1_664_525) + 1_013_904_223) | 0
      view.setInt32(at, number | 0x90000000, true)
    }
  })
  return Promise.resolve([
    ...rowsOf('bus cycles followed', busy, 'a program with interrupts and bad lines, eight bytes noted'),
    ...rowsOf('noise followed', noise, 'no instruction is ever certain, the worst of all streams'),
  ])
}

function packetsOf(fill: (view: DataView) => void): Uint8Array[] {
  return Array.from({ length: PACKETS }, (_, number) => {
    const packet = new Uint8Array(DEBUG_PACKET_BYTES)
    const view = new DataView(packet.buffer)
    view.setUint16(0, number, true)
    fill(view)
    return packet
  })
}

function rowsOf(name: string, packets: readonly Uint8Array[], note: string): Row[] {
  const ours = measure(packets, true)
  const bare = measure(packets, false)
  const slice = percentile(ours.bursts, 0.99)
  return [
    {
      name,
      value: ours.rate,
      unit: '/s',
      bare: bare.rate,
      note: `${note}; bare without notes`,
      target: `${CYCLES.toLocaleString('en')} /s`,
      met: ours.rate >= CYCLES,
    },
    {
      name: `${name}: ${BURST} packets at once, p99`,
      value: slice,
      unit: 'ms',
      target: 'at most 5 ms',
      met: slice <= 5,
      note: `longest ${Math.max(...ours.bursts).toFixed(2)} ms`,
    },
  ]
}

/** Each call begins anew, and takes the second again until it is compiled. */
function measure(packets: readonly Uint8Array[], isNoted: boolean): { rate: number; bursts: number[] } {
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) takeAll(packets, isNoted)
  const bursts = Array.from({ length: ROUNDS }, () => takeAll(packets, isNoted)).flat()
  const seconds = bursts.reduce((sum, time) => sum + time, 0) / 1_000
  return { rate: (ROUNDS * packets.length * ENTRIES) / seconds, bursts }
}

/** @returns the time of the CPU that each burst took, ms; so a busy computer does not count */
function takeAll(packets: readonly Uint8Array[], isNoted: boolean): number[] {
  const writes = new BusWrites({ written: () => undefined, read: () => undefined })
  for (const address of NOTED) writes.watch(address)
  const replay = new DebugReplay(isNoted ? writes : undefined)
  const bursts: number[] = []
  for (let at = 0; at < packets.length; at += BURST) {
    const burst = packets.slice(at, at + BURST)
    const before = process.threadCpuUsage()
    for (const packet of burst) replay.push(packet)
    const { user, system } = process.threadCpuUsage(before)
    bursts.push((user + system) / 1_000)
  }
  return bursts
}
