/** The command line's `task …`. */
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import type { Output as Answer } from '@shared/contract/contract'
import { taskStatuses, type OperationDescription, type Task } from '@shared/contract/tasks'
import { isJsonObject, parseJson, type Json, type JsonObject } from '@shared/json'
import { Catalogue } from '../tasks/catalogue'
import { taskHome } from '../tasks/home'
import { findOperation, operations } from '../tasks/operations'
import type { Arguments, CommandLineName } from './arguments'
import type { Call, Operation } from './operations'
import type { Session } from './session'
import { UsageError } from './usage'

const catalogue = new Catalogue({ all: operations, find: findOperation })

/** How often the log of a task is looked at while the command waits for it, ms. */
const LOOK = 250

type TaskCommand = Extract<CommandLineName, `task ${string}`>

/** The arguments of the operation that the command line names, which are options too. */
export const taskOptions = (command: CommandLineName, operation: string): string[] =>
  command === 'task run' || command === 'task start' ? Object.keys(propertiesOf(operation)) : []

/** What each of them does. */
export const taskOperations: Readonly<Record<TaskCommand, Operation>> = {
  'task list': async (call) => {
    const { words, session, output } = call
    await requireHome(call)
    const status = words.text('status')
    if (status !== undefined && !taskStatuses.some((known) => known === status))
      throw new UsageError(`--status is one of ${taskStatuses.join(', ')}, not “${status}”.`)
    const { home, problems, tasks } = await allTasks(session, call.signal)
    const shown = tasks.filter((task) => status === undefined || task.status === status)
    const rows = shown.map((task) => [
      task.id,
      stateOf(task),
      task.machine ?? '',
      runsOf(task),
      task.interrupted ?? task.waiting ?? task.lastError ?? task.notices[0] ?? '',
    ])
    const text = [...problems.map(({ message, hint }) => [message, hint ?? ''].join(' ')), ...table(rows)]
    output.result({ home, problems, tasks: shown }, text.join('\n') || `There are no tasks in ${home}.`)
  },

  'task show': async (call) => {
    const { words, session, output, signal } = call
    await requireHome(call)
    const shown = await session.client.call('tasks.show', { id: words.subject }, signal)
    output.result(shown, describe(shown))
  },

  'task operations': async ({ words, output }) => {
    await Promise.resolve()
    const name = words.hasPositionals ? words.subject : undefined
    const described = catalogue.describe()
    if (name === undefined) {
      output.result(
        { operations: described },
        table(described.map((operation) => [operation.name, operation.description])).join('\n'),
      )
      return
    }
    const found = descriptionOf(name)
    output.result(found, help(found))
  },

  'task run': async (call) => {
    const { id } = await start(call, 'foreground')
    const { task, result } = await attend(call, id, false)
    call.output.result({ task, result }, JSON.stringify(isJsonObject(result) ? result.summary : result, null, 2))
  },

  'task start': async (call) => {
    const { id } = await start(call, 'background')
    const { task, result } = await attend(call, id, true)
    call.output.result({ task, result }, '')
  },

  'task resume': async (call) => {
    const { words, session, signal, output } = call
    await requireHome(call)
    const shown = await session.client.call('tasks.show', { id: words.subject }, signal)
    if (shown.task.machine !== null) await session.connect(shown.task.machine, signal)
    await session.client.call('tasks.resume', { id: words.subject }, signal)
    const { task, result } = await attend(call, words.subject, true)
    output.result({ task, result }, '')
  },

  'task stop': async (call) => {
    const { words, session, output, signal } = call
    await requireHome(call)
    const task = await session.client.call('tasks.stop', { id: words.subject }, signal)
    output.result({ task }, `${task.id} is ${task.status}.`)
  },

  'task stop-all': async (call) => {
    const { session, output, signal } = call
    await requireHome(call)
    const { stopped } = await session.client.call('tasks.stopAll', {}, signal)
    output.result({ stopped }, `${stopped} tasks were stopped.`)
  },

  'task log': async (call) => {
    const { words, session, output, signal } = call
    await requireHome(call)
    let text = ''
    for (let offset = 0; ;) {
      const part = await session.client.call('tasks.readLog', { id: words.subject, offset }, signal)
      text += part.text
      if (part.next <= offset) break
      offset = part.next
    }
    output.result({ id: words.subject, log: text }, text.trimEnd())
  },

  'task delete': async (call) => {
    const { words, session, output, signal } = call
    await requireHome(call)
    await session.client.call('tasks.delete', { id: words.subject }, signal)
    output.result({ id: words.subject }, `${words.subject} is deleted.`)
  },
}

