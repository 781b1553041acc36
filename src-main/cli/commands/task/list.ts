import type { Output as Reply } from '@shared/contract/contract'
import { AppError, describeFailure } from '@shared/contract/errors'
import { taskStatuses } from '@shared/contract/tasks'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice } from '../../parameters'
import type { Session } from '../../session'
import { table, toned } from '../../printed'
import { taskTones } from '../../stateTones'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession } from './taskSession'
import { taskIterations, taskState } from './taskState'

export const taskList = defineCommand({
  group,
  name: 'list',
  summary: 'List the tasks.',
  options: { status: choice('STATUS', 'Only those in this state.', taskStatuses), home: homeOption },
  data: {
    home: 'absolute path of the folder of tasks.json',
    problems: '[{ message, hint, … }]',
    tasks: '[{ id, name, type, operation, status, machine, … }]',
  },
  examples: ['task list', 'task list --status running'],
  run: async (context, { status, home: named }) => {
    const session = await openTaskSession(context, named)
    const { home, problems, tasks } = await allTasks(session, context.signal)
    const shown = tasks.filter((task) => status === undefined || task.status === status)
    const rows = shown.map((task) => [
      task.id,
      toned(taskTones[task.status], taskState(task)),
      task.machine ?? '',
      taskIterations(task),
      task.interrupted ?? task.waiting ?? task.lastError ?? task.notices[0] ?? '',
    ])
    const damaged = problems.find(({ repairable }) => repairable === true)
    if (damaged) {
      context.output.print(table(rows))
      throw new AppError('INVALID', damaged.message, {
        hint: 'Nothing is written to it until it is whole. To see its repair: bridgedeck task repair',
        details: { tasks: tasks.length, repairable: true },
      })
    }
    context.output.result({ home, problems, tasks: shown }, [
      ...problems.map(({ message, hint }) => describeFailure({ message, hint: hint ?? undefined })),
      table(rows, problems.length === 0 ? `There are no tasks in ${home}.` : ''),
    ])
    return EXIT_OK
  },
})

async function allTasks(
  { client }: Session,
  signal: AbortSignal,
): Promise<Pick<Reply<'tasks.list'>, 'home' | 'problems' | 'tasks'>> {
  const { home, problems, tasks, next: second } = await client.call('tasks.list', { after: null }, signal)
  const all = [...tasks]
  for (let after = second; after !== null;) {
    const page = await client.call('tasks.list', { after }, signal)
    all.push(...page.tasks)
    after = page.next
  }
  return { home, problems, tasks: all }
}
