/**
 * A file for each range, and `memory.json` that describes them. `compare_snapshot` reads what `snapshot` and
 * `extract_ram` write.
 */
import { z } from 'zod'
import { parseHexBytes } from '@shared/c64/address'
import type { SpaceImage } from '@shared/c64/memoryImage'
import { parsePrg } from '@shared/c64/prg'
import type { AddressSpan } from '@shared/c64/differingRanges'
import { AppError } from '@shared/contract/errors'
import { spaces } from '@shared/contract/memory'
import type { OperationContext } from '../operation'
import { parseRange, reportAddress, reportRange } from './arguments'
import { checksumOf, hexOf } from './memory'

export const imageFormats = ['bin', 'hex', 'prg'] as const
export type ImageFormat = (typeof imageFormats)[number]

export const MANIFEST = 'memory.json'

const manifestSchema = z.object({
  ranges: z
    .array(
      z.object({
        space: z.enum(spaces),
        address: z.string(),
        length: z.int().min(1).max(0x10000),
        format: z.enum(imageFormats),
        file: z.string(),
        checksum: z.string(),
        skipped: z.array(z.string()),
      }),
    )
    .max(100),
})

const BYTES_A_ROW = 16

/** Before the name of a snapshot; no id of a task has a colon. */
const NAMED = 'snapshot:'

/** `prg` has the load address before the bytes; `hex` has sixteen bytes a row. */
function encodeImage(format: ImageFormat, address: number, bytes: Uint8Array): Uint8Array | string {
  switch (format) {
    case 'bin':
      return bytes
    case 'prg':
      return Uint8Array.from([address & 0xff, address >> 8, ...bytes])
    case 'hex': {
      const rows = Array.from({ length: Math.ceil(bytes.length / BYTES_A_ROW) }, (_, row) =>
        bytes.subarray(row * BYTES_A_ROW, (row + 1) * BYTES_A_ROW),
      )
      return rows
        .map(
          (row) =>
            `${hexOf(row)
              .toUpperCase()
              .replaceAll(/..(?=.)/g, '$& ')}\n`,
        )
        .join('')
    }
  }
}

/** @throws AppError INVALID */
function decodeImage(format: ImageFormat, content: Uint8Array): Uint8Array {
  switch (format) {
    case 'bin':
      return content
    case 'prg':
      return parsePrg(content).bytes
    case 'hex':
      return parseHexBytes(new TextDecoder().decode(content))
  }
}

/** @param folder among the artifacts, with a `/` at its end, or empty */
export async function writeImages(
  { machine, artifact }: OperationContext,
  folder: string,
  format: ImageFormat,
  images: readonly SpaceImage[],
  more: object = {},
): Promise<void> {
  const ranges = []
  for (const { space, address, bytes, skipped } of images) {
    const file = `${space}_${reportAddress(address).slice(2)}.${format}`
    await artifact(`${folder}${file}`, encodeImage(format, address, bytes))
    const range = { space, address: reportAddress(address), length: bytes.length, format, file }
    ranges.push({ ...range, checksum: checksumOf(bytes), skipped: skipped.map(reportRange) })
  }
  const manifest = { machine: machine.name, createdAt: new Date().toISOString(), ...more, ranges }
  await artifact(`${folder}${MANIFEST}`, JSON.stringify(manifest, null, 2))
}

/**
 * @param source a task's id and a path in its artifacts: `0003_snapshot`, or `0003_snapshot/0002` for its second run;
 * or `snapshot:` and a name
 * @throws AppError NOT_FOUND, INVALID
 */
export async function readImages(
  { readArtifact, snapshot }: Pick<OperationContext, 'readArtifact' | 'snapshot'>,
  source: string,
): Promise<readonly SpaceImage[]> {
  if (source.startsWith(NAMED)) {
    const images = snapshot(source.slice(NAMED.length))
    const hasRam = images.some(({ space }) => space === 'ram')
    // Leaves out the CPU's view where RAM is there: it is the same memory with ROM and chips over it.
    return images.filter(({ space }) => space !== 'cpu' || !hasRam)
  }
  const [task = '', ...folders] = source.split('/')
  const folder = folders.map((name) => `${name}/`).join('')
  const manifest = parseManifest(await readArtifact(task, `${folder}${MANIFEST}`), source)
  const images: SpaceImage[] = []
  for (const { space, address, format, file, length, checksum, skipped } of manifest.ranges) {
    const bytes = decodeImage(format, await readArtifact(task, `${folder}${file}`))
    if (bytes.length !== length || checksumOf(bytes) !== checksum) {
      throw new AppError('INVALID', `${file} of ${source} is no longer what was written: its checksum differs.`)
    }
    images.push({
      space,
      bytes,
      address: parseRange(address).address,
      skipped: skipped.map((text): AddressSpan => parseRange(text)),
    })
  }
  return images
}

function parseManifest(content: Uint8Array, source: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(new TextDecoder().decode(content)))
  } catch (cause) {
    throw new AppError('INVALID', `${MANIFEST} of ${source} does not say which memory it has.`, { cause })
  }
}
