import { setTimeout as wait } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { defineCommand } from '../../command'
import { hexByte, hexString } from '../../hexDump'
import { memoryRange, rangeOptions } from '../../memoryRange'
import { EXIT_OK } from '../../exitCodes'
import { machine, number, withDefault } from '../../parameters'
import { resolvePlace } from '../../place'
import { machineGroup as group } from './group'

export const machineWatch = defineCommand({
  group,
  name: 'watch',
  summary: 'Read memory repeatedly, one line each time, until Ctrl+C.',
  options: {
    ...rangeOptions,
    rate: withDefault(number('HZ', 'Reads per second.', { min: 0.1, max: 60, isWhole: false }), 2),
    count: number('N', 'Stop after this many reads.', { min: 1, max: 1_000_000_000 }),
    machine: machine('The machine to read from.'),
  },
  data: { time: 'ISO time', address: 'such as $0400', bytes: 'hexadecimal' },
  examples: ["watch --machine vice:6502 --address '$d012' --length 1 --bank io --rate 10 --json"],
  run: async ({ output, signal, openSession }, { rate, count = Infinity, machine, address, ...values }) => {
    const place = await resolvePlace(openSession, machine, address, signal)
    const range = memoryRange({ ...values, address: place.start })
    const session = await openSession()
    await session.connect(machine, signal)
    const start = performance.now()
    for (let n = 0; n < count; n++) {
      const { bytes, time } = await session.client.call('memory.read', { machine, ...range }, signal)
      const at = new Date(time).toISOString()
      output.result(
        { time: at, address: formatAddress(range.address), bytes: hexString(bytes) },
        `${at}  ${[...bytes].map(hexByte).join(' ')}`,
      )
      const next = start + ((n + 1) * 1000) / rate
      if (n + 1 < count) await wait(Math.max(0, next - performance.now()), undefined, { signal })
    }
    return EXIT_OK
  },
})
