import { basename } from 'node:path'
import type { AddressSpan } from '@shared/c64/differingRanges'
import type { SpaceImage } from '@shared/c64/memoryImage'
import { parsePrg } from '@shared/c64/prg'
import { isVsf, readVsfRam } from '@shared/c64/vsf'
import type { Input } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import {
  MAX_SNAPSHOTS,
  type MemoryDifferences,
  type MemorySnapshot,
  type SnapshotOrigin,
  type SnapshotSource,
} from '@shared/contract/memorySnapshots'
import type { Space } from '@shared/contract/memory'
import type { Moment } from '@shared/contract/recorder'
import { withFileName } from '../files/fileErrors'
import { readBounded } from '../files/readBounded'
import type { MemorySnapshotStore, StoredSnapshot } from '../storage/memorySnapshots'
import { requireFacet, type Machine } from './machine'
import { differencesBetween, type MemoryContent } from './memoryDifferences'
import { ramOrCpu, readImage, standingStill } from './readImage'
import { writeDiffering, type WantedBytes } from './writeDiffering'

export interface MemorySnapshotsOptions {
  readonly store: MemorySnapshotStore
  readonly live: (machine: string) => Machine
  readonly moment: (recording: string, time: number, signal: AbortSignal) => Promise<Moment>
  readonly onChanged: () => void
}

/** Even a VICE snapshot with a RAM expansion of 16 MiB is far smaller. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MEMORY_SIZE = 0x10000
const COLOR_RAM: AddressSpan = { address: 0xd800, length: 0x400 }

export class MemorySnapshots {
  readonly #options: MemorySnapshotsOptions

  constructor(options: MemorySnapshotsOptions) {
    this.#options = options
  }

  get all(): MemorySnapshot[] {
    return this.#options.store.all
  }

  async save({ name, of, replaces }: Input<'snapshots.save'>, signal: AbortSignal): Promise<MemorySnapshot> {
    this.#requireFree(name, replaces)
    const source = 'machine' in of ? of.machine : of.recording
    return this.#add(name, source, await this.#taken(of, signal), replaces)
  }

  /** @throws AppError INVALID for an unknown file format */
  async import({ name, path, address, replaces }: Input<'snapshots.import'>): Promise<MemorySnapshot> {
    this.#requireFree(name, replaces)
    return this.#add(name, basename(path), { images: [await readImageFile(path, address)], registers: [] }, replaces)
  }

  delete(name: string): void {
    if (!this.#options.store.delete(name)) throw noSnapshot(name)
    this.#options.onChanged()
  }

  /** @throws AppError NOT_FOUND */
  images(name: string): readonly SpaceImage[] {
    return this.#stored(name).images
  }

  async compare(
    { before, after, within, limit }: Input<'snapshots.compare'>,
    signal: AbortSignal,
  ): Promise<MemoryDifferences> {
    // One after the other, as both may be of one machine.
    return differencesBetween(await this.#content(before, signal), await this.#content(after, signal), within, limit)
  }

  /**
   * Where the RAM under ROM cannot be reached, only other RAM is written.
   * @returns how many bytes differed, and were written
   * @throws AppError INVALID for a snapshot that has none of it
   */
  async restore({ name, machine, within }: Input<'snapshots.restore'>, signal: AbortSignal): Promise<number> {
    const wanted = restorable(this.#stored(name), within)
    if (wanted.length === 0)
      throw new AppError('INVALID', `The snapshot “${name}” has no RAM there.`, {
        hint: 'snapshot list says what each has.',
      })
    const live = this.#options.live(machine)
    return standingStill({ machine: live, signal }, true, () => writeDiffering(live, wanted, signal))
  }

  #content(source: SnapshotSource, signal: AbortSignal): Promise<MemoryContent> | MemoryContent {
    return 'snapshot' in source ? this.#stored(source.snapshot) : this.#taken(source, signal)
  }

  async #taken(origin: SnapshotOrigin, signal: AbortSignal): Promise<MemoryContent> {
    return 'machine' in origin
      ? takeImages(this.#options.live(origin.machine), signal)
      : contentOf(await this.#options.moment(origin.recording, origin.time, signal))
  }

  #stored(name: string): StoredSnapshot {
    const stored = this.#options.store.get(name)
    if (!stored) throw noSnapshot(name)
    return stored
  }

  #requireFree(name: string, replaces: boolean): void {
    const { all } = this
    if (all.some((snapshot) => snapshot.name === name)) {
      if (!replaces)
        throw new AppError('CONFLICT', `There is a snapshot “${name}” already.`, {
          hint: 'Choose another name, or replace it.',
        })
    } else if (all.length >= MAX_SNAPSHOTS)
      throw new AppError('CONFLICT', `${MAX_SNAPSHOTS} snapshots are kept at most.`, { hint: 'Delete one first.' })
  }

  #add(name: string, source: string, content: MemoryContent, replaces: boolean): MemorySnapshot {
    // Another may have taken the name while the machine was read.
    this.#requireFree(name, replaces)
    const snapshot = { name, source, time: Date.now(), ...content }
    this.#options.store.set(snapshot)
    this.#options.onChanged()
    return describe(snapshot)
  }
}

const ALWAYS_RAM: readonly AddressSpan[] = [
  { address: 0x0002, length: 0xa000 - 0x0002 },
  { address: 0xc000, length: 0x1000 },
]

