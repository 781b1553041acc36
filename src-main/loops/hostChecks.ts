import { checkText } from '@shared/hostCheck'
import {
  checkRecord,
  checksWait,
  decideChecks,
  decisionsOf,
  isShowable,
  keepCheck,
  undecidedChecks,
  type CheckCommand,
  type CheckRecord,
} from '../formats/hostChecks'
import { ownCheck } from '../formats/ownCheck'
import type { LoopEnd, LoopWork } from './loop'

/** For one check, unless the person set a shorter limit for turns. */
const CHECK_LIMIT_MS = 600_000

interface CheckWork extends Pick<LoopWork, 'remembered' | 'check' | 'log' | 'step' | 'signal'> {
  readonly options: { readonly runsChecks?: boolean | undefined; readonly turnTime?: number | undefined }
}

export class HostChecks {
  readonly #work: CheckWork

  constructor(work: CheckWork) {
    this.#work = work
  }

  endBefore(commands: readonly CheckCommand[]): (LoopEnd & { readonly hint: string }) | undefined {
    const { remembered, options, log } = this.#work
    const undecided = undecidedChecks(remembered, commands)
    if (undecided.length === 0) return undefined
    if (options.runsChecks === true) {
      for (const { task, command } of undecided) log('info', `Task ${task} will be checked by: ${command}`)
      remembered.set(
        decideChecks(
          remembered,
          'approved',
          undecided.map(({ command }) => command),
        ),
      )
      return undefined
    }
    if (!checksWait(remembered, commands)) return undefined
    return {
      outcome: 'waiting',
      message: `Check commands wait for your approval: ${undecided.map(({ command }) => command).join(' · ')}`,
      hint: 'Approve or decline them in the inbox or with project answer, then start it again.',
    }
  }

  /** @param workFolder absolute */
  async checkOwn(tasks: readonly string[], claimed: boolean | null, workFolder?: string): Promise<CheckRecord | null> {
    const { remembered } = this.#work
    const command = ownCheck(remembered)
    const [first, ...others] = tasks
    if (first === undefined) return null
    const source = { file: '' }
    const record = await this.check(
      first,
      command === undefined ? undefined : { task: first, command, source },
      claimed,
      workFolder,
    )
    for (const task of others) remembered.set(keepCheck(task, record))
    return record
  }

  /**
   * @param claimed what the agent says of the same check; null where it says nothing
   * @returns null where the files name no command
   * @throws the signal's reason when stopped, AppError FORBIDDEN when the project is no longer trusted
   */
  async check(
    task: string,
    check: CheckCommand | undefined,
    claimed: boolean | null,
    workFolder?: string,
  ): Promise<CheckRecord | null> {
    const { remembered, log } = this.#work
    if (!check) {
      if (checkRecord(remembered, task)) remembered.set(keepCheck(task, null))
      return null
    }
    const { command } = check
    const record = decisionsOf(remembered).approved.includes(command)
      ? await this.#run(task, command, claimed, workFolder)
      : notChecked(command, claimed)
    remembered.set(keepCheck(task, record))
    const isDoubt = record.result !== 'passed'
    log(isDoubt ? 'warn' : 'info', `Task ${task}: ${checkText(record)}: ${command}`)
    if (!isShowable(command)) log('warn', `The check of task ${task} cannot be shown as it is, so it is not run.`)
    return record
  }

  async #run(
    task: string,
    command: string,
    claimed: boolean | null,
    workFolder: string | undefined,
  ): Promise<CheckRecord> {
    const work = this.#work
    work.step(`Checking task ${task}: ${command}`)
    const timeLimit = Math.min(CHECK_LIMIT_MS, work.options.turnTime ?? Infinity)
    const { status, exitCode, data, reason, log } = await work.check(task, command, timeLimit, workFolder)
    work.signal.throwIfAborted()
    return {
      command,
      exitCode,
      claimed,
      log,
      endedAt: Date.now(),
      result: status === 'success' ? 'passed' : status === 'timeout' ? 'timed out' : 'failed',
      output: data === '' ? reason : data,
    }
  }
}

const notChecked = (command: string, claimed: boolean | null): CheckRecord => ({
  command,
  claimed,
  endedAt: Date.now(),
  result: 'not checked',
  exitCode: null,
  log: null,
  output: '',
})

export function failureOf(name: string, record: CheckRecord | null): string | null {
  if (record?.result === 'timed out') return `${name} timed out: ${record.command}`
  if (record?.result !== 'failed') return null
  return `${name} ${record.exitCode === null ? 'failed' : `exited ${record.exitCode}`}: ${record.command}`
}
