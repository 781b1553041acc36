/** Samples a machine whose CPU stands still while it is read, within a share of its time. */
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
  /** Reads one range of one of `spaces`. One at a time is asked for. */
  readonly read: (range: MemoryRange, signal: AbortSignal) => Promise<Uint8Array>
  /**
   * The spaces that `read` reaches. Where it is `cpu` alone, the others are shown as far as the CPU's view tells them
   * for certain.
   */
  readonly spaces: readonly Space[]
  /** Asked for each sample, so that a driver may learn them. */
  readonly costs: ReadCosts | (() => ReadCosts)
  /** What the person allows: a share of the machine's time, 0 to 1, and reading registers whose read changes the machine. */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
  /** PAL unless it says otherwise. */
  readonly standard?: () => VideoStandard | null
  /** The CPU stands still anyway, so that reading takes nothing from it. */
  readonly halted?: () => boolean
  /** All that is known of the requested spaces, with what was just read. Addresses that were never read are in no segment. */
  readonly emit: (sample: Sample) => void
  /** A read failed; the sampler waits a moment and goes on unless it is stopped. */
  readonly onError: (error: unknown) => void
}

/** A read of a page is the least that is worth waiting for. */
const LEAST_READ = 64

/** What a sample may take of a CPU that stands still anyway, seconds: a limit for slow lines. */
const HALTED_SHARE = 0.25

/** After a failed read, ms. */
const WAIT_AFTER_FAILURE = 1_000

export class HardwareSampler {
  readonly #options: HardwareSamplerOptions
  readonly #images = new Map<Space, KnownMemory>()
  /** The chips as last seen, for where the graphics are; as after a reset before that. */
  readonly #io = new Uint8Array(IO_SIZE)
  #request = noSamples
  #urgent: MemoryRange[] = []
  #rounds = startOfRounds
  #budget: CycleBudget | undefined
  #budgetKey = ''
  #lastSample: number | undefined
  #loop: { readonly abort: AbortController; readonly done: Promise<void> } | undefined
  #chipsVisible = false
  #wake: () => void = () => undefined
  /** When the next sample is to be taken, ms. */
  #due = 0
  #poked = false
  #samples: (() => void)[] = []

  constructor(options: HardwareSamplerOptions) {
    this.#options = options
    this.#io[0xd018 - IO_START] = 0x15
    this.#io[0xdd00 - IO_START] = 0x97
  }

  /** Samples as requested from now on; for `off`, one sample and no other. */
  set(request: SampleRequest): void {
    this.#request = request
    this.#due = performance.now()
    this.#poked = request.mode === 'off'
    this.#loop ??= this.#start()
    this.#wake()
  }

  /** A sample now, whatever the budget, with these ranges in it. Resolves once it was taken or has failed. */
  sampleNow(ranges: readonly MemoryRange[] = []): Promise<void> {
    this.refresh(ranges)
    if (!this.#loop || !this.#wantsSomething) return Promise.resolve()
    return new Promise((resolve) => {
      this.#samples.push(resolve)
      this.#poked = true
      this.#wake()
    })
  }

  /** These ranges (of spaces that are read) are read before all others. */
  refresh(ranges: readonly MemoryRange[]): void {
    this.#urgent.push(...ranges)
  }

  /** Ends with the read that is under way. */
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
    // Not at once: the caller shall have its sampler first.
    return { abort, done: Promise.resolve().then(() => this.#run(abort.signal)) }
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isFree = this.#wantsSomething && this.#request.mode !== 'off'
      const asked = this.#poked && this.#wantsSomething
      if (!asked && !(isFree && performance.now() >= this.#due)) {
        this.#poked = false
        await this.#waitFor(isFree ? this.#due - performance.now() : undefined)
        continue
      }
      this.#poked = false
      const answer = this.#samples.splice(0)
      const begun = performance.now()
      const failed = !(await this.#sample(asked, signal))
      for (const resolve of answer) resolve()
      this.#due = failed
        ? performance.now() + WAIT_AFTER_FAILURE
        : Math.max(this.#due + 1_000 / this.#request.rate, begun)
    }
    for (const resolve of this.#samples.splice(0)) resolve()
  }

  /** Until the time is over, something is asked, or the sampler is stopped. */
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

  /** @returns false where a read failed */
  async #sample(asked: boolean, signal: AbortSignal): Promise<boolean> {
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
    const isFree = halted?.() === true
    const available = isFree ? clock * HALTED_SHARE : budget.available(now)
    const least = asked ? [...urgent, ...hot].reduce((sum, { length }) => sum + costOf(costs, length), 0) : 0
    if (!asked && available < costOf(costs, LEAST_READ)) return true
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
      if (!isFree) budget.spend(spent)
    }
    this.#lookAtChips(spaces)
    const passed = this.#lastSample === undefined ? undefined : (now - this.#lastSample) / 1_000
    this.#lastSample = now
    const cost = isFree ? 0 : passed === undefined ? undefined : Math.min(1, spent / (clock * passed))
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

  /** A budget lives as long as what it is made of. */
  #budgetFor(share: number, costs: ReadCosts): CycleBudget {
    const smallest = costOf(costs, LEAST_READ)
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

  /** The program may have banked the chips out: then what was read in their place is something else. */
  #lookAtChips(spaces: readonly Space[]): void {
    const io = this.#image(spaces.includes('io') ? 'io' : 'cpu').bytes.subarray(IO_START, IO_START + IO_SIZE)
    this.#chipsVisible = spaces.includes('io') || decodeVideo(io).visible
    if (this.#chipsVisible) this.#io.set(io)
  }

  #segments(space: Space): Segment[] {
    if (this.#options.spaces.includes(space)) return this.#image(space).segments(space, 0, 0x10000)
    const cpu = this.#image('cpu')
    switch (space) {
      case 'ram':
        return alwaysRam(cpu).flatMap(([from, to]) => cpu.segments('ram', from, to))
      case 'io':
        return this.#chipsVisible ? cpu.segments('io', IO_START, IO_START + IO_SIZE) : []
      case 'colorRam':
        return this.#chipsVisible ? cpu.segments('colorRam', 0xd800, 0xdc00).map(lowNibbles) : []
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
 * Where the CPU sees RAM whatever `$01` says: below $A000 and at $C000, but without $0000 and $0001, the CPU's own port,
 * and without $8000 to $9FFF where a cartridge says that it is there, or may yet say so.
 */
function alwaysRam(cpu: KnownMemory): (readonly [from: number, to: number])[] {
  const isCartridge = cartridgeSignature.every((byte, index) => cpu.bytes[SIGNATURE + index] === byte)
  const isKnown = cpu.isKnown(SIGNATURE, cartridgeSignature.length)
  return [
    [0x0002, isKnown && !isCartridge ? 0xa000 : 0x8000],
    [0xc000, 0xd000],
  ]
}

/** 64 KiB, and which of its bytes were ever read. */
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

  /** The known runs from `from` up to but not including `to`, as copies. */
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
