import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { checkReport } from '../../check/html'
import { junitXml, problemText } from '../../check/junit'
import { Baselines } from '../../check/pictures'
import { readPlanFile, type ReadyPlan } from '../../check/planFiles'
import { countOutcomes, countsText, type CaseResult } from '../../check/results'
import { planCases, runChecks, type PlannedCase } from '../../check/runChecks'
import { defineCommand, type CommandContext } from '../../command'
import { didYouMean } from '../../nearestName'
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitCodes } from '../../exitCodes'
import { ownPackage } from '../../ownPackage'
import { filePath, filePaths, flag, namedMachines, texts, type FilePath } from '../../parameters'
import { toned, type Cell, type Printed } from '../../printed'
import { saveFile } from '../../saveFile'
import { machineGroup as group } from './group'

export const machineCheck = defineCommand({
  group,
  name: 'check',
  summary: 'Run program tests described in YAML files.',
  details:
    'Each case begins with the power-on of its machine; a window’s C64 is reset, too. Cases of a machine run one after the other, machines at the same time. Pictures that differ are saved in check-results beside the file. Exit code 0 says that all cases passed, 1 that a check failed; where none failed but some could not be checked, it is that of the first error. docs/checks.md has the format.',
  positionals: { file: filePaths('Files of checks.') },
  options: {
    machine: namedMachines('Run on this machine, not on those of the files; repeat it for several.'),
    only: texts('NAME', 'Run the case with this name only; repeat it for several.'),
    update: flag('Save the pictures that differ, or do not exist yet, as the expected ones.'),
    junit: filePath('Write the results to this file as JUnit XML.'),
    html: filePath('Write a report to this file, with screens and pictures of what failed.'),
  },
  data: {
    passed: 'how many cases passed',
    failed: 'how many failed',
    errors: 'how many could not be checked',
    skipped: 'how many are for other machines',
    notRun: 'how many did not run, as the call was interrupted',
    cases:
      '[{ file, name, machine, outcome, reason, seconds, problems, files }]; outcome: passed, failed, error, skipped or notRun; problems: [{ kind, where, code, message, expected, found }]',
  },
  examples: [
    'check border.check.yaml',
    'check border.check.yaml --machine builtin --junit results.xml --html report.html',
  ],
  run: async (context, { file: files, machine, only, update, junit, html }) => {
    const { output, openSession, resources, signal } = context
    const built = await mkdtemp(join(tmpdir(), 'bridgedeck-check-'))
    try {
      const plans = await readPlans(files, built)
      requireNames(plans, only)
      const cases = planCases(plans, machine, only)
      const session = await openSession()
      const progress = new Progress(context, cases.length)
      const results = await runChecks(
        cases,
        {
          session,
          baselines: new Baselines(update),
          onStart: (planned) => progress.started(planned),
          onResult: (result) => progress.ended(result),
        },
        signal,
      )
      output.clearProgress()
      const about = `Bridgedeck ${ownPackage(resources).version}, ${new Date().toISOString()}`
      if (junit) await saveFile(junit, new TextEncoder().encode(junitXml(results)))
      if (html) await saveFile(html, new TextEncoder().encode(checkReport(results, about)))
      output.result(dataOf(results), summary(results, [junit, html]))
      return codeOf(results)
    } finally {
      await rm(built, { recursive: true, force: true })
    }
  },
})

async function readPlans(files: readonly FilePath[], built: string): Promise<ReadyPlan[]> {
  const plans: ReadyPlan[] = []
  const errors: AppError[] = []
  for (const file of files) {
    try {
      plans.push(await readPlanFile(file, await mkdtemp(join(built, 'p'))))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      errors.push(error)
    }
  }
  const [first, ...others] = errors
  if (!first) return plans
  if (others.length === 0) throw first
  throw new AppError('INVALID', errors.map(({ message }) => message).join('\n'))
}

function requireNames(plans: readonly ReadyPlan[], only: readonly string[]): void {
  const names = new Set(plans.flatMap(({ cases }) => cases.map(({ case: { name } }) => name)))
  const unknown = only.find((name) => !names.has(name))
  if (unknown !== undefined)
    throw new AppError('NOT_FOUND', `There is no case “${unknown}”.${didYouMean(unknown, names)}`)
}

class Progress {
  readonly #context: CommandContext
  readonly #count: number
  readonly #running = new Map<string, string>()
  #ended = 0

  constructor(context: CommandContext, count: number) {
    this.#context = context
    this.#count = count
  }

  started({ machine, ready }: PlannedCase): void {
    this.#running.set(machine, ready.case.name)
    this.#show()
  }

  ended(result: CaseResult): void {
    this.#ended++
    this.#running.delete(result.machine)
    this.#context.output.print(lines(result))
    this.#show()
  }

  #show(): void {
    const running = [...this.#running].map(([machine, name]) => `${name} (${machine})`).join(', ')
    this.#context.output.progress(this.#ended / Math.max(1, this.#count), running)
  }
}

const marks = {
  passed: toned('good', 'ok  '),
  failed: 'FAIL',
  error: 'ERR ',
  skipped: 'skip',
  notRun: 'skip',
} as const

function lines(result: CaseResult): Printed {
  const { outcome, name, machine, seconds, reason, problems, files } = result
  const mark = marks[outcome]
  const text = `${typeof mark === 'string' ? mark : mark.text} ${name} (${machine})`
  if (outcome === 'passed') return [toned('good', `${text} ${seconds.toFixed(1)} s`), ...saved(files)]
  if (outcome === 'skipped' || outcome === 'notRun') return toned('notice', `${text}: ${reason}`)
  return [toned('bad', text), ...problems.map((problem) => indented(problemText(problem))), ...saved(files)]
}

const saved = (files: readonly string[]): Cell[] => files.map((file) => toned('muted', `     saved ${file}`))
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `     ${line}`)
    .join('\n')

function summary(results: readonly CaseResult[], reports: readonly (FilePath | undefined)[]): Printed {
  const counts = countOutcomes(results)
  const isGood = counts.passed > 0 && counts.passed + counts.skipped === results.length
  const missed = results.filter(({ outcome }) => outcome === 'notRun')
  return [
    ...(missed.length === 0
      ? []
      : [`Not run: ${missed.map(({ name, machine }) => `${name} (${machine})`).join(', ')}.`]),
    toned(isGood ? 'good' : 'bad', `${countsText(counts)}.`),
    ...reports.flatMap((report) => (report ? [`Saved ${report.written}.`] : [])),
  ]
}

function dataOf(results: readonly CaseResult[]) {
  const { passed, failed, error, skipped, notRun } = countOutcomes(results)
  const cases = results.map(({ screen: _screen, pictures: _pictures, ...result }) => result)
  return { passed, failed, errors: error, skipped, notRun, cases }
}

function codeOf(results: readonly CaseResult[]): number {
  const counts = countOutcomes(results)
  if (counts.notRun > 0) return EXIT_INTERRUPTED
  if (counts.failed > 0) return EXIT_FAILED
  const code = results.flatMap(({ problems }) => problems).find(({ kind }) => kind === 'error')?.code
  if (code) return exitCodes.find(({ errors }) => errors.includes(code))?.code ?? EXIT_FAILED
  return counts.passed > 0 ? EXIT_OK : EXIT_FAILED
}
