import { z } from 'zod'
import { checkText, hostCheckSchema, type HostCheck } from '@shared/hostCheck'
import { storedJson } from '@shared/storedJson'
import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import { MAX_LINE_CHARACTERS } from '@shared/contract/fact'
import type { Offer } from './edit/offer'
import { fileFinding, type Finding } from './finding'
import type { Remembered } from './format'

export interface CheckCommand {
  readonly task: string
  readonly command: string
  readonly source: ValueSource
}

const DECISIONS = 'check commands'
const recordName = (task: string): string => `check ${task}`

const MAX_DECIDED = 500
const MAX_OUTPUT_CHARACTERS = 4_000

const texts = z.array(z.string())
const decisionsSchema = z.object({ approved: texts, declined: texts })
type Decisions = Readonly<z.infer<typeof decisionsSchema>>

const recordSchema = z.object({ ...hostCheckSchema.shape, output: z.string() })
/** Untrusted text: contains the end of the output. */
export type CheckRecord = z.infer<typeof recordSchema>

/** A command that cannot be seen whole cannot be approved. */
export const isShowable = (command: string): boolean =>
  command.trim() !== '' && command.length <= MAX_LINE_CHARACTERS && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(command)

export function decisionsOf(remembered: Remembered): Decisions {
  return storedJson(remembered.get(DECISIONS), decisionsSchema) ?? { approved: [], declined: [] }
}

export function undecidedChecks(remembered: Remembered, commands: readonly CheckCommand[]): readonly CheckCommand[] {
  const { approved, declined } = decisionsOf(remembered)
  const seen = new Set([...approved, ...declined])
  return commands.filter(({ command }) => {
    if (seen.has(command) || !isShowable(command)) return false
    seen.add(command)
    return true
  })
}

export const checksWait = (remembered: Remembered, commands: readonly CheckCommand[]): boolean =>
  decisionsOf(remembered).approved.length > 0 && undecidedChecks(remembered, commands).length > 0

/** Exactly these texts count, not one that differs in a blank. */
export function decideChecks(
  remembered: Remembered,
  decision: keyof Decisions,
  commands: readonly string[],
): Readonly<Record<string, string>> {
  const { approved, declined } = decisionsOf(remembered)
  const without = (known: readonly string[]) => known.filter((command) => !commands.includes(command))
  const decided = { approved: without(approved), declined: without(declined) }
  decided[decision] = [...decided[decision], ...commands].slice(-MAX_DECIDED)
  return { [DECISIONS]: JSON.stringify(decided) }
}

export const checkRecord = (remembered: Remembered, task: string): CheckRecord | undefined =>
  storedJson(remembered.get(recordName(task)), recordSchema)

export const keepCheck = (task: string, record: CheckRecord | null): Readonly<Record<string, string | null>> => ({
  [recordName(task)]: record && JSON.stringify({ ...record, output: record.output.slice(-MAX_OUTPUT_CHARACTERS) }),
})

export function shownCheck(remembered: Remembered, task: string): HostCheck | undefined {
  const record = checkRecord(remembered, task)
  if (!record) return undefined
  const { output: _, ...shown } = record
  return shown
}

export const describeCheck = (task: string, { command, output, ...check }: CheckRecord): string =>
  [
    `- Task ${task}: ${checkText({ command, ...check })}: ${command}`,
    ...(check.result === 'failed' || check.result === 'timed out' ? output.trim().split('\n').slice(-40) : []),
  ].join('\n  ')

export function checkNeeds(remembered: Remembered, commands: readonly CheckCommand[]): RunNeed[] {
  const [first, ...others] = undecidedChecks(remembered, commands)
  if (!first) return []
  const all = [first, ...others]
  const isOn = checksWait(remembered, commands)
  return [
    {
      kind: 'approval',
      title: `Run ${all.length === 1 ? 'this command' : `these ${all.length} commands`} to check the work?`,
      detail: [
        `Bridgedeck would run ${all.length === 1 ? 'it' : 'each'} in the run’s folder once its task is reported done.`,
        isOn ? 'The run waits for your decision.' : 'Until you decide, tasks are not checked.',
        '',
        ...all.map(({ task, command }) => `${task}: ${command}`),
      ].join('\n'),
      options: [],
      source: first.source,
      since: { value: null, source: null },
      unblocks: isOn ? all.map(({ task }) => task) : [],
    },
  ]
}

/** A command that has changed since the form was shown is refused. */
export function checkOffers(remembered: Remembered, commands: readonly CheckCommand[]): Offer[] {
  const undecided = undecidedChecks(remembered, commands)
  const [first] = undecided
  if (!first) return []
  const texts = undecided.map(({ command }) => command)
  const offer = (
    { name, title, effect }: Pick<Offer, 'name' | 'title' | 'effect'>,
    decision: keyof Decisions,
    summary: string,
  ): Offer => ({
    name,
    title,
    effect,
    target: '',
    source: first.source,
    answersNeed: true,
    fields: [
      {
        name: 'commands',
        label: 'Commands',
        kind: 'several',
        value: texts,
        options: undecided.map(({ task, command }) => ({ value: command, label: `${task}: ${command}` })),
      },
    ],
    plan: (values) => ({
      summary,
      changes: [],
      warnings: [],
      remember: decideChecks(remembered, decision, values.several('commands')),
    }),
  })
  return [
    offer(
      {
        name: 'approve-checks',
        title: 'Run these commands to check tasks',
        effect:
          'Bridgedeck runs exactly these commands, each after its task is reported done. A changed command asks again. No project file changes.',
      },
      'approved',
      'Approved check commands',
    ),
    offer(
      {
        name: 'decline-checks',
        title: 'Continue without these checks',
        effect: 'Bridgedeck runs none of them; their tasks count as not checked. No project file changes.',
      },
      'declined',
      'Declined check commands',
    ),
  ]
}

export function checkFindings(remembered: Remembered, system: string, commands: readonly CheckCommand[]): Finding[] {
  return commands.flatMap(({ task, command, source }) => {
    const check = shownCheck(remembered, task)
    if (!check || check.result === 'passed') return []
    return [
      fileFinding(
        source.file,
        `${system}/check`,
        check.result === 'not checked' ? 'info' : 'error',
        `task ${task}: ${checkText(check)}: ${command}`,
        'a check that Bridgedeck ran and that passed',
      ),
    ]
  })
}