async function start(call: Call, type: Task['type']): Promise<Task> {
  const { words, session, signal, folder } = call
  const operation = words.subject
  const args = argumentsOf(words, operation, folder)
  const name = words.text('name')
  const schedule = {
    ...(words.text('interval') === undefined
      ? {}
      : { intervalMs: words.number('interval', { min: 1, max: 86_400_000, fallback: 1000 }) }),
    ...(words.text('iterations') === undefined
      ? {}
      : { maxIterations: words.number('iterations', { min: 1, max: 1_000_000_000, fallback: 1 }) }),
  }
  // Wrong words are said before a machine is asked for anything.
  catalogue.prepare(operation, type, args)
  await requireHome(call)
  const machine = await session.connect(words.machine, signal)
  return session.client.call(
    'tasks.start',
    {
      operation,
      machine,
      type,
      args,
      ...(name === undefined ? {} : { name }),
      ...(type === 'background' ? schedule : {}),
    },
    signal,
  )
}

/** Until the task has ended; a call that is interrupted stops it. @throws AppError when the task failed */
async function attend(
  { session, words, signal }: Call,
  id: string,
  showsLog: boolean,
): Promise<{ task: Task; result: Json }> {
  const { client } = session
  const waiting = new AbortController()
  const log = showsLog && !words.json ? follow(session, id, waiting.signal) : Promise.resolve()
  try {
    await client.call('tasks.wait', { id }, signal)
  } catch (error) {
    if (signal.aborted) await client.call('tasks.stop', { id })
    throw error
  } finally {
    waiting.abort()
    await log
  }
  const { task, result } = await client.call('tasks.show', { id })
  if (task.status === 'error')
    throw new AppError('INVALID', task.lastError ?? `${id} failed.`, { details: { task: id } })
  if (task.status !== 'completed')
    throw new AppError('CANCELLED', `${id} was ${task.status}.`, { details: { task: id } })
  return { task, result }
}

async function follow({ client }: Session, id: string, signal: AbortSignal): Promise<void> {
  for (let offset = 0, isLast = false; ;) {
    const { text, next } = await client.call('tasks.readLog', { id, offset }).catch(() => ({ text: '', next: offset }))
    process.stdout.write(text)
    offset = next
    if (isLast) return
    await wait(LOOK, undefined, { signal }).catch(() => undefined)
    isLast = signal.aborted
  }
}

/** A running bridge has one home; another one that the caller names is an error and not ignored. */
export async function requireHome({ words, session, folder, signal }: Call): Promise<void> {
  const named = words.text('home')
  if (named === undefined && !process.env.C64_TASK_STATE_FILE) return
  const wanted = taskHome({ named: named === undefined ? undefined : resolve(folder, named), setting: null })
  const { home } = await session.client.call('tasks.list', { after: null }, signal)
  if (home === wanted) return
  throw new AppError('CONFLICT', `The Bridgedeck that runs keeps its tasks in ${home}, not in ${wanted}.`, {
    hint: 'Close it, or leave that folder out.',
  })
}

async function allTasks(
  { client }: Session,
  signal: AbortSignal,
): Promise<Pick<Answer<'tasks.list'>, 'home' | 'problems' | 'tasks'>> {
  const first = await client.call('tasks.list', { after: null }, signal)
  const tasks = [...first.tasks]
  for (let { next } = first; next !== null;) {
    const page = await client.call('tasks.list', { after: next }, signal)
    tasks.push(...page.tasks)
    next = page.next
  }
  return { home: first.home, problems: first.problems, tasks }
}

