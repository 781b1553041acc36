/**
 * How a program starts once it lies in RAM: as by x64sc's autostart with `-autostartprgmode 1` (measured with 3.7.1), which
 * always types RUN, and with SYS for a program that RUN cannot start.
 */
import type { Program } from './prg'

const BASIC_START = 0x0801
/** The longest line in bytes that BASIC can go through: it counts within a line in eight bits. */
const MAX_LINE_LENGTH = 0xff
const SYS = 0x9e

/** A load over these bytes starts the program by itself: the return addresses, and BASIC's and the KERNAL's vectors. */
const selfStarting = [
  { start: 0x0100, end: 0x0200 },
  { start: 0x0300, end: 0x0334 },
] as const

/** Where the prompt sees ROM or chips, so that SYS does not reach RAM. */
const hidden = [
  { start: 0xa000, end: 0xc000 },
  { start: 0xd000, end: 0x10000 },
] as const

/** TXTTAB, VARTAB, ARYTAB and STREND at $2B, and the pointers of a load at $AC. */
const BASIC_POINTERS = 0x2b
const LOAD_POINTERS = 0xac

interface Bytes {
  readonly address: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The program's bytes, then the pointers to its end, even over bytes of its own. */
export function loadedBytes({ loadAddress, bytes, end }: Program): [Bytes, Bytes, Bytes] {
  const start = [BASIC_START & 0xff, BASIC_START >> 8]
  const last = [end & 0xff, (end >> 8) & 0xff]
  return [
    { address: loadAddress, bytes },
    { address: BASIC_POINTERS, bytes: Uint8Array.of(...start, ...last, ...last, ...last) },
    { address: LOAD_POINTERS, bytes: Uint8Array.of(...start, ...last) },
  ]
}

/**
 * SYS with the load address if SYS can reach it, no BASIC program lies at $0801, and the load does not start the
 * program by itself; otherwise RUN, as for every program in VICE. The colon keeps out what the program has put behind
 * the command on the screen.
 */
export function startCommand(program: Program): string {
  const { loadAddress, end } = program
  const startsItself = selfStarting.some((area) => loadAddress < area.end && end > area.start)
  const isHidden = hidden.some((area) => loadAddress >= area.start && loadAddress < area.end)
  return startsItself || isHidden || hasBasicLine(program) ? 'run:\n' : `sys${loadAddress}:\n`
}

/**
 * Whether the first line of a BASIC program lies at $0801: link, line number, text, 0. The link leads behind the 0;
 * tools also write other links, which RUN does not follow, and then the text must have a SYS with its number.
 */
function hasBasicLine({ loadAddress, bytes }: Program): boolean {
  const line = bytes.subarray(BASIC_START - loadAddress)
  if (loadAddress > BASIC_START || line.length === 0) return false
  const [linkLow = 0, linkHigh = 0] = line
  // RUN takes a link below $0100 for the end of the program.
  if (linkHigh === 0) return false
  const text = line.subarray(4, 4 + MAX_LINE_LENGTH)
  const length = text.indexOf(0)
  if (length < 1) return false
  const next = BASIC_START + 4 + length + 1
  return (linkLow | (linkHigh << 8)) === next || hasSys(text.subarray(0, length))
}

const hasSys = (text: Uint8Array): boolean =>
  text.some((token, index) => token === SYS && /^[ (]*\d/.test(String.fromCharCode(...text.subarray(index + 1))))
