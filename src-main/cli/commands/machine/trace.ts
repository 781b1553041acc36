import { formatAddress } from '@shared/c64/address'
import { locationOf, spaceRead, spaceWritten } from '@shared/c64/banking'
import { referenceKind } from '@shared/c64/codeListing'
import { disassemble, nameOperand } from '@shared/c64/disassembler'
import { counted } from '@shared/countedText'
import type { DescribedAddress } from '@shared/contract/labels'
import { MAX_FOLLOWED_FRAMES, TRACED_AT_ONCE, type Trace, type Traced } from '@shared/contract/running'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexByte, hexString } from '../../hexDump'
import { filePath, machine, number } from '../../parameters'
import { nameLocations } from '../../place'
import { toned } from '../../printed'
import { saveTexts } from '../../saveFile'
import type { Session } from '../../session'
import { machineGroup as group } from './group'

const DEFAULT_COUNT = 100
const MAX_COUNT = 1_000_000

export const machineTrace = defineCommand({
  group,
  name: 'trace',
  summary: 'Show the next instructions that a machine executes.',
  details: `Shows the cycle of each instruction, and registers, flags and raster position before it. The machine is not sampled meanwhile and runs slower than in real time, then goes on as before. A checkpoint ends the trace and leaves the machine paused. VICE pauses after each instruction (about 100 per second, 20,000 at most). It tells no cycle, and no raster position where an interrupt is taken. With --json each instruction is one object in a line.`,
  options: {
    count: number('N', `How many, counting interrupts. Default: ${DEFAULT_COUNT}, or as many as --frames takes.`, {
      min: 1,
      max: MAX_COUNT,
    }),
    frames: number('N', `For this many frames, at most ${MAX_COUNT} instructions.`, {
      min: 1,
      max: MAX_FOLLOWED_FRAMES,
    }),
    out: filePath('Write them to this file instead; Ctrl+C then leaves no file.'),
    machine: machine('The machine.'),
  },
  data: {
    'cycle?': 'since the machine was started; null where it does not tell',
    'pc?': 'such as $C000',
    'name?': 'what the address is called, or null',
    'source?': 'the source line, or null',
    'bytes?': 'hex',
    'text?': 'the instruction; or IRQ, NMI, or `IRQ or NMI` where that is unknown',
    'registers?': '{ A, X, Y, SP, FL }',
    'line?': 'of the raster; null where the machine does not tell',
    'lineCycle?': 'the cycle in it, or null',
    'instructions?': '--out: how many were written',
    'stoppedBy?': '--out: checkpoint, jam or null',
    'file?': '--out: absolute path',
  },
  examples: ['trace --count 20', 'trace --frames 1 --out frame.txt', 'trace --count 500 --json'],
  run: async ({ output, signal, openSession }, { count, frames, out, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const asked = {
      machine,
      frames: frames ?? null,
      count: count ?? (frames === undefined ? DEFAULT_COUNT : MAX_COUNT),
    }
    const tracer = new Tracing(session, asked, signal)
    if (!out) {
      for await (const instructions of tracer.chunks())
        if (!output.isJson) output.print(instructions.map(textLine).join('\n'))
        else for (const instruction of instructions) output.result(instructionData(instruction), '')
    } else {
      const lineOf = output.isJson ? (each: Named) => JSON.stringify(instructionData(each)) : textLine
      await saveTexts(
        out,
        texts(tracer.chunks(), lineOf, (done) => output.progress(null, `Traced ${done}`)),
      )
    }
    const { instructions, stoppedBy } = tracer
    const why = { checkpoint: `${machine} stands at a checkpoint.`, jam: `${machine} is jammed.` }
    const notes = [
      ...(out ? [`Saved ${counted(instructions, 'instruction')} in ${out.written}.`] : []),
      ...(stoppedBy ? [why[stoppedBy]] : []),
      ...(tracer.isLimited
        ? [toned('notice', `Stopped after ${counted(instructions, 'instruction')}, the most VICE can trace in one go.`)]
        : []),
    ]
    if (out) output.result({ instructions, stoppedBy, file: out.path }, notes)
    else output.print(notes)
    return EXIT_OK
  },
})

async function* texts(
  chunks: AsyncIterable<readonly Named[]>,
  lineOf: (each: Named) => string,
  onProgress: (done: number) => void,
): AsyncGenerator<string> {
  let done = 0
  for await (const instructions of chunks) {
    yield instructions.map((each) => `${lineOf(each)}\n`).join('')
    onProgress((done += instructions.length))
  }
}

interface Named extends Traced {
  readonly text: string
  readonly place: DescribedAddress | undefined
}

interface Asked {
  readonly machine: string
  readonly count: number
  readonly frames: number | null
}

class Tracing {
  readonly #session: Session
  readonly #asked: Asked
  readonly #signal: AbortSignal
  readonly #names = new Map<number, DescribedAddress>()
  instructions = 0
  stoppedBy: Trace['stoppedBy'] = null
  isLimited = false

  constructor(session: Session, asked: Asked, signal: AbortSignal) {
    this.#session = session
    this.#asked = asked
    this.#signal = signal
  }

  /** The machine stands still between chunks, so that nothing is missed. */
  async *chunks(): AsyncGenerator<readonly Named[]> {
    const { client } = this.#session
    const { machine, count, frames } = this.#asked
    const { machines } = await client.call('machine.list', {}, this.#signal)
    const ran = machines.find((listed) => listed.machine === machine)?.execution === 'running'
    let left = frames
    try {
      while (this.instructions < count && this.stoppedBy === null && !this.isLimited && (left === null || left > 0)) {
        const chunk = Math.min(count - this.instructions, TRACED_AT_ONCE)
        const trace = await client.call('running.trace', { machine, count: chunk, frames: left }, this.#signal)
        if (left !== null) left = Math.max(0, left - trace.cycles / trace.cyclesPerFrame)
        this.instructions += trace.traced.length
        this.stoppedBy = trace.stoppedBy
        this.isLimited = trace.limit !== null && this.instructions >= trace.limit && this.instructions < count
        yield await this.#named(trace.traced)
      }
    } finally {
      if (ran && this.stoppedBy === null) await client.call('machine.resume', { machine }).catch(() => undefined)
    }
  }

  async #named(traced: readonly Traced[]): Promise<readonly Named[]> {
    const instructions = traced.map((each) => ({ each, code: codeOf(each), ...locationsOf(each) }))
    const asked = instructions.flatMap(({ here, operand }) => [here, operand ?? here])
    const unknown = asked.filter((address) => !this.#names.has(address))
    if (unknown.length > 0) {
      const found = await nameLocations(this.#session, this.#asked.machine, unknown, this.#signal)
      for (const [address, place] of found) this.#names.set(address, place)
    }
    return instructions.map(({ each, code, here, operand }) => {
      const text = code ? nameOperand(code, operand === null ? null : (this.#names.get(operand)?.name ?? null)) : null
      return { ...each, text: text ?? interruptText(each.interrupt), place: this.#names.get(here) }
    })
  }
}

const interruptText = (interrupt: Traced['interrupt']): string =>
  interrupt === 'either' ? 'IRQ or NMI' : (interrupt?.toUpperCase() ?? '')

const codeOf = ({ pc, bytes }: Traced) =>
  bytes.length === 0 ? null : disassemble((address) => bytes[(address - pc) & 0xffff] ?? 0, pc)

function locationsOf(traced: Traced): { readonly here: number; readonly operand: number | null } {
  const { pc, pins } = traced
  const code = codeOf(traced)
  const isWrite = code !== null && referenceKind(code.bytes[0] ?? 0) === 'writes'
  const operandSpace = isWrite ? spaceWritten : spaceRead
  const target = code?.target ?? null
  return {
    here: locationOf(spaceRead(pins, pc), pc),
    operand: target === null ? null : locationOf(operandSpace(pins, target), target),
  }
}

const instructionData = ({ clock, pc, bytes, text, place, a, x, y, sp, flags, line, lineCycle }: Named) => ({
  cycle: clock,
  pc: formatAddress(pc),
  name: place?.name ?? null,
  source: place?.source ?? null,
  bytes: hexString(Uint8Array.from(bytes)),
  text,
  registers: { A: a, X: x, Y: y, SP: sp, FL: flags },
  line,
  lineCycle,
})

const flagNames = ['N', 'V', '-', 'B', 'D', 'I', 'Z', 'C']

/** `    123456  $C000  A2 03     LDX #$03              A=00 X=00 Y=0A SP=F3  ..-..I..  120:14  main.s:3`, below its label. */
function textLine({ clock, pc, bytes, text, place, a, x, y, sp, flags, line, lineCycle }: Named): string {
  const label = place?.isLabel === true ? `${place.name ?? ''}:\n` : ''
  const registers = `A=${hexByte(a)} X=${hexByte(x)} Y=${hexByte(y)} SP=${hexByte(sp)}`
  const shown = flagNames.map((name, at) => ((flags & (0x80 >> at)) === 0 ? '.' : name)).join('')
  const cells = [
    ...(clock === null ? [] : [String(clock).padStart(10)]),
    formatAddress(pc),
    bytes.map(hexByte).join(' ').padEnd(8),
    text.padEnd(20),
    registers,
    shown,
    (line === null ? '' : `${line}:${lineCycle}`).padEnd(6),
    place?.source ?? '',
  ]
  return `${label}${cells.join('  ').trimEnd()}`
}