function propertiesOf(operation: string): JsonObject {
  const schema = catalogue.describe().find(({ name }) => name === catalogue.get(operation)?.name)?.arguments
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
}

/** `--args` and, over it, the options of their names. */
function argumentsOf(words: Arguments, operation: string, folder: string): JsonObject {
  const whole = words.text('args')
  const args = whole === undefined ? {} : readJson(whole)
  if (!isJsonObject(args)) throw new UsageError('--args is a JSON object.')
  const given = Object.entries(propertiesOf(operation)).flatMap(([name, property]) => {
    const text = words.text(name)
    return text === undefined ? [] : [[name, valueOf(text, property, folder)] as const]
  })
  return { ...args, ...Object.fromEntries(given) }
}

function readJson(text: string): Json {
  try {
    return parseJson(text, '--args')
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function valueOf(text: string, property: Json, folder: string): Json {
  const { type, format } = isJsonObject(property) ? property : {}
  if (format === 'path') return resolve(folder, text)
  if (type === 'string') return text
  try {
    return parseJson(text, '')
  } catch {
    return text
  }
}

function descriptionOf(operation: string): OperationDescription {
  const { name } = findOperation(operation)
  const found = catalogue.describe().find((described) => described.name === name)
  if (!found) throw new UsageError(`There is no operation “${operation}”.`)
  return found
}

function help({ name, title, description, types, needs, writes, arguments: schema }: OperationDescription): string {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : []
  const rows = Object.entries(properties).map(([key, property]) => {
    const { description: text, default: fallback, enum: choices } = isJsonObject(property) ? property : {}
    const notes = [
      ...(typeof text === 'string' ? [text] : []),
      ...(Array.isArray(choices) ? [`One of ${choices.map(String).join(', ')}.`] : []),
      ...(fallback === undefined ? [] : [`Default ${JSON.stringify(fallback)}.`]),
      ...(required.includes(key) ? ['Required.'] : []),
    ]
    return [`  --${key}`, notes.join(' ')]
  })
  return [
    `${name}: ${title}`,
    description,
    `Runs as a ${types.join(' or ')} task; ${writes ? 'changes the machine' : 'changes nothing on the machine'}; needs ${needs.join(', ') || 'nothing special'}.`,
    ...table(rows),
  ].join('\n')
}

function describe({
  task,
  args,
  result,
  artifacts,
  moreArtifacts,
  hasRecording,
  problems,
  log,
}: Answer<'tasks.show'>): string {
  const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString())
  const rows: [string, string][] = [
    ['id', task.id],
    ['state', stateOf(task)],
    ['operation', `${task.operation} ${JSON.stringify(args)}`],
    ['type', task.type],
    ['machine', task.machine ?? ''],
    ['iterations', runsOf(task)],
    ['started', time(task.startedAt)],
    ['stopped', time(task.stoppedAt)],
    ['error', task.lastError ?? ''],
    ['interrupted', task.interrupted ?? ''],
    ['waiting', task.waiting ?? ''],
    ['folder', task.folder],
    ['recording', hasRecording ? 'recording.sqlite' : ''],
    [
      'artifacts',
      [...artifacts.map(({ artifact }) => artifact), ...(moreArtifacts > 0 ? [`and ${moreArtifacts} more`] : [])].join(
        ', ',
      ),
    ],
  ]
  return [
    ...table(rows.filter(([, value]) => value !== '')),
    ...task.notices,
    ...problems.map(({ file, message }) => `${file}: ${message}`),
    ...(result === null ? [] : [JSON.stringify(result, null, 2)]),
    log.text.trimEnd(),
  ].join('\n')
}

function stateOf({ status, interrupted, waiting, orphan }: Task): string {
  if (orphan !== null) return orphan === 'noEntry' ? 'no entry' : 'no folder'
  return interrupted !== null ? 'interrupted' : waiting !== null ? 'waiting' : status
}

const runsOf = ({ type, iterations, maxIterations }: Task): string =>
  type === 'foreground' ? '' : `${iterations ?? '?'}${maxIterations === null ? '' : ` of ${maxIterations}`}`

/** Columns as wide as their widest cell; the last one as it is. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
