import { formatAddress } from '@shared/c64/address'
import { parseLocation } from '@shared/c64/banking'
import { interruptShares, type InterruptSpan } from '@shared/c64/profile/interruptTimeline'
import { MAX_INTERRUPT_FRAMES, type Interrupts } from '@shared/contract/running'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, number, withDefault } from '../../parameters'
import { nameLocations } from '../../place'
import { table, toned } from '../../printed'
import { machineGroup as group } from './group'

export const machineInterrupts = defineCommand({
  group,
  name: 'interrupts',
  summary: 'Show the interrupts of a frame: handler, first and last raster line, and duration.',
  details:
    'Waits for the first raster line of a frame, follows the machine for some frames, then leaves it as it was: running or paused. A checkpoint or a pause ends it earlier. The cycles of a handler include those in which the interrupt was taken, but not those of an interrupt within it. “Waited” is how long the interrupt was pending, at most one instruction too long; VICE does not tell it. On VICE a handler begins seven cycles before its first instruction, even if the VIC-II kept the CPU waiting in them.',
  options: {
    frames: withDefault(number('N', 'How many frames.', { min: 1, max: MAX_INTERRUPT_FRAMES }), 1),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    frames: 'how many were followed',
    cycles: 'of all of them',
    interruptPercent: 'how much of that interrupts took',
    cut: 'true where there were more than are kept',
    handlers: '[{ kind, handler, name, count, cycles, percent, maxWaited }]; kind: irq or nmi',
    interrupts:
      '[{ frame, kind, handler, name, fromLine, fromCycle, toLine, toCycle, cycles, depth, waited }]; frames from 0; toLine and toCycle null where it was still under way; depth: how many it interrupted; waited: null where not known',
  },
  examples: ['interrupts', 'interrupts --frames 3 --json'],
  run: async ({ output, signal, openSession }, { frames, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const found = await session.client.call('running.interrupts', { machine, frames }, signal)
    const { cycles, cyclesPerLine, linesPerFrame, isCut, spans } = found
    const described = await nameLocations(session, machine, [...new Set(spans.map(({ handler }) => handler))], signal)
    const nameOf = (handler: number): string | null => described.get(handler)?.called ?? null
    const percent = (part: number): number => Math.round((part / Math.max(1, cycles)) * 10_000) / 100
    const taken = spans.reduce((all, span) => all + span.cycles, 0)
    const followed = Math.round((cycles / (cyclesPerLine * linesPerFrame)) * 100) / 100
    const shares = interruptShares(spans)
    output.result(
      {
        machine,
        frames: followed,
        cycles,
        interruptPercent: percent(taken),
        cut: isCut,
        handlers: shares.map(({ handler, ...share }) => ({
          ...share,
          handler: addressText(handler),
          name: nameOf(handler),
          percent: percent(share.cycles),
        })),
        interrupts: spans.map((span) => spanData(span, found, nameOf)),
      },
      [
        `${machine}: ${percent(taken).toFixed(2)} % of ${counted(followed, 'frame')} in interrupts.`,
        ...(followed < frames * 0.99
          ? [toned('notice', `It stopped before ${counted(frames, 'frame')} had passed.`)]
          : []),
        ...(isCut ? [toned('notice', 'There were too many interrupts: the last ones are missing.')] : []),
        table([
          ['frame', 'from', 'to', 'in', 'handler', 'cycles', 'of a frame', 'waited'],
          ...spans.map((span) => {
            const { frame, fromLine, fromCycle, toLine, toCycle, depth, waited } = spanData(span, found, nameOf)
            return [
              String(frame),
              `${fromLine}.${fromCycle}`,
              toLine === null ? 'still under way' : `${toLine}.${toCycle}`,
              `${'in '.repeat(depth)}${span.kind.toUpperCase()}`,
              [addressText(span.handler), nameOf(span.handler) ?? ''].join('  ').trimEnd(),
              String(span.cycles),
              `${((span.cycles / (cyclesPerLine * linesPerFrame)) * 100).toFixed(2)} %`,
              waited === null ? 'unknown' : String(waited),
            ]
          }),
        ]),
        table([
          ['in', 'handler', 'times', 'cycles', 'of all', 'waited at most'],
          ...shares.map((share) => [
            share.kind.toUpperCase(),
            [addressText(share.handler), nameOf(share.handler) ?? ''].join('  ').trimEnd(),
            String(share.count),
            String(share.cycles),
            `${percent(share.cycles).toFixed(2)} %`,
            share.maxWaited === null ? 'unknown' : String(share.maxWaited),
          ]),
        ]),
      ],
    )
    return EXIT_OK
  },
})

const addressText = (location: number): string => formatAddress(parseLocation(location).address)

function spanData(span: InterruptSpan, found: Interrupts, nameOf: (handler: number) => string | null) {
  const { cyclesPerLine, linesPerFrame } = found
  const from = rasterPlace(span.start, found)
  const to = span.end === null ? null : rasterPlace(span.end, found)
  return {
    frame: Math.floor(span.start / (cyclesPerLine * linesPerFrame)),
    kind: span.kind,
    handler: addressText(span.handler),
    name: nameOf(span.handler),
    fromLine: from.line,
    fromCycle: from.cycle,
    toLine: to?.line ?? null,
    toCycle: to?.cycle ?? null,
    cycles: span.cycles,
    depth: span.depth,
    waited: span.waited,
  }
}

const rasterPlace = (cycle: number, { cyclesPerLine, linesPerFrame }: Interrupts) => ({
  line: Math.floor(cycle / cyclesPerLine) % linesPerFrame,
  cycle: cycle % cyclesPerLine,
})
