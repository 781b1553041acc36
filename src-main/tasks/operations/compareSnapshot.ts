import { basename } from 'node:path'
import { z } from 'zod'
import { differingRanges, type AddressSpan } from '@shared/c64/differingRanges'
import type { SpaceImage } from '@shared/c64/memoryImage'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import { readBounded } from '../../files/readBounded'
import { ramOrCpu, readImage, standingStill } from '../../machine/readImage'
import { defineOperation, filePath, type OperationContext } from '../operation'
import { address, imageSpace, pauseDuringRead, ranges, reportAddress, wholeNumber } from './arguments'
import { hexOf } from './memory'
import { readImages } from './imageArtifacts'

const MAX_SHOWN_RANGES = 64
const MAX_FILE_BYTES = 0x10000 + 2

/** Chip registers change all the time and ROM never: only memory is compared. */
const compared: ReadonlySet<string> = new Set(['ram', 'cpu', 'colorRam'])

export const compareSnapshot = defineOperation({
  name: 'compare_snapshot',
  title: 'Compare with a snapshot',
  does: 'Compares memory with an earlier snapshot or a file. The result is “same”, or the ranges that differ.',
  needs: ['readMemory'],
  writes: false,
  arguments: z
    .strictObject({
      baseline: z.string().min(1).max(300).optional().meta({
        description:
          'The id of a snapshot or extract_ram task, such as 0003_snapshot; 0003_snapshot/0002 for the second run of one that kept all; or snapshot:NAME, as snapshot list shows them.',
      }),
      baselineFile: filePath()
        .optional()
        .describe(
          'A file to compare with instead of a task: a PRG at its load address, any other file at the address below.',
        ),
      address: address('Where a baseline file that is not a PRG starts in memory.').prefault('$0000'),
      space: imageSpace(),
      ignore: ranges('What may differ: $D020, $00A0-$00A2 or $0400+1000.', 'Ignore').prefault([]),
      maxRanges: wholeNumber(1, 2000, 'The most differing ranges to list.').prefault(100),
      pauseDuringRead: pauseDuringRead(),
    })
    .refine(({ baseline, baselineFile }) => (baseline === undefined) !== (baselineFile === undefined), {
      error: 'either a task or a file',
      path: ['baseline'],
    }),
  run: async (context, args) => {
    const { machine, signal, log } = context
    const before =
      args.baseline === undefined
        ? [await readFileImage(args, ramOrCpu(machine))]
        : await readImages(context, args.baseline)
    const expected = before.filter(({ space }) => compared.has(space))
    if (expected.length === 0) throw new AppError('INVALID', `${args.baseline ?? ''} holds no memory to compare with.`)

    const differences = await standingStill(context, args.pauseDuringRead, async () => {
      const found = []
      for (const image of expected) found.push(...(await differencesOf(context, image, args.ignore)))
      return found
    })
    signal.throwIfAborted()
    const bytes = differences.reduce((sum, { length }) => sum + length, 0)
    log(bytes === 0 ? 'same' : `${bytes} bytes differ in ${differences.length} ranges`)
    if (bytes === 0) return { summary: { result: 'same' } }
    return {
      summary: {
        result: 'different',
        differingBytes: bytes,
        differingRanges: differences.length,
        ranges: differences.slice(0, args.maxRanges).map(({ space, address, length, before, now }) => ({
          space,
          from: reportAddress(address),
          to: reportAddress(address + length - 1),
          length,
          expected: hexOf(before.subarray(0, MAX_SHOWN_RANGES)),
          found: hexOf(now.subarray(0, MAX_SHOWN_RANGES)),
        })),
      },
    }
  },
})

async function differencesOf({ machine, signal }: OperationContext, image: SpaceImage, ignore: readonly AddressSpan[]) {
  const { space, address, bytes } = image
  const { bytes: now, skipped } = await readImage(machine, { space, address, length: bytes.length }, signal)
  // Only four bits of a byte of colour RAM are connected.
  const mask = space === 'colorRam' ? 0x0f : 0xff
  return differingRanges(bytes, now, { address, mask, ignore: [...ignore, ...image.skipped, ...skipped] }).map(
    (range) => ({
      space,
      ...range,
      before: bytes.subarray(range.address - address, range.address - address + range.length),
      now: now.subarray(range.address - address, range.address - address + range.length),
    }),
  )
}

interface FileArguments {
  readonly baselineFile?: string | undefined
  readonly address: number
  readonly space?: 'ram' | 'cpu' | undefined
}

async function readFileImage(
  { baselineFile = '', address, space }: FileArguments,
  fallback: 'ram' | 'cpu',
): Promise<SpaceImage> {
  const name = basename(baselineFile)
  const content = await readBounded(baselineFile, MAX_FILE_BYTES)
  if (content.length === 0)
    throw new AppError('INVALID', `${name} is no image of the C64’s memory: it has ${content.length} bytes.`)
  const image = /\.prg$/i.test(name) ? imageOfPrg(content) : { address, bytes: content }
  if (image.address + image.bytes.length > 0x10000) {
    throw new AppError(
      'INVALID',
      `${name} has ${image.bytes.length} bytes, which from ${reportAddress(image.address)} on go past $FFFF.`,
    )
  }
  return { space: space ?? fallback, ...image, skipped: [] }
}

function imageOfPrg(content: Uint8Array): Pick<SpaceImage, 'address' | 'bytes'> {
  const { loadAddress, bytes } = parsePrg(content)
  return { address: loadAddress, bytes }
}
