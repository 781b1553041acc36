/** Samples a machine whose CPU stops while it is read, within a share of the machine's time. */
import { clockRates } from '@shared/c64/registers'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import type { Segment } from '@shared/contract/frames'
import type { VideoStandard } from '@shared/contract/machine'
import type { Space } from '@shared/contract/memory'
import { noSamples, type MemoryRange, type Sample, type SampleRequest } from './machine'
import {
  CycleBudget,
  costOf,
  hotRanges,
  planReads,
  startOfRounds,
  wholeSpace,
  withoutSideEffects,
  type ReadCosts,
} from './readPlan'

export interface HardwareSamplerOptions {
  /** Reads one range of one of `spaces`; called for one range at a time. */
  readonly read: (range: MemoryRange, signal: AbortSignal) => Promise<Uint8Array>
  /**
   * The spaces that `read` can reach. Where that is `cpu` only, the others are shown as far as the CPU's view is
   * certain to show them.
   */
  readonly spaces: readonly Space[]
  readonly costs: ReadCosts | (() => ReadCosts)
  /**
   * `budget` is a share of the machine's time, 0 to 1; `sideEffects` permits reading registers whose read changes the
   * machine.
   */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
  /** PAL where it is missing or null. */
  readonly standard?: () => VideoStandard | null
  readonly halted?: () => boolean
  /** Receives all that is known of the requested spaces. Addresses that were never read are in no segment. */
  readonly emit: (sample: Sample) => void
  /** The sampler tries again after a wait unless it is stopped. */
  readonly onError: (error: unknown) => void
}

/** No sample is taken until the budget covers a read of this length. */
const MIN_READ_BYTES = 64

/** Length of a sample of a halted CPU: a limit for slow lines. */
const MAX_HALTED_SAMPLE_S = 0.25

const RETRY_DELAY_MS = 1_000

export class HardwareSampler {
  readonly #options: HardwareSamplerOptions
  readonly #images = new Map<Space, KnownMemory>()
  /** The I/O registers as last seen, to find the graphics; initially as after a reset. */
  readonly #io = new Uint8Array(IO_SIZE)
  #request = noSamples
  #urgent: MemoryRange[] = []
  #rounds = startOfRounds
  #budget: CycleBudget | undefined
  #budgetKey = ''
  #lastSample: number | undefined
  #loop: { readonly abort: AbortController; readonly done: Promise<void> } | undefined
  #ioVisible = false
  #wake: () => void = () => undefined
  /** ms. */
  #due = 0
  #sampleRequested = false
  #waiting: (() => void)[] = []

  constructor(options: HardwareSamplerOptions) {
    this.#options = options
    this.#io[0xd018 - IO_START] = 0x15
    this.#io[0xdd00 - IO_START] = 0x97
  }

  set(request: SampleRequest): void {
    this.#request = request
    this.#due = performance.now()
    this.#sampleRequested = request.mode === 'off'
    this.#loop ??= this.#start()
    this.#wake()
  }

