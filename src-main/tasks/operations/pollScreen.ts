import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { defineOperation, type OperationContext } from '../operation'
import { flag, reportAddress, wholeNumber } from './arguments'
import { charset } from './readScreen'
import { warnOfSampling } from './samplingRisk'
import { readTextScreen, trimmed } from './screen'

const COLUMNS = 40

export const pollScreen = defineOperation({
  name: 'poll_screen',
  title: 'Wait for text on the screen',
  does: 'Waits until a text or a regular expression appears on the text screen. A recurring task checks once per run, and completes when it is found.',
  needs: ['readMemory'],
  writes: false,
  arguments: z.strictObject({
    pattern: z.string().min(1).max(1000).meta({ description: 'Text or regular expression.' }),
    isRegex: flag(false, 'Treat the pattern as a JavaScript regular expression; ^ and $ match the ends of a row.'),
    caseInsensitive: flag(true, 'Ignore case.'),
    timeoutMs: wholeNumber(
      0,
      86_400_000,
      'How long to look before giving up. A recurring task goes by its schedule instead.',
    ).prefault(3000),
    intervalMs: wholeNumber(
      20,
      3_600_000,
      'How long to wait between two looks. A recurring task goes by its schedule instead.',
    ).prefault(100),
    charset: charset(),
  }),
  run: async (context, args) => {
    const { machine, signal, recurring } = context
    warnOfSampling(context)
    const start = performance.now()
    for (let looks = 1; ; looks++) {
      const { rows, video } = await readTextScreen(machine, signal, args.charset)
      const found = await find(context, args, rows)
      const waited = Math.round(performance.now() - start)
      if (found) {
        context.log(`found “${found.text}” in row ${found.row}, column ${found.column}`)
        return {
          summary: {
            found: true,
            ...found,
            address: reportAddress(video.screen + found.row * COLUMNS + found.column),
            looks,
            waitedMs: waited,
          },
          done: true,
        }
      }
      if (recurring) return { summary: { found: false } }
      if (waited + args.intervalMs > args.timeoutMs) {
        throw new AppError('TIMEOUT', `“${args.pattern}” did not appear on the screen within ${args.timeoutMs} ms.`, {
          hint: `The screen’s first row with a text is “${trimmed(rows).find((row) => row !== '') ?? ''}”.`,
        })
      }
      context.progress(waited, args.timeoutMs, 'looking at the screen')
      await sleep(args.intervalMs, undefined, { signal })
    }
  },
})

interface Wanted {
  readonly pattern: string
  readonly isRegex: boolean
  readonly caseInsensitive: boolean
}

async function find(
  { match }: OperationContext,
  { pattern, isRegex, caseInsensitive }: Wanted,
  rows: readonly string[],
): Promise<{ text: string; row: number; column: number } | null> {
  if (isRegex) {
    const lines = trimmed(rows)
    const found = await match(pattern, caseInsensitive ? 'im' : 'm', lines.join('\n'))
    if (!found) return null
    const before = lines.join('\n').slice(0, found.index).split('\n')
    return { text: found.text, row: before.length - 1, column: Array.from(before.at(-1) ?? '').length }
  }
  const plain = (text: string): string => (caseInsensitive ? text.toLowerCase() : text)
  const cells = rows.flatMap((row) => Array.from(row))
  const wanted = Array.from(plain(pattern))
  const at = cells.findIndex((_, start) =>
    wanted.every((character, index) => plain(cells[start + index] ?? '') === character),
  )
  return at < 0
    ? null
    : { text: cells.slice(at, at + wanted.length).join(''), row: Math.floor(at / COLUMNS), column: at % COLUMNS }
}
