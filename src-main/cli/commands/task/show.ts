import type { Output as Reply } from '@shared/contract/contract'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table, toned, type Cell, type Printed } from '../../printed'
import { taskTones } from '../../stateTones'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession, taskId } from './taskSession'
import { taskIterations, taskState } from './taskState'

export const taskShow = defineCommand({
  group,
  name: 'show',
  summary: 'Show a task with its arguments, result, files and the end of its log.',
  positionals: { id: taskId },
  options: { home: homeOption },
  data: {
    task: '{ id, name, type, operation, status, machine, … }',
    args: 'by their names',
    result: 'of the operation, or null',
    artifacts: '[{ artifact, … }]',
    problems: '[{ file, message, … }]',
    log: '{ text, … }: its end',
    '…': 'more of the task',
  },
  examples: ['task show 0001_sample'],
  run: async (context, { id, home }) => {
    const { client } = await openTaskSession(context, home)
    const shown = await client.call('tasks.show', { id }, context.signal)
    context.output.result(shown, print(shown))
    return EXIT_OK
  },
})

function print(shown: Reply<'tasks.show'>): Printed {
  const { task, result, problems, log } = shown
  return [
    table(rowsOf(shown).filter(([, value]) => value !== '')),
    ...task.notices,
    ...problems.map(({ file, message }) => `${file}: ${message}`),
    ...(result === null ? [] : [JSON.stringify(result, null, 2)]),
    log.text.trimEnd(),
  ]
}

function rowsOf({ task, args, artifacts, moreArtifacts, hasRecording }: Reply<'tasks.show'>): [string, Cell][] {
  const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString())
  const files = [
    ...artifacts.map(({ artifact }) => artifact),
    ...(moreArtifacts > 0 ? [`and ${moreArtifacts} more`] : []),
  ]
  return [
    ['id', task.id],
    ['state', toned(taskTones[task.status], taskState(task))],
    ['operation', `${task.operation} ${JSON.stringify(args)}`],
    ['type', task.type],
    ['machine', task.machine ?? ''],
    ['iterations', taskIterations(task)],
    ['started', time(task.startedAt)],
    ['stopped', time(task.stoppedAt)],
    ['error', task.lastError === task.interrupted ? '' : (task.lastError ?? '')],
    ['interrupted', task.interrupted ?? ''],
    ['waiting', task.waiting ?? ''],
    ['folder', task.folder],
    ['recording', hasRecording ? 'recording.sqlite' : ''],
    ['artifacts', files.join(', ')],
  ]
}
