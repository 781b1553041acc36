import { setTimeout as wait } from 'node:timers/promises'
import { collectReport } from '@shared/report/collectReport'
import { AppError } from '@shared/contract/errors'
import type { Project } from '@shared/contract/orchestration'
import { htmlReport, printReport } from '@shared/report/printReport'
import { sinceTime } from '@shared/report/report'
import type { BridgeClient } from '../../bridge/client'
import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'
import { filePath, flag, text } from '../parameters'
import { saveFile } from '../saveFile'
import { UsageError } from '../usageError'

const OPEN_WAIT_MS = 20_000
const POLL_MS = 100

export const report = defineCommand({
  name: 'report',
  summary: 'Print what failed and needs you, then what agents did and what it cost, in Markdown or HTML.',
  options: {
    since: text('TIME', 'The start of the report: a date, or an age such as 8h or 2d. Default: 24h.'),
    html: flag('One page of HTML instead of Markdown.'),
    out: filePath('Write the report to this file instead.'),
  },
  data: {
    since: 'ms since 1970',
    until: 'ms since 1970',
    projects:
      '[{ project, name, place, failedStarts, runs }]; of each run key, title, system, state, isGone, tasks, turns, checks, failures, failed, worked, cost, unpriced, changes, needs',
    otherTurns: 'how many',
    'file?': '--out: absolute path',
  },
  examples: ['report', 'report --since 8h --out report.md', 'report --html --out report.html'],
  run: async ({ output, signal, openSession }, { since: given = '24h', html, out }) => {
    const until = Date.now()
    const since = sinceTime(given, until)
    if (since === undefined)
      throw new UsageError(`--since cannot be “${given}”: give 8h, 2d or a date that is past.`, 'report')
    const { client } = await openSession()
    const shown = await collectReport({
      since,
      until,
      ask: (name, input) => client.call(name, input, signal),
      inOpen: (project, work) => inOpen(client, project, signal, work),
    })
    const printed = html ? htmlReport(shown) : printReport(shown)
    if (out) await saveFile(out, Buffer.from(`${printed.trimEnd()}\n`))
    output.result(out ? { ...shown, file: out.path } : shown, out ? `Saved ${out.path}` : printed)
    return EXIT_OK
  },
})

async function inOpen<Result>(
  client: BridgeClient,
  { project, place, state }: Project,
  signal: AbortSignal,
  work: () => Promise<Result[]>,
): Promise<Result[]> {
  if (state === 'gone') return []
  if (state === 'closed') await client.call('projects.open', { path: place, isForReading: true }, signal)
  try {
    await untilRead(client, project, signal)
    return await work()
  } finally {
    if (state === 'closed') await client.call('projects.close', { project }).catch(() => undefined)
  }
}

async function untilRead(client: BridgeClient, project: number, signal: AbortSignal): Promise<void> {
  for (const deadline = performance.now() + OPEN_WAIT_MS; ;) {
    const { projects } = await client.call('projects.list', {}, signal)
    if (projects.find((one) => one.project === project)?.state !== 'reading') return
    if (performance.now() > deadline) throw new AppError('TIMEOUT', 'The project’s files were not read in time.')
    await wait(POLL_MS, undefined, { signal })
  }
}
