/** How long it takes to list 64 KiB as instructions, and to find what names an address in them. */
import { listLines, referencesTo } from '../../src-shared/c64/codeListing'
import { median, type Row } from './row'

const TURNS = 31

export default function listing(): Promise<Row[]> {
  const memory = Uint8Array.from({ length: 0x10000 }, (_, address) => (address * 197 + (address >> 8) * 31) & 0xff)
  const read = (address: number): number => memory[address & 0xffff] ?? 0
  const took = (work: () => unknown): number => {
    const times = Array.from({ length: TURNS }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    })
    return median(times)
  }
  const row = (name: string, value: number): Row => ({
    name,
    value,
    unit: 'ms',
    target: 'under 30 ms',
    met: value < 30,
  })
  return Promise.resolve([
    row(
      'disassembling 64 KiB',
      took(() => listLines(read, null, 0, 0x10000)),
    ),
    row(
      'what names an address, in 64 KiB',
      took(() => referencesTo(read, null, 0xd020, 200)),
    ),
  ])
}
