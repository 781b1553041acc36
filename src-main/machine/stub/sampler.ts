/**
 * Samples a C64 through its stub within a share of its time. Sending a byte stops the CPU ten times as long as summing it,
 * so a page is read only when its checksum changed.
 */
import { clockRates } from '@shared/c64/registers'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { KnownMemory } from '../hardwareSampler'
import { noSamples, type MemoryRange, type Sample, type SampleRequest } from '../machine'
import { CycleBudget, hotRanges, withoutSideEffects } from '../readPlan'
import { crc16, lineBytes, readBytes, readRegisters, sumPages, type CpuRegisters, type Request } from './codec'
import { mapRange } from './memory'
import { cpuMapping, registersOf, type StubSession } from './session'

export interface StubSamplerOptions {
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
  /** Everything known of the requested spaces. Addresses that were never read are in no segment. */
  readonly emit: (sample: Sample) => void
}

type ReadSpace = Exclude<Space, 'cpu'>

interface Step {
  readonly cycles: number
  run(signal: AbortSignal): Promise<void>
}

const PAGE_BYTES = 0x100
/** Longest stop of the program for a request of more than a page. */
const MAX_STOP_S = 0.05
/** Pages summed in one request, which stops the program about as long. */
const PAGES_PER_SUM = 8
const REST_PAGES_PER_ROUND = 16
/** Cycles for entering and leaving the interrupt, and for the wake-up bytes. */
const CYCLES_PER_STOP = 900
const BITS_PER_BYTE = 10

const MAX_PAUSED_SAMPLE_S = 0.25
const RETRY_DELAY_MS = 1_000

const romPages = [...pagesOf(0xa000, 0x2000), ...pagesOf(0xd000, 0x1000), ...pagesOf(0xe000, 0x2000)]
const colourPages = pagesOf(0xd800, 0x400)