function restorable({ images }: StoredSnapshot, within: readonly AddressSpan[]): WantedBytes[] {
  const hasRam = images.some(({ space }) => space === 'ram')
  const whole = [{ address: 0, length: MEMORY_SIZE }]
  return images
    .filter(({ space }) => space === 'colorRam' || space === (hasRam ? 'ram' : 'cpu'))
    .flatMap((image) =>
      (image.space === 'cpu' ? ALWAYS_RAM : whole).flatMap((part) =>
        (within.length === 0 ? whole : within).flatMap((wanted) => knownWithin(image, overlap(part, wanted))),
      ),
    )
}

function knownWithin({ space, address, bytes, skipped }: SpaceImage, wanted: AddressSpan): WantedBytes[] {
  const { address: start, length } = overlap(wanted, { address, length: bytes.length })
  const runs: WantedBytes[] = []
  let from = start
  const until = (end: number): void => {
    if (end > from) runs.push({ space, address: from, bytes: bytes.slice(from - address, end - address) })
  }
  for (const gap of skipped.toSorted((one, other) => one.address - other.address)) {
    until(Math.min(gap.address, start + length))
    from = Math.max(from, gap.address + gap.length)
  }
  until(start + length)
  return runs
}

/** Of length 0 where they share nothing. */
function overlap(one: AddressSpan, other: AddressSpan): AddressSpan {
  const address = Math.max(one.address, other.address)
  const end = Math.min(one.address + one.length, other.address + other.length)
  return { address, length: Math.max(0, end - address) }
}

const noSnapshot = (name: string): AppError =>
  new AppError('NOT_FOUND', `There is no snapshot “${name}”.`, { hint: 'List them to see their names.' })

const describe = ({ name, source, time, images }: StoredSnapshot): MemorySnapshot => ({
  name,
  source,
  time,
  ranges: images.map(({ space, address, bytes }) => ({ space, address, length: bytes.length })),
})

/** All of one moment where the machine can be paused. */
function takeImages(machine: Machine, signal: AbortSignal): Promise<MemoryContent> {
  return standingStill({ machine, signal }, true, async () => {
    const images: SpaceImage[] = []
    const whole = { address: 0, length: MEMORY_SIZE }
    const wanted: readonly (AddressSpan & { space: Space })[] = [
      ...(ramOrCpu(machine) === 'ram' ? [{ space: 'ram' as const, ...whole }] : []),
      { space: 'cpu', ...whole },
      { space: 'colorRam', ...COLOR_RAM },
    ]
    for (const range of wanted) images.push({ ...range, ...(await readImage(machine, range, signal)) })
    const registers =
      machine.unsupported.registers === undefined ? await requireFacet(machine, 'registers').read(signal) : []
    return { images, registers }
  })
}

function contentOf({ segments, registers }: Moment): MemoryContent {
  const images = [...new Set(segments.map(({ space }) => space))].map((space) => {
    const known = segments.filter((segment) => segment.space === space).toSorted((a, b) => a.address - b.address)
    const address = known[0]?.address ?? 0
    const end = Math.max(...known.map((segment) => segment.address + segment.bytes.length))
    const bytes = new Uint8Array(end - address)
    for (const segment of known) bytes.set(segment.bytes, segment.address - address)
    const skipped = known.flatMap((segment, index): AddressSpan[] => {
      const from = segment.address + segment.bytes.length
      const length = (known[index + 1]?.address ?? from) - from
      return length > 0 ? [{ address: from, length }] : []
    })
    return { space, address, bytes, skipped }
  })
  if (images.length === 0)
    throw new AppError('INVALID', 'No memory of that moment was recorded.', {
      hint: 'Choose a later moment, or a recording of memory.',
    })
  return { images, registers }
}

/** @throws AppError INVALID with the file’s name, NOT_FOUND or FORBIDDEN */
async function readImageFile(path: string, address: number | null): Promise<SpaceImage> {
  const name = basename(path)
  const content = await readBounded(path, MAX_FILE_BYTES)
  try {
    return imageOf(content, name, address)
  } catch (error) {
    throw withFileName(error, name)
  }
}

function imageOf(content: Uint8Array, name: string, address: number | null): SpaceImage {
  const refuse = (why: string, hint: string) => new AppError('INVALID', `${name} ${why}.`, { hint })
  if (/\.vsf$/i.test(name) || (address === null && isVsf(content)))
    return { space: 'ram', address: 0, bytes: readVsfRam(content), skipped: [] }
  const image =
    address !== null
      ? { address, bytes: content }
      : content.length === MEMORY_SIZE
        ? { address: 0, bytes: content }
        : prgImage(content)
  if (image === undefined)
    throw refuse('is neither a VICE snapshot, a PRG, nor 65,536 bytes', 'Give the address at which its bytes begin.')
  const { bytes } = image
  if (bytes.length === 0) throw refuse('has no bytes', 'Choose a file that has some.')
  if (image.address + bytes.length > MEMORY_SIZE)
    throw refuse(`has ${bytes.length} bytes, which go past $FFFF`, 'Check the address.')
  return { space: 'ram', skipped: [], ...image }
}

function prgImage(content: Uint8Array): Pick<SpaceImage, 'address' | 'bytes'> | undefined {
  if (content.length < 3) return undefined
  const { loadAddress, bytes } = parsePrg(content)
  return { address: loadAddress, bytes }
}