  sampleNow(ranges: readonly MemoryRange[] = []): Promise<void> {
    this.refresh(ranges)
    if (!this.#loop || !this.#wantsSomething) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#sampleRequested = true
      this.#wake()
    })
  }

  refresh(ranges: readonly MemoryRange[]): void {
    this.#urgent.push(...ranges)
  }

  async stop(): Promise<void> {
    const loop = this.#loop
    this.#loop = undefined
    loop?.abort.abort()
    this.#wake()
    await loop?.done
  }

  get #wantsSomething(): boolean {
    return this.#request.spaces.length > 0
  }

  #start(): { abort: AbortController; done: Promise<void> } {
    const abort = new AbortController()
    // In a microtask, so that the caller has its sampler before the first sample.
    return { abort, done: Promise.resolve().then(() => this.#run(abort.signal)) }
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isFree = this.#wantsSomething && this.#request.mode !== 'off'
      const requested = this.#sampleRequested && this.#wantsSomething
      if (!requested && !(isFree && performance.now() >= this.#due)) {
        this.#sampleRequested = false
        await this.#waitFor(isFree ? this.#due - performance.now() : undefined)
        continue
      }
      this.#sampleRequested = false
      const served = this.#waiting.splice(0)
      const begun = performance.now()
      const failed = !(await this.#sample(requested, signal))
      for (const resolve of served) resolve()
      this.#due = failed ? performance.now() + RETRY_DELAY_MS : Math.max(this.#due + 1_000 / this.#request.rate, begun)
    }
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #waitFor(time: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = time === undefined ? undefined : setTimeout(() => this.#wake(), Math.max(1, time))
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = () => undefined
        resolve()
      }
    })
  }

  async #sample(requested: boolean, signal: AbortSignal): Promise<boolean> {
    const { read, standard, halted, emit, onError } = this.#options
    const spaces = this.#spacesToRead()
    const { budget: share, sideEffects } = this.#options.allowed()
    const costs = this.#costs
    const clock = clockRates[standard?.() ?? 'pal']
    const allow = (ranges: readonly MemoryRange[]): MemoryRange[] =>
      sideEffects ? [...ranges] : withoutSideEffects(ranges)
    const memory = this.#image(spaces.includes('ram') ? 'ram' : 'cpu').bytes
    const urgent = allow(this.#urgent.filter(({ space }) => spaces.includes(space)))
    const hot = allow(hotRanges(spaces, memory, this.#io))
    const budget = this.#budgetFor(share * clock, costs)
    const now = performance.now()
    const isHalted = halted?.() === true
    const available = isHalted ? clock * MAX_HALTED_SAMPLE_S : budget.available(now)
    const least = requested ? [...urgent, ...hot].reduce((sum, { length }) => sum + costOf(costs, length), 0) : 0
    if (!requested && available < costOf(costs, MIN_READ_BYTES)) return true
    const rest = allow(spaces.flatMap(wholeSpace))
    const plan = planReads({ urgent, hot, rest, costs, allowance: Math.max(available, least), rounds: this.#rounds })
    this.#rounds = plan.rounds
    this.#urgent = [...plan.urgentLeft]
    if (plan.reads.length === 0) return true
    const time = performance.timeOrigin + now
    let spent = 0
    try {
      for (const range of plan.reads) {
        spent += costOf(costs, range.length)
        this.#image(range.space).put(range.address, await read(range, signal))
        if (signal.aborted) return true
      }
    } catch (error) {
      if (!signal.aborted) onError(error)
      return false
    } finally {
      if (!isHalted) budget.spend(spent)
    }
    this.#updateIo(spaces)
    const passed = this.#lastSample === undefined ? undefined : (now - this.#lastSample) / 1_000
    this.#lastSample = now
    const cost = isHalted ? 0 : passed === undefined ? undefined : Math.min(1, spent / (clock * passed))
    emit({
      time,
      segments: this.#request.spaces.flatMap((space) => this.#segments(space)),
      ...(cost === undefined ? {} : { cost }),
    })
    return true
  }

  get #costs(): ReadCosts {
    const { costs } = this.#options
    return typeof costs === 'function' ? costs() : costs
  }

  #budgetFor(share: number, costs: ReadCosts): CycleBudget {
    const smallest = costOf(costs, MIN_READ_BYTES)
    const rate = this.#request.rate
    const key = `${share} ${rate} ${smallest}`
    if (!this.#budget || key !== this.#budgetKey) {
      const now = performance.now()
      const left = this.#budget?.available(now)
      this.#budget = new CycleBudget(share, rate, smallest, now, left)
      this.#budgetKey = key
    }
    return this.#budget
  }

  #spacesToRead(): Space[] {
    const direct = this.#options.spaces
    return [
      ...new Set(
        this.#request.spaces.flatMap((space) =>
          direct.includes(space) ? [space] : direct.includes('cpu') ? ['cpu' as const] : [],
        ),
      ),
    ]
  }

  #image(space: Space): KnownMemory {
    const image = this.#images.get(space) ?? new KnownMemory()
    this.#images.set(space, image)
    return image
  }

  /** Keeps what was read of the I/O area unless the program has banked out the chips: then other memory was read. */
  #updateIo(spaces: readonly Space[]): void {
    const io = this.#image(spaces.includes('io') ? 'io' : 'cpu').bytes.subarray(IO_START, IO_START + IO_SIZE)
    this.#ioVisible = spaces.includes('io') || decodeVideo(io).visible
    if (this.#ioVisible) this.#io.set(io)
  }

  #segments(space: Space): Segment[] {
    if (this.#options.spaces.includes(space)) return this.#image(space).segments(space, 0, 0x10000)
    const cpu = this.#image('cpu')
    switch (space) {
      case 'ram':
        return alwaysRam(cpu).flatMap(([from, to]) => cpu.segments('ram', from, to))
      case 'io':
        return this.#ioVisible ? cpu.segments('io', IO_START, IO_START + IO_SIZE) : []
      case 'colorRam':
        return this.#ioVisible ? cpu.segments('colorRam', 0xd800, 0xdc00).map(lowNibbles) : []
      case 'cpu':
      case 'rom':
        return []
    }
  }
}

const lowNibbles = (segment: Segment): Segment => ({ ...segment, bytes: segment.bytes.map((byte) => byte & 0x0f) })

const cartridgeSignature = [0xc3, 0xc2, 0xcd, 0x38, 0x30]
const SIGNATURE = 0x8004

/**
 * Where the CPU sees RAM whatever `$01` holds: below $A000 and at $C000, but not $0000 and $0001, which are the port,
 * nor $8000 to $9FFF unless it is known that no cartridge is there.
 */
function alwaysRam(cpu: KnownMemory): (readonly [from: number, to: number])[] {
  const isCartridge = cartridgeSignature.every((byte, index) => cpu.bytes[SIGNATURE + index] === byte)
  const isKnown = cpu.isKnown(SIGNATURE, cartridgeSignature.length)
  return [
    [0x0002, isKnown && !isCartridge ? 0xa000 : 0x8000],
    [0xc000, 0xd000],
  ]
}

export class KnownMemory {
  readonly bytes = new Uint8Array(0x10000)
  readonly #known = new Uint8Array(0x10000)

  put(address: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, address)
    this.#known.fill(1, address, address + bytes.length)
  }

  isKnown(address: number, length: number): boolean {
    return !this.#known.subarray(address, address + length).includes(0)
  }

  /** Copies of the known stretches from `from` up to but not including `to`. */
  segments(space: Space, from: number, to: number): Segment[] {
    const segments: Segment[] = []
    let start = this.#known.indexOf(1, from)
    while (start >= 0 && start < to) {
      const gap = this.#known.indexOf(0, start)
      const end = gap < 0 ? to : Math.min(gap, to)
      segments.push({ space, address: start, bytes: this.bytes.slice(start, end) })
      start = this.#known.indexOf(1, end)
    }
    return segments
  }
}
