import { z } from 'zod'
import type { ChipId } from '@shared/c64/chips'
import type { SpaceImage } from '@shared/c64/memoryImage'
import { decodeChip } from '@shared/c64/registers'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import { requireFacet, type Machine, type MemoryRange } from '../../machine/machine'
import { ramOrCpu, readImage, standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import { flag, folderOf, keepAll, pauseDuringRead, reportAddress, reportRange } from './arguments'
import { checksumOf } from './memory'
import { MANIFEST, writeImages } from './imageArtifacts'

const chips: readonly ChipId[] = ['vic', 'sid', 'cia1', 'cia2']

export const snapshot = defineOperation({
  name: 'snapshot',
  title: 'Snapshot',
  does: 'Saves all memory and the chips’ registers, and the CPU’s registers and the whole machine state if available.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    state: flag(true, 'Also save the state in the machine’s own format, where it has one.'),
    pauseDuringRead: pauseDuringRead(),
    keepAll: keepAll(),
  }),
  run: async (context, { state: wantsState, pauseDuringRead, keepAll }) => {
    const { machine, signal, artifact, progress, iteration } = context
    const wanted = rangesOf(machine)
    const { images, registers, state } = await standingStill(context, pauseDuringRead, async () => {
      const images: SpaceImage[] = []
      for (const [done, range] of wanted.entries()) {
        progress(done, wanted.length, `reading ${range.space}`)
        images.push({ ...range, ...(await readImage(machine, range, signal)) })
      }
      const registers =
        machine.unsupported.registers === undefined ? await requireFacet(machine, 'registers').read(signal) : []
      const hasState = wantsState && machine.unsupported.saveState === undefined
      return { images, registers, state: hasState ? await requireFacet(machine, 'saveState').save(0, signal) : null }
    })
    const folder = folderOf(keepAll, iteration)
    const cpu = Object.fromEntries(registers.map(({ name, value }) => [name, value]))
    const io = images.find(({ space }) => space === 'io')
    const standard = machine.status.standard ?? 'pal'
    const rowsOf = (chip: ChipId) =>
      io
        ? decodeChip(chip, io.bytes, standard).map((row) => ({ chip, ...row, address: reportAddress(row.address) }))
        : []
    await writeImages(context, folder, 'bin', images, { registers: cpu, standard: machine.status.standard })
    await artifact(`${folder}chips.json`, JSON.stringify(chips.flatMap(rowsOf), null, 2))
    if (state) await artifact(`${folder}machine.state`, state)
    return {
      summary: {
        checksums: Object.fromEntries(images.map(({ space, bytes }) => [space, checksumOf(bytes)])),
        registers: cpu,
        skipped: Object.fromEntries(
          images
            .filter(({ skipped }) => skipped.length > 0)
            .map(({ space, skipped }) => [space, skipped.map(reportRange)]),
        ),
      },
      artifacts: {
        manifest: `artifacts/${folder}${MANIFEST}`,
        chips: `artifacts/${folder}chips.json`,
        ...(state ? { state: `artifacts/${folder}machine.state` } : {}),
      },
    }
  },
})

const rangesOf = (machine: Machine): MemoryRange[] => [
  { space: ramOrCpu(machine), address: 0, length: 0x10000 },
  { space: 'io', address: IO_START, length: IO_SIZE },
  { space: 'colorRam', address: 0xd800, length: 0x400 },
]
