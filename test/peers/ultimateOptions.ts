/** What the stand-in for an Ultimate can be told to be, and which faults it can be told to have. */

/** Releases in their order. 3.16 stands for the builds after 3.15. */
export const FIRMWARES = ['3.11', '3.12', '3.12a', '3.14', '3.14d', '3.14e', '3.15', '3.16'] as const
export type Firmware = (typeof FIRMWARES)[number]

export type Product = 'Ultimate 64' | 'Ultimate 64 Elite' | 'Ultimate 64-II' | 'Ultimate II+' | 'Ultimate II+L'

/**
 * Bugs of released firmware that a client can meet, each with the first release without it; the releases before have it.
 * `bugs` in the options overrides that.
 */
export const BUGS = {
  /** A memory access through REST closes the menu that is on the screen. */
  memoryAccessClosesMenu: '3.16',
  /** `$D020` is the number 0 and `ZZZZ` too. Without it, text that is not hexadecimal is refused. */
  badNumberIsZero: '3.16',
  /** `length=0` reads nothing, with success. */
  emptyRead: '3.16',
  /** A read of more than 32 KiB does not find the memory for it, and the device hangs. Off unless asked for. */
  readmemOutOfMemory: null,
  /** Quotes, backslashes and control bytes go into JSON as they are. */
  unescapedJson: '3.16',
  /** A connection that never asks anything keeps its slot for ever. */
  noIdleTimeout: '3.15',
  /** The DMA service waits for its client for ever instead of a second. */
  noDmaIdleTimeout: '3.15',
  /** A header block over 2,048 bytes hangs the web server instead of ending the connection. */
  headerOverflow: '3.15',
  /** A `%` without two hexadecimal digits swallows what follows it. */
  badPercentDecode: '3.15',
  /** g64 and g71 images cannot be mounted. */
  g64MountFails: '3.15',
  /** A stream that is started without a destination does not find the one in the configuration. */
  defaultDestinationBroken: '3.14d',
  /** Uploads stay in /Temp. */
  uploadsStay: '3.15',
  /** Colons end the path, also when they are part of a name sent as `%3A`. Off unless asked for. */
  colonNeverReachable: null,
} as const satisfies Record<string, Firmware | null>

export type Bug = keyof typeof BUGS

export interface UltimateOptions {
  readonly product: Product
  readonly firmware: Firmware
  readonly hostname: string
  /** Empty for an open unit. Kept in the configuration, as on the device: category "Network Settings". */
  readonly password: string
  readonly bugs: Readonly<Partial<Record<Bug, boolean>>>
  /** The 6510's port as the program has set it, which decides what a read sees. */
  readonly cpuPort: number
  /** Whether the KERNAL's keyboard buffer is emptied by a reader, 20 ms after keys came. */
  readonly readsKeys: boolean
  /** Whether the simulated program runs at all times, not only while the debug stream is on. */
  readonly programRuns: boolean
  /** Whether the debug stream shows a program that is interrupted, bad lines, and DMA; without, the program's cycles alone. */
  readonly busyBus: boolean
  /** Each call takes about what it takes on an Ultimate 64 Elite (3.12a). */
  readonly realTiming: boolean
  /** Milliseconds that every call takes on top. */
  readonly slow: number
  /** Milliseconds until an idle REST connection is closed; null for 15 s, or never where the firmware has that bug. */
  readonly restIdle: number | null
  /** Milliseconds until an idle DMA connection is closed; null for 1 s, or never where the firmware has that bug. */
  readonly dmaIdle: number | null
  /**
   * `wedged`: connections are accepted and never answered; `refuse`: they are reset at once; `cutOff`: replies end in the
   * middle; `invalidJson`: JSON replies hold raw control bytes and a bare quote; `notAnUltimate`: some other web server.
   */
  readonly restFault: 'wedged' | 'refuse' | 'cutOff' | 'invalidJson' | 'notAnUltimate' | null
  readonly dmaFault: 'wedged' | 'refuse' | 'cutOff' | null
  /** Every n-th REST request is dropped: its connection closes without a reply, and nothing is done. */
  readonly dropEvery: number | null
  /** Whether the "Ultimate Ident Service" answers. */
  readonly ident: boolean
  /** Two-byte datagrams before a stream starts, 100 ms apart; null when ARP is never answered. */
  readonly arpDatagrams: number | null
  /** Whether there is a cable: streams do not go over Wi-Fi. */
  readonly wired: boolean
  readonly standard: 'pal' | 'ntsc'
  /** Datagrams in percent of the device's rate: a busy machine loses some of the real one. */
  readonly streamSpeed: number
  /** Faults of the streams, each in percent of the datagrams. */
  readonly streamLoss: number
  readonly streamDuplicates: number
  /** A datagram changes places with its successor. */
  readonly streamReorder: number
  /** A datagram has bytes behind its end that are no part of the format. */
  readonly streamOversized: number
  /** Logs when the last datagram of each video frame went out. */
  readonly frameTimes: boolean
  /** For the choice of the datagrams with faults. */
  readonly seed: number
}

export const defaults: UltimateOptions = {
  product: 'Ultimate 64 Elite',
  firmware: '3.15',
  hostname: 'Ultimate-64-Elite-8d927f',
  password: '',
  bugs: {},
  cpuPort: 0x37,
  readsKeys: true,
  programRuns: false,
  busyBus: false,
  realTiming: false,
  slow: 0,
  restIdle: null,
  dmaIdle: null,
  restFault: null,
  dmaFault: null,
  dropEvery: null,
  ident: true,
  arpDatagrams: 1,
  wired: true,
  standard: 'pal',
  streamSpeed: 100,
  streamLoss: 0,
  streamDuplicates: 0,
  streamReorder: 0,
  streamOversized: 0,
  frameTimes: false,
  seed: 1,
}

/** `given` over `base`; an option that does not exist is an error, so that a misspelt fault cannot make a test pass. */
export function withOptions(base: UltimateOptions, given: unknown): UltimateOptions {
  if (typeof given !== 'object' || given === null) throw new Error('The options must be a JSON object.')
  const misspelt = Object.keys(given).find((key) => !Object.hasOwn(defaults, key))
  if (misspelt !== undefined) throw new Error(`The stand-in Ultimate has no option ${misspelt}.`)
  const options: UltimateOptions = { ...base, ...given }
  const bug = Object.keys(options.bugs).find((key) => !Object.hasOwn(BUGS, key))
  if (bug !== undefined) throw new Error(`The stand-in Ultimate has no bug ${bug}.`)
  if (!FIRMWARES.includes(options.firmware))
    throw new Error(`The stand-in Ultimate has no firmware ${options.firmware}.`)
  return options
}

export const atLeast = ({ firmware }: UltimateOptions, since: Firmware): boolean =>
  FIRMWARES.indexOf(firmware) >= FIRMWARES.indexOf(since)

export function hasBug(options: UltimateOptions, bug: Bug): boolean {
  const fixed = BUGS[bug]
  return options.bugs[bug] ?? (fixed !== null && !atLeast(options, fixed))
}

/** Whether the C64 is part of the device; the others are cartridges, without streams. */
export const isUltimate64 = ({ product }: UltimateOptions): boolean => product.startsWith('Ultimate 64')
