import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { placeRange, resolvePlace } from '../../place'
import { name, snapshotGroup as group } from './group'

export const snapshotRestore = defineCommand({
  group,
  name: 'restore',
  summary: 'Write the RAM and colour RAM of a snapshot back to a machine.',
  details:
    'Only bytes that differ are written, while the machine stands still. Registers and chips stay as they are; “state load” puts back a whole machine.',
  positionals: { name: name('The snapshot.') },
  options: { range: placeRange('Only these addresses.'), machine: machine('The machine.') },
  data: { machine: 'the machine’s name', written: 'bytes that differed' },
  examples: ['snapshot restore before', "snapshot restore before --range '$c000-$cfff'"],
  run: async ({ output, signal, openSession }, { name, range, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const place = range ? await resolvePlace(openSession, machine, range, signal) : undefined
    const within = place ? [{ address: place.start, length: place.end - place.start + 1 }] : []
    const { written } = await session.client.call('snapshots.restore', { name, machine, within }, signal)
    output.result(
      { machine, written },
      written === 0
        ? `${machine} has the memory of ${name} already.`
        : `Wrote ${counted(written, 'byte')} of ${name} that differed to ${machine}.`,
    )
    return EXIT_OK
  },
})
