import { z } from 'zod'
import { ramOrCpu, readImage, standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import {
  address,
  byteCount,
  fitsMemory,
  imageSpace,
  pastTheEnd,
  pauseDuringRead,
  reportAddress,
  reportRange,
} from './arguments'
import { checksumOf } from './memory'
import { imageFormats, MANIFEST, writeImages } from './imageArtifacts'

export const extractRam = defineOperation({
  name: 'extract_ram',
  title: 'Extract memory',
  does: 'Saves a range of memory as a file, with its SHA-256 checksum beside it.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z
    .strictObject({
      address: address('The first byte.').prefault('$0000'),
      length: byteCount(0x10000, 'Bytes from there on.').prefault(0x10000),
      format: z
        .enum(imageFormats)
        .default('bin')
        .meta({ description: 'bin: the bytes; prg: load address, then the bytes; hex: text, sixteen bytes per row.' }),
      space: imageSpace(),
      pauseDuringRead: pauseDuringRead(),
    })
    .refine(fitsMemory, pastTheEnd),
  run: async (context, { address, length, format, space: wanted, pauseDuringRead }) => {
    const { machine, signal } = context
    const space = wanted ?? ramOrCpu(machine)
    const image = await standingStill(context, pauseDuringRead, () =>
      readImage(machine, { space, address, length }, signal),
    )
    await writeImages(context, '', format, [{ ...image, space, address }])
    const { bytes, skipped } = image
    return {
      summary: {
        address: reportAddress(address),
        length,
        space,
        format,
        checksum: checksumOf(bytes),
        skipped: skipped.map(reportRange),
      },
      artifacts: {
        memory: `artifacts/${space}_${reportAddress(address).slice(2)}.${format}`,
        manifest: `artifacts/${MANIFEST}`,
      },
    }
  },
})