export class StubSampler {
  readonly #session: StubSession
  readonly #options: StubSamplerOptions
  readonly #known: Record<ReadSpace, KnownMemory> = {
    ram: new KnownMemory(),
    rom: new KnownMemory(),
    io: new KnownMemory(),
    colorRam: new KnownMemory(),
  }
  /** The I/O registers as last seen, to find the graphics; initially as after a reset. */
  readonly #io = new Uint8Array(IO_SIZE)
  #registers: CpuRegisters | undefined
  #request = noSamples
  #loop: { readonly abort: AbortController; readonly done: Promise<void> } | undefined
  #lastSample: number | undefined
  #next = 0
  #nextColour = 0

  constructor(session: StubSession, options: StubSamplerOptions) {
    this.#session = session
    this.#options = options
    this.#io[0xd018 - IO_START] = 0x15
    this.#io[0xdd00 - IO_START] = 0x97
  }

  set(request: SampleRequest): void {
    this.#loop?.abort.abort()
    this.#request = request
    const before = this.#loop?.done ?? Promise.resolve()
    const abort = new AbortController()
    this.#loop = { abort, done: before.then(() => this.#run(request, abort.signal)) }
  }

  async sampleNow(range?: MemoryRange): Promise<void> {
    const signal = this.#loop?.abort.signal
    if (!signal || !this.#wantsSomething) return
    try {
      if (range) for (const step of this.#readSteps(range)) await step.run(signal)
      else for (const step of this.#hot()) await step.run(signal)
      this.#emit(0)
    } catch (error) {
      if (!(error instanceof AppError)) throw error // the session reports silence and loss
    }
  }

  async stop(): Promise<void> {
    const loop = this.#loop
    this.#loop = undefined
    loop?.abort.abort()
    await loop?.done
  }

  get #wantsSomething(): boolean {
    return this.#request.spaces.length > 0
  }

  async #run(request: SampleRequest, signal: AbortSignal): Promise<void> {
    if (!this.#wantsSomething) return
    if (request.mode === 'off') return this.sampleNow()
    const clock = clockRates[this.#session.hello.standard]
    let budget = this.#newBudget(clock)
    let share = this.#options.allowed().budget
    const steps = this.#rounds()
    let step = nextOf(steps)
    while (!signal.aborted) {
      if (share !== this.#options.allowed().budget) {
        share = this.#options.allowed().budget
        budget = this.#newBudget(clock)
      }
      const begun = performance.now()
      let spent = 0
      try {
        const { held } = this.#session
        while (held ? spent < clock * MAX_PAUSED_SAMPLE_S : budget.available(performance.now()) >= step.cycles) {
          await step.run(signal)
          spent += step.cycles
          if (!held) budget.spend(step.cycles)
          step = nextOf(steps)
        }
        if (spent > 0) this.#emit(held ? 0 : spent)
      } catch {
        // The session reports silence and loss; the step is tried again.
        await pause(RETRY_DELAY_MS, signal)
      }
      await pause(Math.max(begun + 1_000 / request.rate - performance.now(), 1), signal)
    }
  }

  #newBudget(clock: number): CycleBudget {
    const maxCost = Math.max(
      this.#costOf(readBytes(0, 0, this.#maxReadBytes)),
      this.#costOf(sumPages(0, 0, PAGES_PER_SUM)),
    )
    return new CycleBudget(
      this.#options.allowed().budget * clock,
      this.#request.rate,
      maxCost,
      performance.now(),
      maxCost,
    )
  }

  /** Endless: the hot ranges in each round, and part of the rest. */
  *#rounds(): Generator<Step, never> {
    for (;;) {
      yield* this.#hot()
      if (this.#reads('colorRam')) {
        const page = colourPages[this.#nextColour++ % colourPages.length] ?? 0
        yield* this.#readSteps({ space: 'colorRam', address: page * PAGE_BYTES, length: PAGE_BYTES })
      }
      const rest = this.#restPages()
      const group = rest.slice(this.#next, this.#next + REST_PAGES_PER_ROUND)
      this.#next = this.#next + REST_PAGES_PER_ROUND < rest.length ? this.#next + REST_PAGES_PER_ROUND : 0
      for (const space of ['ram', 'rom'] as const) {
        yield* this.#changedPages(
          space,
          group.filter((page) => page.space === space).map(({ page }) => page),
        )
      }
    }
  }

  *#hot(): Generator<Step, undefined> {
    yield this.#registersStep()
    const direct = (['ram', 'io'] as const).filter((space) => this.#reads(space))
    const hot = hotRanges(direct, this.#known.ram.bytes, this.#io)
    const { sideEffects } = this.#options.allowed()
    for (const range of sideEffects ? hot : withoutSideEffects(hot)) {
      // Colour RAM, which is also part of the space `io`, is read separately.
      if (range.space === 'io' && range.address < 0xd800) yield* this.#readSteps(range)
    }
    const pages = new Set(
      hot.filter(({ space }) => space === 'ram').flatMap(({ address, length }) => pagesOf(address, length)),
    )
    yield* this.#changedPages(
      'ram',
      [...pages].sort((a, b) => a - b),
    )
  }

  *#changedPages(space: ReadSpace, pages: readonly number[]): Generator<Step, undefined> {
    const own = this.#session.hello
    for (const group of runsOf(pages)) {
      const { mapping } = mapRange({ space, address: (group[0] ?? 0) * PAGE_BYTES, length: PAGE_BYTES }, 0)[0] ?? {
        mapping: 0,
      }
      // The stub changes the CPU's port in page 0 while it sums, and its own memory with each request.
      const isOwn = (page: number): boolean => page * PAGE_BYTES >= own.start && page * PAGE_BYTES < own.end
      const known = group.filter((page) => this.#known[space].isKnown(page * PAGE_BYTES, PAGE_BYTES))
      const summable = known.filter((page) => page > 0 && !isOwn(page))
      const same = new Set(known.filter(isOwn))
      const [first] = summable
      if (first !== undefined) {
        const request = sumPages(mapping, first, (summable.at(-1) ?? first) - first + 1)
        yield this.#step(request, (sums) => {
          for (const page of summable) if (sums[page - first] === crc16(this.#page(space, page))) same.add(page)
        })
      }
      for (const run of runsOf(group.filter((page) => !same.has(page)))) {
        yield* this.#readSteps({ space, address: (run[0] ?? 0) * PAGE_BYTES, length: run.length * PAGE_BYTES })
      }
    }
  }

  #readSteps({ space, address, length }: MemoryRange): Step[] {
    if (space === 'cpu')
      return (['ram', 'io', 'colorRam'] as const).flatMap((one) => this.#readSteps(within(one, address, length)))
    if (length <= 0) return []
    return mapRange({ space, address, length }, 0).flatMap((range) =>
      pieces(range.address, range.length, this.#maxReadBytes).map(([at, size]) =>
        this.#step(readBytes(range.mapping, at, size), (bytes) => {
          this.#known[space].put(at, space === 'colorRam' ? bytes.map((byte) => byte & 0x0f) : bytes)
          if (space === 'io') this.#io.set(bytes, at - IO_START)
        }),
      ),
    )
  }

  #registersStep(): Step {
    return this.#step(readRegisters(), (registers) => {
      this.#registers = registers
    })
  }

  #step<Reply>(request: Request<Reply>, take: (reply: Reply) => void): Step {
    const { client } = this.#session
    return { cycles: this.#costOf(request), run: async (signal) => take(await client.request(request, signal)) }
  }

  get #maxReadBytes(): number {
    const bytes = (MAX_STOP_S * this.#session.client.baud) / BITS_PER_BYTE
    return Math.max(1, Math.floor(bytes / PAGE_BYTES)) * PAGE_BYTES
  }

  #costOf(request: Request<unknown>): number {
    const cyclesPerByte = (clockRates[this.#session.hello.standard] * BITS_PER_BYTE) / this.#session.client.baud
    return CYCLES_PER_STOP + request.cycles + lineBytes(request) * cyclesPerByte
  }

  #reads(space: ReadSpace): boolean {
    return this.#request.spaces.includes(space) || this.#request.spaces.includes('cpu')
  }

  #restPages(): { space: 'ram' | 'rom'; page: number }[] {
    const ram = this.#reads('ram') ? pagesOf(0, 0x10000).map((page) => ({ space: 'ram' as const, page })) : []
    const rom = this.#reads('rom') ? romPages.map((page) => ({ space: 'rom' as const, page })) : []
    return [...ram, ...rom]
  }

  #page(space: ReadSpace, page: number): Uint8Array {
    return this.#known[space].bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
  }

  #emit(spent: number): void {
    const now = performance.now()
    const passed = this.#lastSample === undefined ? undefined : (now - this.#lastSample) / 1_000
    this.#lastSample = now
    const clock = clockRates[this.#session.hello.standard]
    this.#options.emit({
      time: performance.timeOrigin + now,
      segments: this.#request.spaces.flatMap((space) => this.#segments(space)),
      ...(this.#registers ? { registers: registersOf(this.#registers) } : {}),
      ...(passed === undefined ? {} : { cost: Math.min(1, spent / (clock * passed)) }),
    })
  }

  #segments(space: Space): Segment[] {
    if (space === 'cpu') return this.#cpuSegments()
    const [start, end] =
      space === 'io' ? [IO_START, IO_START + IO_SIZE] : space === 'colorRam' ? [0xd800, 0xdc00] : [0, 0x10000]
    return this.#known[space].segments(space, start, end)
  }

  /** The CPU's view by its port; cartridges are not included, as the stub cannot detect them. */
  #cpuSegments(): Segment[] {
    if (!this.#registers) return []
    const mapping = cpuMapping(this.#registers)
    const basic = (mapping & 0b011) === 0b011
    const kernal = (mapping & 0b010) !== 0
    const chips = (mapping & 0b011) === 0 ? 'ram' : (mapping & 0b100) === 0 ? 'rom' : 'io'
    const parts: readonly (readonly [ReadSpace, number, number])[] = [
      ['ram', 0, 0xa000],
      [basic ? 'rom' : 'ram', 0xa000, 0xc000],
      ['ram', 0xc000, 0xd000],
      [chips, 0xd000, chips === 'io' ? 0xd800 : 0xe000],
      ...(chips === 'io'
        ? ([
            ['colorRam', 0xd800, 0xdc00],
            ['io', 0xdc00, 0xe000],
          ] as const)
        : []),
      [kernal ? 'rom' : 'ram', 0xe000, 0x10000],
    ]
    return parts.flatMap(([space, start, end]) => this.#known[space].segments('cpu', start, end))
  }
}

function pagesOf(address: number, length: number): number[] {
  const first = address >> 8
  return Array.from({ length: ((address + length - 1) >> 8) - first + 1 }, (_, index) => first + index)
}

const nextOf = (steps: Generator<Step, never>): Step => steps.next().value

function runsOf(pages: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const page of pages) {
    const run = runs.at(-1)
    if (run && page === (run.at(-1) ?? 0) + 1 && run.length < PAGES_PER_SUM && page % 0x10 !== 0) run.push(page)
    else runs.push([page])
  }
  return runs
}

function pieces(address: number, length: number, size: number): [address: number, length: number][] {
  return Array.from({ length: Math.ceil(length / size) }, (_, index) => [
    address + index * size,
    Math.min(size, length - index * size),
  ])
}

function within(space: ReadSpace, address: number, length: number): MemoryRange {
  const [start, end] =
    space === 'io' ? [IO_START, IO_START + IO_SIZE] : space === 'colorRam' ? [0xd800, 0xdc00] : [0, 0x10000]
  const from = Math.max(address, start)
  return { space, address: from, length: Math.min(address + length, end) - from }
}

function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, timeMs)
    signal.addEventListener('abort', end, { once: true })
  })
}
